import { isObject, type Json, sortedKeys } from '../json/index.ts';
import { resolvePlain } from '../manifest/index.ts';

const bare = /^[A-Za-z0-9_./](?:[A-Za-z0-9_./ -]*[A-Za-z0-9_./-])?$/;

function scalar(value: Json | undefined, indent: string): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[]' : '{}';
  if (typeof value !== 'string') return String(value ?? null);
  if (value.includes('\n')) return `|${value.endsWith('\n') ? '' : '-'}\n${value.trimEnd().replaceAll(/^(?=.)/gm, indent)}`;
  if (resolvePlain(value).type !== 'str') return JSON.stringify(value);
  return bare.test(value) ? value : `'${value.replaceAll("'", "''")}'`;
}

/** An object as Helm's `toYaml` prints it for a checksum: sorted keys, and quotes only where a string would be read as another type. */
export function templateYaml(value: Json, indent = ''): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) return value.map((item) => `${indent}- ${templateYaml(item, inner).trimStart()}`).join('\n');
  if (!isObject(value)) return scalar(value, indent);
  return sortedKeys(value)
    .map((key) => {
      const member = value[key];
      const nested = typeof member === 'object' && member !== null && Object.keys(member).length > 0;
      return `${indent}${scalar(key, '')}:${nested ? `\n${templateYaml(member, Array.isArray(member) ? indent : inner)}` : ` ${scalar(member, inner)}`}`;
    })
    .join('\n');
}
