import { byteOrder } from '../json/index.ts';

/** A record of a written folder: the command that wrote it and the SHA-256 digest of each file; old and new digests while a run replaces the file. */
export interface FileList {
  readonly owner: string;
  readonly files: ReadonlyMap<string, readonly string[]>;
}

const head = '# Written by dynamo-cdk8s ';
const note =
  '# dynamo-cdk8s removes files listed here when they are no longer needed, and no other files. Lines have the format of sha256sum.';

/** Formats a file list. The file lines have the format of `sha256sum`, so `sha256sum -c` can check them. */
export function formatFileList({ owner, files }: FileList): string {
  const lines = [...files]
    .toSorted(([a], [b]) => byteOrder(a, b))
    .flatMap(([path, digests]) => digests.map((digest) => `${digest}  ${path}`));
  return `${[`${head}${owner}`, note, ...lines].join('\n')}\n`;
}

/** Parses a file list. Invalid lines and paths outside the folder are skipped, so the files they name are never replaced or removed. */
export function parseFileList(content: string): FileList {
  const lines = content.split('\n');
  const first = lines[0] ?? '';
  const files = new Map<string, readonly string[]>();
  for (const line of lines) {
    const match = /^([0-9a-f]{64}) {2}([^/\\].*)$/.exec(line);
    const [, digest = '', path = ''] = match ?? [];
    const isInside = !path.split('/').some((segment) => segment === '' || segment === '.' || segment === '..');
    if (match !== null && isInside) files.set(path, [...(files.get(path) ?? []), digest]);
  }
  return { owner: first.startsWith(head) ? first.slice(head.length) : '', files };
}
