import { describe, expect, test } from 'vitest';
import { folderWith, run } from './run.ts';

const head = 'apiVersion: nvidia.com/v1alpha1\nkind: DynamoGraphDeployment\nmetadata:\n  name: g\n';
const image = 'extraPodSpec: {mainContainer: {image: "x:1"}}';
const good = `${head}spec:\n  services:\n    Worker:\n      ${image}\n      replicas: 1\n`;
const bad = `# comment\n${head}spec:\n  services:\n    Worker:\n      replcas: 2\n      sharedMemory: {}\n      envs:\n      - value: x\n`;
const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n';

describe('validate -f', () => {
  test('says nothing on stdout and exits 0 when all is well', async () => {
    expect(await run(['validate', '-f', 'g.yaml'], { files: { 'g.yaml': good } })).toEqual({
      code: 0,
      out: '',
      err: 'no problems: 1 object in 1 file\n',
    });
  });

  test('tells file, line, column, path and message, schema before admission', async () => {
    expect(await run(['validate', '-f', 'g.yaml'], { files: { 'g.yaml': bad } })).toMatchInlineSnapshot(`
      {
        "code": 1,
        "err": "1 error, 1 warning: 1 object in 1 file
      ",
        "out": "g.yaml:9:7 warning: spec.services.Worker.replcas: unknown field, did you mean replicas
      g.yaml:12:9 spec.services.Worker.envs[0].name: is required
      ",
      }
    `);
    const admission = bad.replace('      envs:\n      - value: x\n', '');
    expect((await run(['validate', '-f', 'g.yaml'], { files: { 'g.yaml': admission } })).out).toMatchInlineSnapshot(`
      "g.yaml:9:7 warning: spec.services.Worker.replcas: unknown field, did you mean replicas
      g.yaml:10:7 spec.services.Worker.sharedMemory.size: is required when disabled is false
      "
    `);
  });

  test('warnings exit 0, with --strict 1', async () => {
    const files = { 'g.yaml': `${good}      dynamoNamespace: x\n` };
    const lenient = await run(['validate', '-f', 'g.yaml', '-n', 'team'], { files });
    expect(lenient).toMatchObject({ code: 0, err: '1 warning: 1 object in 1 file\n' });
    expect(lenient.out).toContain(
      "g.yaml:10:7 warning: spec.services.Worker.dynamoNamespace: is deprecated and ignored. Value 'x' will be replaced with 'team-g'",
    );
    expect(await run(['validate', '-f', 'g.yaml', '--strict'], { files })).toMatchObject({ code: 1 });
  });

  test('reads folders with their sub-folders, several documents, Lists, JSON and stdin', async () => {
    const list = JSON.stringify(
      {
        apiVersion: 'v1',
        kind: 'List',
        items: [
          {
            apiVersion: 'nvidia.com/v1alpha1',
            kind: 'DynamoModel',
            metadata: { name: 'm' },
            spec: { modelName: '', baseModelName: 'b' },
          },
        ],
      },
      null,
      1,
    );
    const files = { 'd/a.yaml': `${good}---\n${configMap}`, 'd/sub/b.json': list, 'd/.git/c.yaml': 'a: [', 'd/readme.md': 'x' };
    const ran = await run(['validate', '-f', 'd', '-f', '-', '-v'], { files, stdin: `${head}spec: {}\n` });
    expect(ran.out.split('\n')).toEqual([
      'd/sub/b.json:12:5 spec.modelName: is required',
      '<stdin>:5:1 spec.services: must have at least one service',
      '',
    ]);
    expect(ran.err).toBe('2 errors: 3 objects in 3 files\n1 object of other kinds skipped\n');
    expect(ran.code).toBe(1);
  });

  test('reads a file once, however often it is named', async () => {
    const ran = await run(['validate', '-f', 'g.yaml', '-f', './g.yaml', '-f', '.'], { files: { 'g.yaml': good } });
    expect(ran.err).toBe('no problems: 1 object in 1 file\n');
  });

  test('rejects duplicate keys, numbers too large, and what is no YAML', async () => {
    const files = {
      'a.yaml': `${good}      replicas: 2\n`,
      'b.yaml': 'apiVersion: v1\nkind: ConfigMap\na: 1e400\n',
      'c.yaml': 'a: [\n',
      'd.yaml': Uint8Array.of(0x61, 0x3a, 0x0a, 0xff),
    };
    const ran = await run(['validate', '-f', '.'], { files });
    expect(ran.out.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'a.yaml:10:7',
      'b.yaml:3:4',
      'c.yaml:2:1',
      'd.yaml:2:1',
      '',
    ]);
    expect(ran.code).toBe(1);
  });

  test('reads UTF-16 with a byte order mark, as some Windows shells write it', async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(good.replaceAll('\n', '\r\n'), 'utf16le')]);
    expect(await run(['validate', '-f', 'g.yaml'], { files: { 'g.yaml': utf16 } })).toMatchObject({
      code: 0,
      err: 'no problems: 1 object in 1 file\n',
    });
  });

  const versions: [string, string, string, number][] = [
    ['another version of ours', 'nvidia.com/v1beta1', 'DynamoGraphDeployment', 1],
    ['a mistyped kind of ours', 'nvidia.com/v1alpha1', 'DynamoGraphDeploymnt', 1],
    ['one of our kinds in a mistyped group', 'nvidia.co/v1alpha1', 'DynamoGraphDeployment', 1],
    ['a kind of the GPU operator, which shares our group', 'nvidia.com/v1', 'ClusterPolicy', 0],
    ['one of our names in a group of someone else', 'example.com/v1', 'DynamoModel', 0],
  ];
  for (const [name, apiVersion, kind, code] of versions) {
    test(`${code === 0 ? 'accepts' : 'rejects'} ${name}`, async () => {
      const ran = await run(['validate', '-f', '-'], {
        stdin: `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: x}\n`,
      });
      expect(ran.code).toBe(code);
      if (code === 1) expect(ran.out).toMatch(/nvidia\.com\/v1alpha1|did you mean/);
    });
  }

  test('rejects one of our kinds without apiVersion', async () => {
    const ran = await run(['validate', '-f', '-'], { stdin: 'kind: DynamoModel\n' });
    expect(ran).toMatchObject({ code: 1, out: '<stdin>:1:1 apiVersion: is required; DynamoModel is nvidia.com/v1alpha1\n' });
  });

  test('judges an update with --old, for the given user', async () => {
    const replicas = (n: number) =>
      `${head}spec:\n  services:\n    Worker:\n      ${image}\n      scalingAdapter: {enabled: true}\n      replicas: ${n}\n`;
    const files = { 'old.yaml': replicas(1), 'new.yaml': replicas(5) };
    const args = ['validate', '-f', 'new.yaml', '--old', 'old.yaml'];
    expect(await run(args, { files })).toMatchObject({
      code: 1,
      out: expect.stringContaining('new.yaml:10:7 spec.services.Worker.replicas: cannot be modified directly'),
    });
    expect(await run([...args, '--user', 'system:serviceaccount:ns:planner-serviceaccount'], { files })).toMatchObject({
      code: 0,
      out: '',
    });
    const other = await run(['validate', '-f', 'new.yaml', '--old', '-'], { files, stdin: configMap });
    expect(other).toMatchObject({ code: 0, err: expect.stringContaining('nothing was checked as an update') });
  });

  test('judges by the flags of the operator and the API groups of the cluster', async () => {
    const files = {
      'e.yaml': `${head}spec:\n  services:\n    epp: {componentType: epp, eppConfig: {configMapRef: {name: c, key: k}}, ${image}}\n`,
    };
    expect(await run(['validate', '-f', 'e.yaml'], { files })).toMatchObject({ code: 0 });
    expect(await run(['validate', '-f', 'e.yaml', '--api-groups', 'apps,inference.networking.k8s.io'], { files })).toMatchObject({
      code: 0,
    });
    expect(await run(['validate', '-f', 'e.yaml', '--api-groups', ''], { files })).toMatchObject({ code: 1 });
    expect(
      await run(['validate', '-f', 'e.yaml', '--api-groups=', '--excluded-namespaces', 'a, default'], { files }),
    ).toMatchObject({ code: 0 });
    const request =
      'apiVersion: nvidia.com/v1alpha1\nkind: DynamoGraphDeploymentRequest\nmetadata: {name: r}\nspec: {model: m, backend: vllm, enableGpuDiscovery: true, profilingConfig: {profilerImage: p, config: {}}}\n';
    expect(await run(['validate', '-f', '-'], { stdin: request })).toMatchObject({ code: 0 });
    expect(await run(['validate', '-f', '-', '--restrictedNamespace', 'ns'], { stdin: request })).toMatchObject({ code: 1 });
  });

  const missing: [string, string[], RegExp][] = [
    ['a file that is not there', ['-f', 'nope.yaml'], /^nope\.yaml: no such file or folder$/m],
    ['a folder without manifests', ['-f', 'empty'], /^empty: no \.yaml, \.yml or \.json file in this folder$/m],
    ['a path through a file', ['-f', 'g.yaml/x'], /^g\.yaml\/x: a part of this path is not a folder$/m],
  ];
  for (const [name, args, want] of missing) {
    test(`rejects ${name}, and checks the rest`, async () => {
      const ran = await run(['validate', ...args, '-f', 'g.yaml'], { files: { 'g.yaml': good, 'empty/readme.md': '' } });
      expect(ran.out).toMatch(want);
      expect(ran).toMatchObject({ code: 1, err: '1 error: 1 object in 1 file\n' });
    });
  }

  const usage: [string[], string][] = [
    [[], 'nothing to check: name manifests with -f'],
    [['-f'], "option '-f, --filename <path>' argument missing"],
    [['-f', 'a', '--review', 'b'], '-f and --review exclude each other'],
    [['-f', '-', '--old', '-'], 'only one of -f and --old can read stdin'],
    [['-f', 'a', '-o', 'xml'], 'Allowed choices are text, json, github, sarif'],
    [['-f', 'a', '--strcit'], 'Did you mean --strict?'],
    [['a'], 'too many arguments'],
  ];
  for (const [args, want] of usage) {
    test(`rejects the command line "validate ${args.join(' ')}"`, async () => {
      const ran = await run(['validate', ...args]);
      expect(ran).toMatchObject({ code: 1, out: '', err: expect.stringContaining(want) });
      expect(ran.err).toContain('(dynamo-cdk8s validate --help shows what is allowed)');
    });
  }
});

