/** The path of a field: map keys and list indexes from the root of a resource. */
export type Path = readonly (string | number)[];

/** Formats a path as the API server does: `spec.services.Worker.envs[0].name`. */
export function formatPath(path: Path): string {
  let formatted = '';
  for (const part of path) formatted += typeof part === 'number' ? `[${part}]` : formatted === '' ? part : `.${part}`;
  return formatted;
}

/** Whether a path equals `outer` or is below it. */
export function isWithin(path: Path, outer: Path): boolean {
  return outer.every((step, i) => path[i] === step);
}
