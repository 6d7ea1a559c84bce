// Compiles lib/ and imports/ with their declarations into build/, and bundles the command line into build/cli/ and the operator into build/manager.
// `--cli-only` skips the compilation, `--manager-only` bundles only the operator, `--outdir DIR` writes to another folder.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { directImports } from './direct-imports.mjs';
import { notices } from './notices.mjs';

const outdir = process.argv.includes('--outdir') ? process.argv[process.argv.indexOf('--outdir') + 1] : 'build';
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
rmSync(outdir, { recursive: true, force: true });
const managerOnly = process.argv.includes('--manager-only');
if (!managerOnly && !process.argv.includes('--cli-only')) {
  execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json', '--outDir', outdir], { stdio: 'inherit' });
  // tsc does not copy JavaScript files and their declarations.
  const plain = readdirSync('lib', { recursive: true }).filter((f) => /\/generated\/[^/]+\.(js|d\.ts)$/.test(f));
  for (const file of plain) cpSync(`lib/${file}`, `${outdir}/lib/${file}`);
}
/** Options common to all bundles. */
const bundleOptions = {
  metafile: true,
  bundle: true,
  plugins: [directImports],
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  define: { __VERSION__: JSON.stringify(version) },
  logLevel: 'warning',
};
const metafiles = [];
if (!managerOnly) await buildCommandLine();
// The operator's image holds only this file, as /manager. Node reads a file without extension as CommonJS in the image, but as an ES module inside this
// package ("type": "module"), where `require` is not defined: https://nodejs.org/api/packages.html#determining-module-system
const manager = await build({
  ...bundleOptions,
  entryPoints: ['lib/cli/manager.ts'],
  outfile: `${outdir}/manager`,
  format: 'cjs',
  banner: {
    js: "#!/usr/bin/env node\nvar require = require ?? process.getBuiltinModule('node:module').createRequire(process.execPath);",
  },
});
chmodSync(`${outdir}/manager`, 0o755);
writeFileSync(`${outdir}/THIRD-PARTY-NOTICES.txt`, notices([...metafiles, manager.metafile]));

async function buildCommandLine() {
  const commandLine = await build({
    ...bundleOptions,
    entryPoints: { 'dynamo-cdk8s': 'lib/cli/bin.ts' },
    outdir: `${outdir}/cli`,
    splitting: true,
    format: 'esm',
    banner: {
      js: "#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  chmodSync(`${outdir}/cli/dynamo-cdk8s.js`, 0o755);
  // cdk8s loads validation plugins with require.
  const plugin = await build({
    ...bundleOptions,
    entryPoints: { 'lint-plugin': 'lib/lint-plugin/dynamo-lint.ts' },
    outdir,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
  });
  metafiles.push(commandLine.metafile, plugin.metafile);
}
