import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { flagTable, originalFlags } from '../../lib/runtime/flag-table.ts';
import { parseFlags } from '../../lib/runtime/go-flags.ts';
import { urlProblem } from '../../lib/runtime/go-url.ts';
import { checkManagerOptions, checkOptions, readOptions, scopeLeaseProblem } from '../../lib/runtime/options.ts';

function valuesOf(...args: readonly string[]): ReadonlyMap<string, string> {
  const parsed = parseFlags(flagTable, args);
  if (!('values' in parsed)) throw new Error(JSON.stringify(parsed));
  return parsed.values;
}

describe('syntax of flags', () => {
  test('takes one dash or two, and values after = or as the next word', () => {
    expect(Object.fromEntries(valuesOf('-natsAddr', 'nats://a:1', '--etcdAddr=b:2', '-discovery-backend=etcd'))).toEqual({
      natsAddr: 'nats://a:1',
      etcdAddr: 'b:2',
      'discovery-backend': 'etcd',
    });
  });

  test('takes a value of a boolean only after =, so that a word behind it ends the flags', () => {
    expect(parseFlags(flagTable, ['--leader-elect', 'false', '--natsAddr=x'])).toEqual({
      values: new Map([['leader-elect', 'true']]),
      rest: ['false', '--natsAddr=x'],
    });
  });

  test('accepts repeated flags, the last wins', () => {
    const values = valuesOf('--leader-elect', '--leader-election-id=a', '--leader-elect=false', '--leader-election-id=b');
    expect(Object.fromEntries(values)).toEqual({ 'leader-elect': 'false', 'leader-election-id': 'b' });
  });

  test.each(['1', 't', 'T', 'TRUE', 'true', 'True', '0', 'f', 'F', 'FALSE', 'false', 'False'])(
    'reads %s as a boolean',
    (word) => {
      expect(valuesOf(`--leader-elect=${word}`).get('leader-elect')).toBe(word);
      expect(readOptions(valuesOf(`--leader-elect=${word}`), {}).election.enabled).toBe('1tT'.includes(word.charAt(0)));
    },
  );

  test.each(['30s', '1h30m', '1.5h', '-5s', '0', '100ms', '2562047h47m16.854775807s'])('reads %s as a duration', (word) => {
    expect(valuesOf('--grove-termination-delay', word).get('grove-termination-delay')).toBe(word);
  });

  test('takes an empty value and one that holds =', () => {
    expect(Object.fromEntries(valuesOf('--natsAddr=', '--etcdAddr=a=b'))).toEqual({ natsAddr: '', etcdAddr: 'a=b' });
  });

  test('ends at two dashes and at a single one', () => {
    expect(parseFlags(flagTable, ['--', '--natsAddr=x'])).toEqual({ values: new Map(), rest: ['--natsAddr=x'] });
    expect(parseFlags(flagTable, ['-', '--natsAddr=x'])).toEqual({ values: new Map(), rest: ['-', '--natsAddr=x'] });
  });

  test('is asked for help by any spelling of it', () => {
    for (const word of ['-h', '--h', '-help', '--help']) expect(parseFlags(flagTable, [word])).toEqual({ help: true });
  });

  test.each([
    [['--nope'], 'flag provided but not defined: -nope'],
    [['--nope=1'], 'flag provided but not defined: -nope'],
    [['---natsAddr'], 'bad flag syntax: ---natsAddr'],
    [['--=x'], 'bad flag syntax: --=x'],
    [['--natsAddr'], 'flag needs an argument: -natsAddr'],
    [['--leader-elect=yes'], 'invalid boolean value "yes" for -leader-elect: parse error'],
    [['--grove-termination-delay=15'], 'invalid value "15" for flag -grove-termination-delay: parse error'],
    [['--grove-termination-delay=9999999h'], 'invalid value "9999999h" for flag -grove-termination-delay: parse error'],
    [
      ['--zap-log-level=0'],
      'invalid value "0" for flag -zap-log-level: invalid log level "0", must be one of debug, info, error, panic',
    ],
    [
      ['--zap-encoder=xml'],
      'invalid value "xml" for flag -zap-encoder: invalid encoder value "xml", must be one of json, console',
    ],
  ])('refuses %j', (args, problem) => {
    expect(parseFlags(flagTable, args)).toEqual({ problem });
  });

  test('reads the words of the zap flags whatever their case', () => {
    const given = valuesOf('--zap-log-level=DEBUG', '--zap-encoder=Console', '--zap-time-encoding=RFC3339Nano');
    expect(readOptions(given, {}).log).toMatchObject({ level: 'debug', encoder: 'console', timeEncoding: 'rfc3339nano' });
  });
});

const good = ['--planner-cluster-role-name=p', '--mpi-run-ssh-secret-name=s', '--mpi-run-ssh-secret-namespace=n'];

