/**
 * Reads files up to a size limit, and writes files so that an interrupted run leaves none half-written. An output folder keeps the files that the
 * user wrote in it. All code that writes files for a user is here.
 */
export { readFileBounded, readStream } from './read-bounded.ts';
export { fileSystemReason } from './reason.ts';
export { writeFileWhole } from './write-file.ts';
export { planFolder, type FolderChange, type FolderPlan, type FolderRequest, type OutputFile } from './plan-folder.ts';
export { writeFiles } from './write-files.ts';
export { writeFolder } from './write-folder.ts';
