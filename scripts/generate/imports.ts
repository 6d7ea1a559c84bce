// Runs `cdk8s import` on our own CRDs.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crds } from '../../lib/api/crds.ts';
import { toYamlDocuments } from '../../lib/manifest/index.ts';

const cli = fileURLToPath(new URL('../../node_modules/cdk8s-cli/bin/cdk8s', import.meta.url));

/** The same classes in syntax that type stripping can erase, which is what this project compiles: no enum, no parameter property. */
function erasable(text: string): string {
  return text
    .replace(
      /^import \{ ApiObject, ApiObjectMetadata, GroupVersionKind \}/m,
      'import { ApiObject, type ApiObjectMetadata, type GroupVersionKind }',
    )
    .replace(/^import \{ Construct \}/m, 'import type { Construct }')
    .replace(
      / {2}private constructor\(public readonly value: (.*)\) \{\n {2}\}/g,
      '  public readonly value: $1;\n  private constructor(value: $1) {\n    this.value = value;\n  }',
    )
    .replace(/^export enum (\w+) \{([^}]*)\}/gm, (_, name: string, members: string) => {
      return `export const ${name} = {${members.replaceAll(' = ', ': ')}} as const;\nexport type ${name} = (typeof ${name})[keyof typeof ${name}];`;
    });
}

/** The text of `imports/nvidia.com.ts`. */
export function generateImports(): string {
  const folder = mkdtempSync(join(tmpdir(), 'imports-'));
  try {
    // All in one file: the output is named after the API group, so that separate imports would overwrite each other.
    writeFileSync(join(folder, 'crds.yaml'), toYamlDocuments(crds()));
    const args = [cli, 'import', 'crds.yaml', '--language', 'typescript', '--output', '.', '--no-save'];
    execFileSync(process.execPath, args, {
      cwd: folder,
      stdio: 'pipe',
      env: { ...process.env, CDK8S_CHECK_UPGRADE: 'false', CDK8S_DEBUG: '' },
    });
    return erasable(readFileSync(join(folder, 'nvidia.com.ts'), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