describe('checks after the logger exists', () => {
  const problemOf = (...args: readonly string[]): unknown => {
    const options = readOptions(valuesOf(...args), {});
    return checkOptions(options) ?? checkManagerOptions(options);
  };

  test('finds nothing wrong with what the chart passes', () => {
    expect(problemOf(...good, '--leader-elect', '--leader-election-id=dynamo.nvidia.com')).toBeUndefined();
  });

  test.each([
    [[], 'planner-cluster-role-name is required in cluster-wide mode'],
    [
      ['--planner-cluster-role-name=p', '--discovery-backend=consul'],
      "invalid discovery-backend value, must be 'kubernetes' or 'etcd'",
    ],
    [['--planner-cluster-role-name=p', '--model-express-url=http://a b'], 'invalid model-express-url provided'],
    [['--planner-cluster-role-name=p'], 'mpi-run-ssh-secret-name is required'],
    [['--planner-cluster-role-name=p', '--mpi-run-ssh-secret-name=s'], 'mpi-run-ssh-secret-namespace is required'],
    [['--restrictedNamespace=here'], 'mpi-run-ssh-secret-name is required'],
    [[...good, '--leader-elect'], 'unable to start manager'],
    [
      [...good, '--enable-webhooks', '--webhook-certificates=self-managed'],
      'webhook-service-name is required with --webhook-certificates=self-managed',
    ],
  ])('refuses %j', (args, message) => {
    expect(problemOf(...args)).toMatchObject({ message });
  });

  test.each([
    [30_000, 10_000, undefined],
    [30_000, 20_000, undefined],
    [30_000, 30_000, 'renew interval (30s) must be less than lease duration (30s)'],
    [0, 10_000, 'lease duration must be greater than zero, got 0s'],
    [30_000, -1500, 'renew interval must be greater than zero, got -1.5s'],
  ])('judges a scope Lease of %d ms renewed every %d ms', (duration, interval, problem) => {
    expect(scopeLeaseProblem({ duration, interval })).toBe(problem);
  });

  test('serves secure metrics on 8443 unless an address is given', () => {
    const metricsOf = (...args: readonly string[]): unknown => readOptions(valuesOf(...args), {}).metrics;
    expect(metricsOf()).toEqual({ address: ':8080', secure: false });
    expect(metricsOf('--metrics-bind-address=')).toEqual({ address: ':8080', secure: false });
    expect(metricsOf('--metrics-bind-address=0')).toEqual({ address: '0', secure: false });
    expect(metricsOf('--metrics-secure')).toEqual({ address: ':8443', secure: true });
    expect(metricsOf('--metrics-secure', '--metrics-bind-address=:9000')).toEqual({ address: ':9000', secure: true });
  });

  test('takes the image of the debugger from the environment', () => {
    expect(readOptions(new Map(), { INTERNAL_IMAGES_DEBUGGER: 'busybox' }).config.debuggerImage).toBe('busybox');
  });
});

describe('addresses as Go reads them', () => {
  test.each([
    'http://model-express:8001',
    'model-express',
    'a/b:c',
    'localhost:8001',
    'http://[::1]:80/x?y#z',
    'http://user:pw@h',
    'mailto:x%zz',
  ])('takes %j', (address) => {
    expect(urlProblem(address)).toBeUndefined();
  });

  test.each([
    [':8001', 'missing protocol scheme'],
    ['1a:b', 'first path segment in URL cannot contain colon'],
    ['http://h:80a', 'invalid port ":80a" after host'],
    ['http://a b/', 'invalid character " " in host name'],
    ['http://[::1', "missing ']' in host"],
    ['http://h/%zz', 'invalid URL escape "%zz"'],
    ['http://h\u007f', 'net/url: invalid control character in URL'],
    ['http://u ser@h', 'net/url: invalid userinfo'],
  ])('refuses %j', (address, problem) => {
    expect(urlProblem(address)).toBe(`parse ${JSON.stringify(address)}: ${problem}`);
  });
});

const corpus = process.env['DYNAMO_CORPUS'];

describe.skipIf(corpus === undefined)('the specification', () => {
  test('lists the same flags with the same defaults', () => {
    const page = readFileSync(join(corpus ?? '', 'spec/manager.md'), 'utf8').split('\n---\n')[1] ?? '';
    const section = page.slice(page.indexOf('## 2. Command-line flags'), page.indexOf('## 3. Flag validation'));
    const rows = [...section.matchAll(/^\| `--([^`]+)` \| ([^|]+) \| ([^|]+) \|/gm)];
    const specified = rows.map(([, name, , value]) => [name, (value ?? '').replaceAll('`', '').trim()]);
    const ours = originalFlags.map(({ name, default: value }) => {
      if (name === 'zap-devel') return [name, 'true']; // off here, as section 20 row 19 recommends
      if (value === '') return [name, name.startsWith('zap-') ? 'by preset' : 'empty'];
      return [name, value];
    });
    expect(ours).toEqual(specified);
  });
});
