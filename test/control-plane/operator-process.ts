/**
 * The operator as a process of its own, for tests that stop, pause and kill it. Its one controller writes a ConfigMap without end, so that the
 * audit log shows who acted when. Arguments: the operator's flags; environment: `TIMING`, the election's times as JSON.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Controller } from '../../lib/runtime/controller.ts';
import { runOperator } from '../../lib/runtime/run-operator.ts';

const writer: Controller = {
  name: 'Writer',
  start: async ({ client }, signal) => {
    const key = { apiVersion: 'v1', kind: 'ConfigMap', namespace: process.env['NAMESPACE'] ?? '', name: 'written' };
    for (let count = 0; !signal.aborted; count += 1)
      await client.merge(key, { data: { count: String(count) } }, undefined, signal);
  },
};

const stop = new AbortController();
process.on('SIGTERM', () => stop.abort(new Error('received SIGTERM')));
const serviceAccount = mkdtempSync(join(tmpdir(), 'dynamo-cdk8s-operator-'));
writeFileSync(join(serviceAccount, 'namespace'), process.env['NAMESPACE'] ?? '');
const code = await runOperator({
  args: process.argv.slice(2),
  environment: {},
  version: 'test',
  controllers: [writer],
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  signal: stop.signal,
  place: { serviceAccount, electionTiming: JSON.parse(process.env['TIMING'] ?? '{}') },
});
process.exit(code);
