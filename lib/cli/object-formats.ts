import { groupOf, type KubernetesObject } from '../api/index.ts';
import { printable } from '../json/index.ts';
import { stringifyJson, toYamlDocuments } from '../manifest/index.ts';

/** A format in which commands print objects. */
export type ObjectFormat = 'yaml' | 'json' | 'name';

/** Prints objects in each format. */
export const objectFormats: Readonly<Record<ObjectFormat, (objects: readonly KubernetesObject[]) => string>> = {
  yaml: (objects) => toYamlDocuments(objects),
  json: (objects) => `${stringifyJson({ apiVersion: 'v1', kind: 'List', items: objects }, 2)}\n`,
  name: (objects) => objects.map((object) => `${nameLine(object)}\n`).join(''),
};

/** Whether the value of `-o` is a format, and not a folder to write into. */
export function isObjectFormat(output: string): output is ObjectFormat {
  return Object.hasOwn(objectFormats, output);
}

/** The name of an object as `kubectl get -o name` prints it. */
function nameLine({ apiVersion, kind, metadata }: KubernetesObject): string {
  const group = groupOf(apiVersion);
  return printable(`${kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${metadata.name}`);
}