describe('formats of findings', () => {
  const files = { 'a b,c.yaml': bad.replace('      envs:\n      - value: x\n', '') };

  test('json holds everything', async () => {
    const { out } = await run(['validate', '-f', '.', '-o', 'json'], { files });
    expect(JSON.parse(out)).toEqual({
      valid: false,
      files: 1,
      objects: 1,
      passedBy: 0,
      errors: 1,
      warnings: 1,
      findings: [
        {
          file: 'a b,c.yaml',
          line: 9,
          column: 7,
          severity: 'warning',
          id: 'unknown_field',
          path: 'spec.services.Worker.replcas',
          message: 'unknown field, did you mean replicas',
          object: { kind: 'DynamoGraphDeployment', namespace: 'default', name: 'g' },
        },
        {
          file: 'a b,c.yaml',
          line: 10,
          column: 7,
          severity: 'error',
          id: 'required',
          path: 'spec.services.Worker.sharedMemory.size',
          message: 'is required when disabled is false',
          object: { kind: 'DynamoGraphDeployment', namespace: 'default', name: 'g' },
        },
      ],
    });
  });

  test('github annotates files and escapes what its commands need', async () => {
    const { out } = await run(['validate', '-f', '.', '-o', 'github'], { files });
    expect(out).toBe(
      '::warning file=a b%2Cc.yaml,line=9,col=7,title=unknown_field::spec.services.Worker.replcas: unknown field, did you mean replicas\n' +
        '::error file=a b%2Cc.yaml,line=10,col=7,title=required::spec.services.Worker.sharedMemory.size: is required when disabled is false\n',
    );
  });

  test('sarif names files so that no part of a path reads as a scheme, a query or a fragment', async () => {
    const { out } = await run(['validate', '-f', '.', '-o', 'sarif'], {
      files: { 'a:b/c#d?.yaml': Object.values(files)[0] ?? '' },
    });
    expect(out).toContain('"uri": "a%3Ab/c%23d%3F.yaml"');
  });

  test('sarif names rules, levels and regions', async () => {
    const { out } = await run(['validate', '-f', '.', '-o', 'sarif'], { files });
    const log = JSON.parse(out) as { runs: { tool: { driver: { rules: { id: string }[] } }; results: unknown[] }[] };
    expect(log).toMatchObject({ version: '2.1.0' });
    expect(log.runs[0]?.tool.driver.rules.map((rule) => rule.id)).toEqual(['required', 'unknown_field']);
    expect(log.runs[0]?.results[1]).toMatchObject({
      ruleId: 'required',
      ruleIndex: 0,
      level: 'error',
      locations: [{ physicalLocation: { artifactLocation: { uri: 'a%20b,c.yaml' }, region: { startLine: 10, startColumn: 7 } } }],
    });
  });

  test('text is coloured on a terminal only', async () => {
    expect((await run(['validate', '-f', '.'], { files })).out).not.toContain('\u001b');
    expect((await run(['validate', '-f', '.'], { files, colour: true })).out).toContain(
      '\u001b[31mspec.services.Worker.sharedMemory.size\u001b[0m',
    );
  });

  test('a finding about a whole file has no line in any format', async () => {
    for (const [format, want] of [
      ['text', 'x: no such file'],
      ['github', '::error file=x,title=unreadable::no such file'],
      ['json', '"line": 0'],
    ] as const) {
      expect((await run(['validate', '-f', 'x', '-o', format])).out).toContain(want);
    }
    expect((await run(['validate', '-f', 'x', '-o', 'sarif'])).out).not.toContain('region');
  });
});

