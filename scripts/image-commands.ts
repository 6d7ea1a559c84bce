/** The programs that build images, in the order they are looked for. */
export const imageTools = ['docker', 'podman', 'buildah'] as const;
/** One of them. */
export type ImageTool = (typeof imageTools)[number];

/** An image to build, or to push. */
export interface ImageOrder {
  readonly tool: ImageTool;
  readonly tag: string;
  /** Empty: the machine's own. */
  readonly platforms: readonly string[];
  readonly push: boolean;
}

/** The commands that build an image, or push one that was built. An image for several platforms is a list of images. */
export function imageCommands({ tool, tag, platforms, push }: ImageOrder): readonly (readonly string[])[] {
  const isList = platforms.length > 1;
  const platform = platforms.length > 0 ? ['--platform', platforms.join(',')] : [];
  if (tool === 'docker') {
    // docker keeps no list of images of its own: buildx builds and pushes it in one go.
    if (isList) return [['docker', 'buildx', 'build', ...platform, '--tag', tag, ...(push ? ['--push'] : []), '.']];
    return [push ? ['docker', 'push', tag] : ['docker', 'build', ...platform, '--tag', tag, '.']];
  }
  if (push) return [isList ? [tool, 'manifest', 'push', '--all', tag, `docker://${tag}`] : [tool, 'push', tag]];
  return [[tool, 'build', ...platform, isList ? '--manifest' : '--tag', tag, '.']];
}
