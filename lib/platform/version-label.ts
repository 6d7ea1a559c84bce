/** A version, such as the tag of an image, in the form that a label may have. */
export function versionLabel(version: string): string {
  return version
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, 63)
    .replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '');
}
