import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { isObject, type Json } from '../json/index.ts';

const own = 'dynamo-cdk8s';

function readJson(file: string): Json | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Json;
  } catch {
    return undefined;
  }
}

/** The nearest folder named `node_modules` that holds a file, and the project around it. */
function projectAround(file: string): string | undefined {
  const at = file.replaceAll('\\', '/').lastIndexOf(`/node_modules/${own}/`);
  return at < 0 ? undefined : file.slice(0, at);
}

/** Whether npm takes a specification for a file or folder: by its form, or because there is one. */
function isLocal(spec: string, folder: string): boolean {
  if (spec.startsWith('file:') || spec.startsWith('.') || isAbsolute(spec)) return true;
  return /\.(?:tgz|tar\.gz)$/.test(spec) && !/^[a-z+]+:/.test(spec) && existsSync(resolve(folder, spec));
}

/** A specification written in one folder, as another folder must write it. */
export function respell(spec: string, from: string, to: string): string {
  if (!isLocal(spec, from)) return spec;
  const path = resolve(from, spec.replace(/^file:(?:\/\/)?/, ''));
  const way = relative(to, path).replaceAll('\\', '/');
  return `file:${way === '' ? '.' : way}`;
}

/** What npm installed this package from, as the given folder would write it; undefined when it was not installed by npm. */
export function installedFrom(module: string, folder: string): string | undefined {
  const project = projectAround(module);
  if (project === undefined) return undefined;
  const manifest = readJson(join(project, 'package.json'));
  for (const field of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    const list = isObject(manifest) ? manifest[field] : undefined;
    const spec = isObject(list) ? list[own] : undefined;
    if (typeof spec === 'string') return respell(spec, project, folder);
  }
  const lock = readJson(join(project, 'node_modules', '.package-lock.json'));
  const packages = isObject(lock) ? lock['packages'] : undefined;
  const entry = isObject(packages) ? packages[`node_modules/${own}`] : undefined;
  const resolved = isObject(entry) ? entry['resolved'] : undefined;
  // An address of a registry says nothing that the version does not.
  return typeof resolved === 'string' && resolved.startsWith('file:') ? respell(resolved, project, folder) : undefined;
}
