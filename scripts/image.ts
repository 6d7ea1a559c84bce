/**
 * `npm run image` builds the operator's image with docker, podman or buildah, whichever is found; `npm run push` pushes it. For several platforms at
 * once: `npm run image -- --platform linux/amd64,linux/arm64`.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { malformedImage } from '../lib/api/image-reference.ts';
import { imageCommands, imageTools, type ImageTool } from './image-commands.ts';
import { rejectWithoutEffect, runMain } from './run-main.ts';

const usage = `usage: npm run image -- [--tag NAME] [--platform LIST] [--node-image NAME] [--tool docker|podman|buildah] [--dry-run]
       npm run push -- [the same]

  --tag NAME          name of the image, with its registry if it is to be pushed; default: dynamo-operator:VERSION
  --platform LIST     platforms separated by commas, such as linux/amd64,linux/arm64; default: that of this machine
  --node-image NAME   the base image, such as that of a mirror; default: that of the Dockerfile
  --tool NAME         default: the first of ${imageTools.join(', ')} that is found
  --dry-run           print the commands and run nothing
`;

const options = {
  tag: { type: 'string' },
  platform: { type: 'string', multiple: true },
  'node-image': { type: 'string' },
  tool: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

function isInPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });
}

function chooseTool(named: string | undefined): ImageTool {
  const wanted = imageTools.filter((tool) => named === undefined || tool === named);
  if (wanted.length === 0) throw new Error(`--tool: must be ${imageTools.join(', ')}, got ${named}`);
  const found = wanted.find(isInPath);
  if (found === undefined) throw new Error(`${wanted.join(', ')}: not found in PATH; install one of them to build the image`);
  return found;
}

function checkImage(option: string, image: string): void {
  const reason = malformedImage(image);
  if (reason !== undefined) throw new Error(`${option}: ${reason}, got '${image}'; write REGISTRY/REPOSITORY:TAG`);
}

function run([program = '', ...args]: readonly string[], mayFail: boolean): void {
  const { status, signal, error } = spawnSync(program, args, { stdio: mayFail ? 'ignore' : 'inherit' });
  if (mayFail || status === 0) return;
  throw new Error(error ? `cannot run ${program}: ${error.message}` : `${program} exited with ${status ?? signal}`);
}

function main(args: readonly string[]): number {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
  const push = positionals[0] === 'push';
  rejectWithoutEffect(push ? positionals.slice(1) : positionals, Object.keys(options));
  const { tag = `dynamo-operator:${version}`, 'node-image': nodeImage } = values;
  checkImage('--tag', tag);
  if (nodeImage !== undefined) checkImage('--node-image', nodeImage);
  if (push && !tag.includes('/'))
    throw new Error(`--tag: must name the registry to push to, such as registry.example.com/${tag}, got '${tag}'`);
  const platforms = (values.platform ?? []).flatMap((list) => list.split(/[\s,]+/)).filter((platform) => platform !== '');
  for (const { words, mayFail = false } of imageCommands({ tool: chooseTool(values.tool), tag, platforms, push, nodeImage })) {
    process.stderr.write(`${words.join(' ')}\n`);
    if (!values['dry-run']) run(words, mayFail);
  }
  return 0;
}

runMain(main, 'npm run image -- --help');
