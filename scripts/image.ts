/**
 * `npm run image` builds the operator's image with docker, podman or buildah, whichever is found; `npm run push` pushes it. For several platforms at
 * once: `npm run image -- --platform linux/amd64,linux/arm64`.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { imageCommands, imageTools, type ImageTool } from './image-commands.ts';
import { runMain } from './run-main.ts';

const usage = `usage: npm run image -- [--tag NAME] [--platform LIST] [--tool docker|podman|buildah] [--dry-run]
       npm run push -- [the same]

  --tag NAME        name of the image, with its registry if it is to be pushed; default: dynamo-operator:VERSION
  --platform LIST   platforms separated by commas, such as linux/amd64,linux/arm64; default: that of this machine
  --tool NAME       default: the first of ${imageTools.join(', ')} that is found
  --dry-run         print the commands and run nothing
`;

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

function main(args: readonly string[]): number {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      tag: { type: 'string' },
      platform: { type: 'string' },
      tool: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
  const commands = imageCommands({
    tool: chooseTool(values.tool),
    tag: values.tag ?? `dynamo-operator:${version}`,
    platforms: (values.platform ?? '').split(',').filter((platform) => platform !== ''),
    push: positionals[0] === 'push',
  });
  for (const [program = '', ...args] of commands) {
    process.stderr.write(`${[program, ...args].join(' ')}\n`);
    if (values['dry-run']) continue;
    const { status } = spawnSync(program, args, { stdio: 'inherit' });
    if (status !== 0) throw new Error(`${program} exited with ${status ?? 'a signal'}`);
  }
  return 0;
}

runMain(main, 'npm run image -- --help');
