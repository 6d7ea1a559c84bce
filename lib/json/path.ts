/** Where a value sits in a resource: map keys and list indexes from the root. */
export type Path = readonly (string | number)[];

/** Writes a path as the API server does: `spec.services.Worker.envs[0].name`. */
export function formatPath(path: Path): string {
  let text = '';
  for (const part of path) text += typeof part === 'number' ? `[${part}]` : text === '' ? part : `.${part}`;
  return text;
}
