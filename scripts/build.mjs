// Compiles lib/ and imports/ with their declarations into build/, and bundles the command line into build/cli/. `--cli-only` skips the first, `--manager-only` makes the operator's one file alone, `--outdir DIR` writes elsewhere.
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
  // tsc leaves plain JavaScript and its declarations where they are.
  const plain = readdirSync('lib', { recursive: true }).filter((f) => /\/generated\/[^/]+\.(js|d\.ts)$/.test(f));
  for (const file of plain) cpSync(`lib/${file}`, `${outdir}/lib/${file}`);
}
/** What every bundle has in common. */
const bundled = {
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
// The operator's image holds this one file as /manager. To Node a file without extension is CommonJS there, and a module inside this package, where
// nothing is called require.
const manager = await build({
  ...bundled,
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
    ...bundled,
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
    ...bundled,
    entryPoints: { 'lint-plugin': 'lib/lint-plugin/dynamo-lint.ts' },
    outdir,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
  });
  metafiles.push(commandLine.metafile, plugin.metafile);
}
