/** The programs that build images, in the order of the search. */
export const imageTools = ['docker', 'podman', 'buildah'] as const;
/** A program that builds images. */
export type ImageTool = (typeof imageTools)[number];

/** An image to build, or to push. */
export interface ImageOrder {
  readonly tool: ImageTool;
  readonly tag: string;
  /** Platforms such as `linux/arm64`; empty for the platform of this machine. */
  readonly platforms: readonly string[];
  readonly push: boolean;
}

/** The commands that build or push an image; for several platforms the image is a manifest list. */
export function imageCommands({ tool, tag, platforms, push }: ImageOrder): readonly (readonly string[])[] {
  const isList = platforms.length > 1;
  const platform = platforms.length > 0 ? ['--platform', platforms.join(',')] : [];
  if (tool === 'docker') {
    // docker cannot store a manifest list locally: buildx builds and pushes it in one command.
    if (isList) return [['docker', 'buildx', 'build', ...platform, '--tag', tag, ...(push ? ['--push'] : []), '.']];
    return [push ? ['docker', 'push', tag] : ['docker', 'build', ...platform, '--tag', tag, '.']];
  }
  if (push) return [isList ? [tool, 'manifest', 'push', '--all', tag, `docker://${tag}`] : [tool, 'push', tag]];
  return [[tool, 'build', ...platform, isList ? '--manifest' : '--tag', tag, '.']];
}
