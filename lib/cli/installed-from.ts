import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { isObject, type Json } from '../json/index.ts';

const packageName = 'dynamo-cdk8s';

function readJson(file: string): Json | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Json;
  } catch {
    return undefined;
  }
}

/** The project whose `node_modules` holds a file of this package. */
function projectOf(file: string): string | undefined {
  const at = file.replaceAll('\\', '/').lastIndexOf(`/node_modules/${packageName}/`);
  return at < 0 ? undefined : file.slice(0, at);
}

/** Whether npm reads a specification as a local file or folder: by its syntax, or because the file exists. */
function isLocal(spec: string, folder: string): boolean {
  if (spec.startsWith('file:') || spec.startsWith('.') || isAbsolute(spec)) return true;
  return /\.(?:tgz|tar\.gz)$/.test(spec) && !/^[a-z+]+:/.test(spec) && existsSync(resolve(folder, spec));
}

/** Rewrites an npm specification of one folder for another: a relative path changes, anything else stays. */
export function rebaseSpec(spec: string, from: string, to: string): string {
  if (!isLocal(spec, from)) return spec;
  const path = resolve(from, spec.replace(/^file:(?:\/\/)?/, ''));
  const relativePath = relative(to, path).replaceAll('\\', '/');
  return `file:${relativePath === '' ? '.' : relativePath}`;
}

/** The npm specification this package was installed from, for use in `folder`; undefined if npm did not install it. */
export function installedFrom(module: string, folder: string): string | undefined {
  const project = projectOf(module);
  if (project === undefined) return undefined;
  const manifest = readJson(join(project, 'package.json'));
  for (const field of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    const list = isObject(manifest) ? manifest[field] : undefined;
    const spec = isObject(list) ? list[packageName] : undefined;
    if (typeof spec === 'string') return rebaseSpec(spec, project, folder);
  }
  const lock = readJson(join(project, 'node_modules', '.package-lock.json'));
  const packages = isObject(lock) ? lock['packages'] : undefined;
  const entry = isObject(packages) ? packages[`node_modules/${packageName}`] : undefined;
  const resolved = isObject(entry) ? entry['resolved'] : undefined;
  // The URL of a registry adds nothing to the version.
  return typeof resolved === 'string' && resolved.startsWith('file:') ? rebaseSpec(resolved, project, folder) : undefined;
}
