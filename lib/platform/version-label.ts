/** A version, such as the tag of an image, as a valid label value: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set */
export function versionLabel(version: string): string {
  return version
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, 63)
    .replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '');
}
