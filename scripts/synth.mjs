// The app command of `cdk8s synth`: type-checks and bundles the app in parallel, then runs the bundle. A bundle starts faster than hundreds of TypeScript
// files, and the type checker keeps its state in node_modules/.cache.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const cache = resolve('node_modules/.cache/dynamo-cdk8s');
const outfile = resolve(cache, 'main.mjs');
const argv = ['-p', 'tsconfig.synth.json', '--incremental', '--tsBuildInfoFile', resolve(cache, 'synth.tsbuildinfo')];
// cdk8s does not show the stdout of an app.
const types = spawn(process.execPath, ['node_modules/typescript/bin/tsc', ...argv], { stdio: ['ignore', 2, 2] });
const checked = once(types, 'exit');

/** Findings name the line of the user's code. user-line.ts skips the stack frames of the library by its own path, which bundling must not change. */
const keepOwnPath = {
  name: 'keep-own-path',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]user-line\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path))),
      loader: 'ts',
    })),
};
await build({
  entryPoints: ['main.ts'],
  outfile,
  bundle: true,
  packages: 'external',
  plugins: [keepOwnPath],
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: 'inline',
  sourcesContent: false,
  logLevel: 'warning',
});
const [code] = await checked;
process.setSourceMapsEnabled(true);
if (code === 0) await import(pathToFileURL(outfile).href);
else process.exitCode = 1;
