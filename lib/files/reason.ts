const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'a file or a broken symbolic link is in its place; name a folder',
  ENOTDIR: 'it is a file or is below a file; name a folder',
  EISDIR: 'it is a folder',
  ENOENT: 'its folder does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  EFBIG: 'it would exceed the largest file size allowed',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'too many symbolic links',
  EXDEV: 'it contains a folder on another file system',
  EBUSY: 'it is in use',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'input/output error on the disk',
};

/** The reason in a file system error, for a message. Any other error is rethrown. */
export function fileSystemReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code === undefined) throw error;
  return reasons[code] ?? code;
}
