import { join, resolve } from 'node:path';
import { Option } from 'commander';
import { crds as definitions, jsonSchemas } from '../api/index.ts';
import { printable, type Json } from '../json/index.ts';
import { stringifyJson, toYaml } from '../manifest/index.ts';
import { writeFiles, type OutputFile } from '../files/index.ts';
import type { CommandDefinition } from './command.ts';
import { exitCode } from './exit-code.ts';

const files: Readonly<Record<string, () => readonly OutputFile[]>> = {
  yaml: () => crdFiles('yaml', toYaml),
  json: () => crdFiles('json', (value) => `${stringifyJson(value, 2)}\n`),
  jsonschema: () => jsonSchemas().map(({ name, schema }) => ({ path: name, text: `${stringifyJson(schema, 2)}\n` })),
};

function crdFiles(extension: string, write: (value: Json) => string): readonly OutputFile[] {
  return definitions().map((crd) => ({
    path: `${crd.spec.group}_${crd.spec.names.plural}.${extension}`,
    text: write(crd),
  }));
}

/** Joins all files into one stream: YAML documents, a JSON List for kubectl, or a JSON map of schemas by name for editors. */
function joinFiles(format: string, written: readonly OutputFile[]): string {
  if (format === 'yaml') return written.map((file) => file.text).join('---\n');
  const values = written.map((file) => [file.path.replace(/\.json$/, ''), JSON.parse(file.text) as Json] as const);
  const joined =
    format === 'json' ? { apiVersion: 'v1', kind: 'List', items: values.map(([, value]) => value) } : Object.fromEntries(values);
  return `${stringifyJson(joined, 2)}\n`;
}

/** `dynamo-cdk8s crds`: prints the CustomResourceDefinitions of the six kinds, or their JSON Schemas. */
export const crds: CommandDefinition = {
  description: 'Print the CustomResourceDefinitions of the six Dynamo kinds, or write them to a folder, one file each.',
  examples: [
    { command: 'dynamo-cdk8s crds | kubectl apply -f -', does: 'install the CRDs' },
    { command: 'dynamo-cdk8s crds -o crds/', does: 'write one YAML file per kind' },
    { command: 'dynamo-cdk8s crds --format jsonschema -o schemas/', does: 'write JSON Schemas for editors and kubeconform' },
  ],
  define: (command, io, done) => {
    command
      .option('-o, --output <folder>', 'write one file per kind into this folder')
      .addOption(new Option('--format <format>', 'what to write').choices(Object.keys(files)).default('yaml'))
      .action((options: { readonly output?: string; readonly format: string }) => {
        const written = files[options.format]?.() ?? [];
        if (options.output === undefined) io.out(joinFiles(options.format, written));
        else {
          const problem = writeFiles(resolve(io.cwd, options.output), written);
          if (problem !== undefined) {
            io.err(`${printable(join(options.output, problem.path))}: cannot be written (${problem.reason})\n`);
            return done(exitCode.wrongInput);
          }
          io.out(written.map((file) => `${printable(join(options.output ?? '', file.path))}\n`).join(''));
        }
        done(exitCode.done);
      });
  },
};