describe('validate --review', () => {
  const review = (uid: string, services: object) =>
    JSON.stringify({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: {
        uid,
        kind: { group: 'nvidia.com', version: 'v1alpha1', kind: 'DynamoGraphDeployment' },
        operation: 'CREATE',
        object: { metadata: { name: 'g', namespace: 'n' }, spec: { services } },
      },
    });

  test('answers each line in its order, on one line, and exits 0 even when it denies', async () => {
    const stdin = [
      review('1', { a: { replcas: 1 } }),
      '',
      review('2', { a: { sharedMemory: {} } }),
      'nonsense',
      review('3', { a: { replicas: -1 } }),
    ].join('\n');
    const ran = await run(['validate', '--review', '-'], { stdin });
    expect(ran).toMatchObject({ code: 0, err: '' });
    const answers = ran.out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { response: { uid: string; status: { code: number } } }).response);
    expect(answers.map(({ uid, status }) => `${uid} ${status.code}`)).toEqual(['1 200', '2 403', ' 400', '3 422']);
    expect(answers[0]).not.toHaveProperty('warnings');
  });

  test('takes one review over several lines as one', async () => {
    const pretty = JSON.stringify(JSON.parse(review('7', { a: {} })), null, 2);
    const ran = await run(['validate', '--review', 'r.json'], { files: { 'r.json': pretty } });
    expect(ran.out.match(/"uid":"7"/g)).toHaveLength(1);
    expect(ran.out.split('\n')).toHaveLength(2);
  });

  test('tells of a file that is not there, and of one without a review', async () => {
    expect(await run(['validate', '--review', 'nope'])).toMatchObject({ code: 1, err: 'nope: no such file or folder\n' });
    expect(await run(['validate', '--review', '-'])).toMatchObject({
      code: 0,
      out: '',
      err: '<stdin>: contains no AdmissionReview\n',
    });
  });
});

test('an unreadable file is told as such', async (context) => {
  if (process.getuid?.() === 0) return context.skip();
  const cwd = folderWith({ 'g.yaml': good });
  const { chmodSync } = await import('node:fs');
  chmodSync(`${cwd}/g.yaml`, 0);
  expect(await run(['validate', '-f', 'g.yaml'], { cwd })).toMatchObject({ code: 1, out: 'g.yaml: permission denied\n' });
});
