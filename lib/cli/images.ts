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

/** One image: where it is published, and the reference the manifests will hold. */
interface Line extends JsonObject {
  readonly source: string;
  readonly image: string;
  readonly usedBy: readonly string[];
}

const writers: Readonly<Record<Options['output'], (lines: readonly Line[]) => string>> = {
  name: (lines) => lines.map((line) => `${printable(line.image)}\n`).join(''),
  mirror: (lines) => lines.map((line) => `${printable(line.source)} ${printable(line.image)}\n`).join(''),
  json: (lines) => `${stringifyJson(lines, 2)}\n`,
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
  // Rendered once more without the registry, since a rewritten reference does not say where the image came from.
  const published = truthy(registry)
    ? renderPlatform(mergeLayers([input.values, { global: { imageRegistry: null } }]), input.options).objects
    : rendered.objects;
  const rewrite = imageRewriter({ registry: truthy(registry) ? templateString(registry) : undefined, digests: {} });
  const lines = listImages(published).map(({ image, usedBy }): Line => ({ source: image, image: rewrite(image), usedBy }));
  io.out(writers[options.output](lines));
  return exitCode.done;
}

/** `dynamo-cdk8s images`: every image of the platform, for mirroring and scanning. */
export const images: CommandDefinition = {
  description:
    'List every image that the platform pulls with these values. The value global.imageRegistry moves all of them to another registry.',
  examples: [
    { command: 'dynamo-cdk8s images -f values.yaml', does: 'one image a line, with its tag or digest' },
    {
      command:
        'dynamo-cdk8s images -f values.yaml --set global.imageRegistry=registry.example.com/mirror -o mirror | while read -r from to; do skopeo copy docker://$from docker://$to; done',
      does: 'fill a mirror for an air-gapped cluster',
    },
    { command: 'dynamo-cdk8s images -f values.yaml -o json', does: 'the same with the objects that use each image' },
  ],
  define: (command, io, done) => {
    addValuesOptions(command)
      .addOption(
        new Option(
          '-o, --output <format>',
          'name: references; mirror: where each is published and where it goes; json: all of it',
        )
          .choices(Object.keys(writers))
          .default('name'),
      )
      .action(async (options: Options) => done(await run(options, io)));
  },
};
