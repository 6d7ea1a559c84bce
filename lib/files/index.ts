/** Writes files so that nothing is half-written and nothing of the user's is lost. The only home of code that writes files for a user. */
export { fileSystemReason } from './reason.ts';
export { writeFileWhole } from './write-file.ts';
export { listName, planFolder, type FolderChange, type FolderPlan, type FolderRequest, type OutputFile } from './plan-folder.ts';
export { writeFolder } from './write-folder.ts';
