import { Option } from 'commander';
import { printable, type JsonObject } from '../json/index.ts';
import { stringifyJson } from '../manifest/index.ts';
import { atPath, imageRewriter, listImages, mergeLayers, renderPlatform, templateString, truthy } from '../platform/index.ts';
import type { CommandDefinition, Io } from './command.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import { report } from './platform.ts';
import { addValuesOptions, readValues, type ValuesOptions } from './values-input.ts';

interface Options extends ValuesOptions {
  readonly output: 'name' | 'mirror' | 'json';
}

/** An image: where it is published, and the reference in the manifests. */
interface ImageEntry extends JsonObject {
  readonly source: string;
  readonly image: string;
  readonly usedBy: readonly string[];
}

const writers: Readonly<Record<Options['output'], (entries: readonly ImageEntry[]) => string>> = {
  name: (entries) => entries.map((entry) => `${printable(entry.image)}\n`).join(''),
  mirror: (entries) => entries.map((entry) => `${printable(entry.source)} ${printable(entry.image)}\n`).join(''),
  json: (entries) => `${stringifyJson(entries, 2)}\n`,
};

async function run(options: Options, io: Io): Promise<ExitCode> {
  const input = await readValues(options, io);
  if (input.errors.length > 0) {
    report(io, input, [], [], false);
    return exitCode.wrongInput;
  }
  const rendered = renderPlatform(input.values, input.options);
  if (report(io, input, rendered.issues, rendered.warnings, options.strict ?? false)) return exitCode.wrongInput;
  const registry = rendered.context.switches['one-registry'] ? atPath(input.values, 'global.imageRegistry') : undefined;
  // Render again without the registry: a rewritten reference no longer names the registry that publishes the image.
  const published = truthy(registry)
    ? renderPlatform(mergeLayers([input.values, { global: { imageRegistry: null } }]), input.options).objects
    : rendered.objects;
  const rewrite = imageRewriter({ registry: truthy(registry) ? templateString(registry) : undefined, digests: {} });
  const entries = listImages(published).map(({ image, usedBy }): ImageEntry => ({
    source: image,
    image: rewrite(image),
    usedBy,
  }));
  io.out(writers[options.output](entries));
  return exitCode.done;
}

/** `dynamo-cdk8s images`: lists every image of the platform, for mirroring and scanning. */
export const images: CommandDefinition = {
  description:
    'List every image that the platform pulls with these values. The value global.imageRegistry moves all of them to another registry.',
  examples: [
    { command: 'dynamo-cdk8s images -f values.yaml', does: 'print one image per line, with its tag or digest' },
    {
      command:
        'dynamo-cdk8s images -f values.yaml --set global.imageRegistry=registry.example.com/mirror -o mirror | while read -r from to; do skopeo copy docker://$from docker://$to; done',
      does: 'fill a mirror for an air-gapped cluster',
    },
    { command: 'dynamo-cdk8s images -f values.yaml -o json', does: 'print the images with the objects that use them' },
  ],
  define: (command, io, done) => {
    addValuesOptions(command)
      .addOption(
        new Option(
          '-o, --output <format>',
          'name: references; mirror: published reference and mirrored reference; json: both, with the objects that use them',
        )
          .choices(Object.keys(writers))
          .default('name'),
      )
      .action(async (options: Options) => done(await run(options, io)));
  },
};
