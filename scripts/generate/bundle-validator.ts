// Makes one file without imports of what ajv compiled.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The code with ajv's run-time functions in it, below a first line of its own. */
export async function bundleValidator(contents: string, firstLine: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('../..', import.meta.url)), loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['main'],
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    banner: { js: firstLine },
  });
  return outputFiles[0]?.text ?? '';
}
