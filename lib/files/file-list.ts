import { byteOrder } from '../json/index.ts';

/** What was written into a folder: by what, and every file with its fingerprint; several while a run replaces files. */
export interface FileList {
  readonly owner: string;
  readonly files: ReadonlyMap<string, readonly string[]>;
}

const head = '# Written by dynamo-cdk8s ';
const note =
  '# It removes files listed here when they are no longer needed, and nothing else. Lines are as sha256sum prints them.';

/** The list as text. */
export function formatFileList({ owner, files }: FileList): string {
  const lines = [...files]
    .toSorted(([a], [b]) => byteOrder(a, b))
    .flatMap(([path, digests]) => digests.map((digest) => `${digest}  ${path}`));
  return `${[`${head}${owner}`, note, ...lines].join('\n')}\n`;
}

/** Reads a list; lines that are none are skipped, so that a file nobody listed is nobody's. */
export function parseFileList(text: string): FileList {
  const lines = text.split('\n');
  const first = lines[0] ?? '';
  const files = new Map<string, readonly string[]>();
  for (const line of lines) {
    const match = /^([0-9a-f]{64}) {2}([^/\\].*)$/.exec(line);
    const [, digest = '', path = ''] = match ?? [];
    const inside = !path.split('/').some((step) => step === '' || step === '.' || step === '..');
    if (match !== null && inside) files.set(path, [...(files.get(path) ?? []), digest]);
  }
  return { owner: first.startsWith(head) ? first.slice(head.length) : '', files };
}
