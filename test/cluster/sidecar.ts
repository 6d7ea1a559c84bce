/** Plays the sidecar of a profiling pod: its script, run by a real bash with the Job's own account, sees the pod's `/data` and a `/tmp` of its own. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findTool } from '../../tools/find.ts';

/** One run of the script. */
export interface SidecarRun {
  readonly script: string;
  readonly podName: string;
  /** Kubeconfig of the Job's account. */
  readonly kubeconfig: string;
  /** Files of `/data` by name. */
  readonly data: Readonly<Record<string, string>>;
}

/** Whether this machine lets tests have mounts of their own. */
export function hasMountNamespaces(): boolean {
  return spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'true']).status === 0;
}

/** A root that is the machine's but for /data, /tmp and /job; then the script. */
const enter = `
set -e
for entry in /*; do
  name=\${entry#/}
  case $name in tmp|data|job) continue;; esac
  if [ -L "$entry" ]; then cp -a "$entry" "$ROOT/$name"
  elif [ -d "$entry" ]; then mkdir -p "$ROOT/$name"; mount --rbind "$entry" "$ROOT/$name"; fi
done
mount --bind "$DATA" "$ROOT/data"
exec chroot "$ROOT" /bin/bash -c "$SCRIPT"
`;

/** Runs the script to its end; returns what it said. */
export async function runSidecar({
  script,
  podName,
  kubeconfig,
  data,
}: SidecarRun): Promise<{ readonly exitCode: number | null; readonly output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'dynamo-cdk8s-sidecar-'));
  const [root, files] = [join(folder, 'root'), join(folder, 'data')];
  try {
    for (const path of ['tmp', 'data', 'job']) await mkdir(join(root, path), { recursive: true });
    await mkdir(files);
    for (const [name, content] of Object.entries(data)) await writeFile(join(files, name), content);
    await copyFile(kubeconfig, join(root, 'job/kubeconfig'));
    const kubectl = dirname(await findTool('kubectl'));
    const child = spawn('unshare', ['--user', '--map-root-user', '--mount', '/bin/bash', '-c', enter], {
      env: {
        ROOT: root,
        DATA: files,
        SCRIPT: script,
        HOSTNAME: podName,
        KUBECONFIG: '/job/kubeconfig',
        HOME: '/tmp',
        PATH: `${kubectl}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { exitCode: exitCode as number | null, output: stdout + stderr };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
