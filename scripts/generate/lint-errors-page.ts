import { format, resolveConfig } from 'prettier';
import { exampleDocuments, exampleNames, findingsIn, type ExampleFinding } from '../../test/lint/corpus.ts';

/** The reason for each kind of error in the examples: a rule, a part of its message, and why it is an error. */
const reasons: readonly (readonly [id: string, part: RegExp, reason: string])[] = [
  ['DYN-VER-001', /is a placeholder that/, '`${…}` is not an image; a program such as envsubst replaces it, kubectl does not'],
  ['DYN-VER-001', /tag is a placeholder/, 'the tag does not exist; every pod stays in ImagePullBackOff until it is replaced'],
  [
    'DYN-ROLE-003',
    /./,
    'the operator does not know the type `main`: the pods get no system port and no probes, and are ready before the model is loaded',
  ],
  ['required', /at least one service/, 'the admission webhook rejects a graph without services'],
  [
    'DYN-BACK-002',
    /twice/,
    'the flag is given twice in a row; the parser finds the second flag instead of a value and exits with a usage error',
  ],
  [
    'DYN-BACK-002',
    /removed in/,
    'an earlier release removed the flag; the parser exits with a usage error, and the pod restarts again and again',
  ],
  [
    'DYN-GPU-002',
    /./,
    'the flag and the engine file set different memory fractions, and one of them is ignored without a message',
  ],
  [
    'DYN-REF-002',
    /not declared/,
    'nothing checks that the PersistentVolumeClaim exists; without it the pods stay pending, and the status does not say why',
  ],
  ['DYN-REF-004', /hides/, 'the mount hides `/workspace`, so the pod does not have the programs and examples of the image'],
  [
    'DYN-REF-004',
    /does not contain/,
    'the file is in the folder that the mount hides, and the mounted ConfigMap does not have that key: the engine does not find it',
  ],
  ['DYN-ROUTE-001', /./, 'the router scores workers by KV events, which no worker sends, so every score is zero'],
  [
    'DYN-SCHED-002',
    /./,
    'the label of the pods is the name of the graph without `-frontend`, so the constraint matches no pod and spreads nothing',
  ],
  [
    'DYN-PROBE-001',
    /./,
    'the probe replaces the whole probe of the operator and has no handler; the API server rejected the Deployment (recorded)',
  ],
  [
    'required',
    /move it from spec.profilerImage/,
    'the schema requires the field below `profilingConfig`; at this path it is dropped',
  ],
  ['DYN-NAME-003', /./, 'two files define the same object; applied together, the last replaces the first'],
  ['DYN-NAME-005', /./, 'two files define the same object with different content; applied together, the last replaces the first'],
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
  return ['| file | line | rule | field | why it is an error |', '|---|---|---|---|---|', ...rows].join('\n');
}

const isError = ({ severity }: ExampleFinding): boolean => severity === 'error';

/** The content of docs/lint-errors-in-examples.md; needs DYNAMO_CORPUS, the folder of the example files. */
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

Every error that \`dynamo-cdk8s lint\` reports on the ${files.length} example manifests of release 0.9, with its line and the reason. Fields are relative to \`spec.services\`. A test compares this page with the findings of lint.

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
