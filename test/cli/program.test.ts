import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { commands } from '../../lib/cli/commands.ts';
import { run } from './run.ts';

describe('help', () => {
  test('without a command lists every command', async () => {
    const ran = await run([]);
    expect(ran).toMatchObject({ code: 0, err: '' });
    for (const { name, summary } of commands) expect(ran.out).toMatch(new RegExp(`^  ${name} .*${summary.slice(0, 20)}`, 'm'));
    expect(await run(['--help'])).toEqual(ran);
    expect(await run(['help'])).toEqual(ran);
  });

  for (const { name } of commands) {
    test(`of ${name} shows usage, options and examples that name it`, async () => {
      const ran = await run([name, '--help']);
      expect(ran).toMatchObject({ code: 0, err: '' });
      expect(ran.out).toMatch(new RegExp(`^Usage: dynamo-cdk8s ${name}`));
      expect(ran.out).toContain('-h, --help');
      expect(ran.out.slice(ran.out.indexOf('\nExamples:\n'))).toContain(`dynamo-cdk8s ${name}`);
      expect(await run(['help', name])).toEqual(ran);
    });
  }
});

describe('mistakes', () => {
  const cases: [string[], string][] = [
    [['valdate'], "error: unknown command 'valdate'\n(Did you mean validate?)\n"],
    [['valdate', '--help'], '(Did you mean validate?)'],
    [['help', 'rendr'], "error: unknown command 'rendr'"],
    [['validate', 'graph.yaml'], '(Did you mean dynamo-cdk8s validate -f graph.yaml?)\n'],
    [['something'], "error: unknown command 'something'\n(dynamo-cdk8s --help shows what is allowed)\n"],
    [['--versoin'], '(Did you mean --version?)'],
    [['completion'], "missing required argument 'shell'"],
    [['validate', '-f', ''], "error: option '-f, --filename <path>' must not be empty"],
    [['lint', '-f', 'a.yaml', '-f', ''], "error: option '-f, --filename <path>' must not be empty"],
    [['gitops', '--layout', 'plain', '-o', ''], "error: option '-o, --output <folder>' must not be empty"],
    [['init', ''], "error: argument 'dir' must not be empty"],
    [['render', '-f', 'a.yaml', '-n', ''], "error: option '-n, --namespace <name>' must not be empty"],
    [['render', '-f', 'a.yaml', '--platform-namespace', ''], "error: option '--platform-namespace <name>' must not be empty"],
    [['fit', '-f', '-', '--nodes', '-'], 'error: only one of -f and --nodes can read stdin'],
    [['validate', '-f', '-', '--old', '-'], 'error: only one of -f and --old can read stdin'],
    [['lint', '-f', '-', '--previous', '-'], 'error: only one of -f and --previous can read stdin'],
    [['render', '-f', '-', '--values', '-'], 'error: only one of -f and --values can read stdin'],
    [['gitops', '--layout', 'plain', '-o', 'o', '-f', '-', '--graph', '-'], 'error: only one of -f and --graph can read stdin'],
    [['gitops', '--layout', 'plain', '-o', 'o', '--graph', '-', '--env', 'a=-'], 'only one of --graph and --env can read stdin'],
    ...['validate', 'lint', 'render', 'fit'].map((name): [string[], string] => [
      [name, '-f', 'a.yaml', '-n', 'Team_A', ...(name === 'fit' ? ['--nodes', 'n.yaml'] : [])],
      "error: option '-n, --namespace <name>' argument 'Team_A' is invalid. must consist of lower case letters, digits and -",
    ]),
    [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish'],
  ];
  for (const [argv, want] of cases) {
    test(`"${argv.join(' ')}" exits 1 and says what to do`, async () => {
      expect(await run(argv)).toMatchObject({ code: 1, out: '', err: expect.stringContaining(want) });
    });
  }
});

test('an argument that is no file gets no suggestion', async () => {
  expect((await run(['validate', '--', '-f', 'graph.yaml'])).err).not.toContain('Did you mean');
});

test('a path of the repository may be empty', async () => {
  const ran = await run(['gitops', '--layout', 'plain', '--path', '', '-o', 'out', '--dry-run']);
  expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: expect.not.stringContaining('must not be empty') });
});

test('--version prints the version', async () => {
  expect(await run(['--version'])).toEqual({ code: 0, out: '1.2.3\n', err: '' });
});

function installed(shell: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${shell}`]);
    return true;
  } catch {
    return false;
  }
}

describe('completion', () => {
  const complete = async (...words: string[]): Promise<readonly string[]> => {
    const { out } = await run(['completion', 'bash']);
    const script = `${out}\nCOMP_WORDS=(dynamo-cdk8s "$@"); COMP_CWORD=$#; _dynamo_cdk8s; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const answer = execFileSync('bash', ['-c', script, 'bash', ...words], { cwd: import.meta.dirname, encoding: 'utf8' });
    return answer.split('\n').filter((line) => line !== '');
  };

  test.skipIf(!installed('bash'))('in bash offers commands, flags, values and files', async () => {
    expect(await complete('')).toEqual(
      expect.arrayContaining([...commands.map((command) => command.name), '--help', '--version']),
    );
    expect(await complete('val')).toEqual(['validate']);
    expect(await complete('validate', '--st')).toEqual(['--strict']);
    expect(await complete('validate', '-o', '')).toEqual(['text', 'json', 'github', 'sarif']);
    expect(await complete('validate', '--output', 's')).toEqual(['sarif']);
    expect(await complete('completion', 'z')).toEqual(['zsh']);
    expect(await complete('validate', '-f', 'program.')).toEqual(['program.test.ts']);
  });

  test.skipIf(!installed('zsh'))('is a script zsh can read', async () => {
    const { out } = await run(['completion', 'zsh']);
    execFileSync('zsh', ['-n'], { input: out });
  });

  test.skipIf(!installed('fish'))('in fish offers commands and values', async () => {
    const { out } = await run(['completion', 'fish']);
    const offered = execFileSync('fish', ['-c', `${out}\ncomplete -C 'dynamo-cdk8s validate -o '`], { encoding: 'utf8' });
    expect(offered).toContain('sarif');
  });

  for (const shell of ['zsh', 'fish']) {
    test(`for ${shell} names every command`, async () => {
      const { out } = await run(['completion', shell]);
      for (const { name } of commands) expect(out).toContain(name);
    });
  }
});
