/** Reads no more than a limit, and writes files so that nothing is half-written and nothing of the user's is lost. The only home of code that writes files for a user. */
export { readFileBounded, readStream } from './read-bounded.ts';
export { fileSystemReason } from './reason.ts';
export { writeFileWhole } from './write-file.ts';
export { planFolder, type FolderChange, type FolderPlan, type FolderRequest, type OutputFile } from './plan-folder.ts';
export { writeFiles } from './write-files.ts';
export { writeFolder } from './write-folder.ts';
