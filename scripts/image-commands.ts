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
  /**
   * The base image.
   * @default - that of the Dockerfile
   */
  readonly nodeImage?: string | undefined;
}

/** A command to run. */
export interface ImageCommand {
  readonly words: readonly string[];
  /**
   * Run without output, whatever its exit code.
   * @default false
   */
  readonly mayFail?: true;
}

/** The commands that build or push an image; for several platforms the image is a manifest list. */
export function imageCommands({ tool, tag, platforms, push, nodeImage }: ImageOrder): readonly ImageCommand[] {
  const isList = platforms.length > 1;
  const platform = platforms.length > 0 ? ['--platform', platforms.join(',')] : [];
  const base = nodeImage === undefined ? [] : ['--build-arg', `NODE_IMAGE=${nodeImage}`];
  if (tool === 'docker') {
    // docker cannot store a manifest list locally: buildx builds and pushes it in one command.
    if (isList)
      return [{ words: ['docker', 'buildx', 'build', ...platform, ...base, '--tag', tag, ...(push ? ['--push'] : []), '.'] }];
    return [{ words: push ? ['docker', 'push', tag] : ['docker', 'build', ...platform, ...base, '--tag', tag, '.'] }];
  }
  if (push) return [{ words: isList ? [tool, 'manifest', 'push', '--all', tag, `docker://${tag}`] : [tool, 'push', tag] }];
  if (!isList) return [{ words: [tool, 'build', ...platform, ...base, '--tag', tag, '.'] }];
  return [
    // A build adds to a manifest list that exists: nodes would get the older image of their platform.
    { words: [tool, 'manifest', 'rm', tag], mayFail: true },
    { words: [tool, 'build', ...platform, ...base, '--manifest', tag, '.'] },
  ];
}
