// Bundles the output of ajv into one file without imports.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles compiled code with the runtime functions of ajv; the result starts with `firstLine`. */
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
