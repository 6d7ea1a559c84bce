const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file; name a folder',
  ENOTDIR: 'it is a file, or in one; name a folder',
  EISDIR: 'it is a folder',
  ENOENT: 'its folder does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  EFBIG: 'it would be larger than a file may be here',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'too many symbolic links',
  EXDEV: 'a folder in it is on another disk',
  EBUSY: 'it is in use',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk does not answer',
};

/** Says why the file system refused something; an error that is not the file system's is thrown on. */
export function fileSystemReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code === undefined) throw error;
  return reasons[code] ?? code;
}
