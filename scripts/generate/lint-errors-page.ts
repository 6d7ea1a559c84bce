import { format, resolveConfig } from 'prettier';
import { exampleDocuments, exampleNames, findingsIn, type ExampleFinding } from '../../test/lint/corpus.ts';

/** Why each kind of error in the examples is one: a rule, a part of its message, the reason. */
const reasons: readonly (readonly [id: string, part: RegExp, reason: string])[] = [
  [
    'DYN-VER-001',
    /placeholder nobody/,
    'the text `${…}` is no image; only a program such as envsubst makes one of it, kubectl does not',
  ],
  ['DYN-VER-001', /tag is a placeholder/, 'there is no such tag; every pod stays in ImagePullBackOff until it is replaced'],
  [
    'DYN-ROLE-003',
    /./,
    'the operator knows no type `main`: the pods get no system port and no probes, and count as ready while the model still loads',
  ],
  ['required', /at least one service/, 'the admission webhook refuses a graph without services'],
  [
    'DYN-BACK-002',
    /twice/,
    'the flag stands twice in a row; the parser takes the second flag for a missing value and ends with a usage error',
  ],
  [
    'DYN-BACK-002',
    /gone since/,
    'the flag went with an earlier release; the parser ends with a usage error, and the pod restarts for ever',
  ],
  ['DYN-GPU-002', /./, 'flag and engine file give two different memory fractions, and one of them is silently ignored'],
  [
    'DYN-REF-002',
    /not declared/,
    'nobody checks that the claim exists; when it does not, the pods stay pending and the status says nothing',
  ],
  ['DYN-REF-004', /hides/, 'the mount replaces `/workspace`, so the programs and examples of the image are gone from the pod'],
  [
    'DYN-REF-004',
    /does not hold/,
    'the file lies in the folder that the mount hides, and the mounted ConfigMap has no such key: the engine does not find it',
  ],
  ['DYN-ROUTE-001', /./, 'the router scores by KV events that no worker sends, so every score is zero'],
  ['DYN-SCHED-002', /./, 'pods carry the name of the graph without `-frontend`, so the rule matches no pod and spreads nothing'],
  [
    'DYN-PROBE-001',
    /./,
    'the probe replaces the operator’s whole and has no handler; the recorded API server refused the Deployment',
  ],
  [
    'required',
    /move it from spec.profilerImage/,
    'the field belongs below `profilingConfig`, where the schema requires it; where it stands it is dropped',
  ],
  ['DYN-NAME-003', /./, 'two files define one object; applied together the last replaces the first'],
  ['DYN-NAME-005', /./, 'two files define one object with different content; applied together the last replaces the first'],
];

function why({ id, message }: ExampleFinding): string {
  const found = reasons.find(([rule, part]) => rule === id && part.test(message));
  if (found === undefined) throw new Error(`no reason is written for ${id}: ${message}`);
  return found[2];
}

function table(findings: readonly ExampleFinding[]): string {
  const rows = findings.map(
    (f) => `| ${f.file} | ${f.line} | ${f.id} | \`${f.path.replace(/^spec\.services\./, '')}\` | ${why(f)} |`,
  );
  return ['| file | line | rule | field | why it is one |', '|---|---|---|---|---|', ...rows].join('\n');
}

const isError = ({ severity }: ExampleFinding): boolean => severity === 'error';

/** The text of docs/lint-errors-in-examples.md; reads the example files, so only where DYNAMO_CORPUS names them. */
export async function lintErrorsPage(): Promise<string> {
  const files = exampleNames();
  const alone = files.flatMap((file) => findingsIn(exampleDocuments(file))).filter(isError);
  const known = new Set(alone.map((f) => `${f.file}:${f.line}:${f.id}`));
  const together = findingsIn(files.flatMap(exampleDocuments)).filter(
    (f) => isError(f) && !known.has(`${f.file}:${f.line}:${f.id}`),
  );
  const images = alone.filter(({ id }) => id === 'DYN-VER-001');
  const rest = alone.filter(({ id }) => id !== 'DYN-VER-001');
  const page = `# Errors lint reports on the original's example files

Every error that \`dynamo-cdk8s lint\` reports on the ${files.length} example manifests of release 0.9, with the line and why it is one. Fields are relative to \`spec.services\`. A test compares this page with what lint says.

## Mistakes in the manifests

${table(rest)}

## Images that cannot be pulled

${table(images)}

## Only when all files are applied together

Each file alone is fine; a folder given to \`-f\` is linted as one application.

${table(together)}
`;
  return await format(page, { ...(await resolveConfig(import.meta.filename)), parser: 'markdown' });
}
