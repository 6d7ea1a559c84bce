import type { Probe, Volume } from '../../api/index.ts';
import { port } from '../ports.ts';
import type { PodRequest, RenderedContainer } from '../pod/types.ts';
import { byteOrder } from '../../json/index.ts';
import { isPython, withArgs, withoutProbes } from './inject.ts';
import { atoi } from './atoi.ts';

/** Environment variables that mpirun always exports to the workers. */
const exportedVariables = `
  CUDA_VISIBLE_DEVICES HF_DATASETS_CACHE HF_ENDPOINT HF_HOME HF_TOKEN HOME HUGGING_FACE_HUB_TOKEN LD_LIBRARY_PATH MODEL_PATH NCCL_DEBUG
  NCCL_IB_DISABLE NCCL_P2P_DISABLE PATH PYTHONPATH TENSORRT_LLM_CACHE_DIR TOKENIZERS_PARALLELISM TRANSFORMERS_CACHE TRTLLM_USE_UCX_KVCACHE USER
`
  .trim()
  .split(/\s+/);

const sshReadinessProbe = (): Probe => ({
  tcpSocket: { port: port.mpiSsh },
  initialDelaySeconds: 20,
  timeoutSeconds: 5,
  periodSeconds: 20,
  failureThreshold: 10,
});

/** Multinode TensorRT-LLM: the leader starts one process per GPU with mpirun; workers run an SSH server for it. */
export function configureTrtllm(container: RenderedContainer, request: PodRequest, mpiSecret: string): RenderedContainer {
  const { role } = request;
  const env = [...(container.env ?? []), { name: 'OMPI_MCA_orte_keep_fqdn_hostnames', value: '1' }];
  const prepared: RenderedContainer = {
    ...(role === 'worker' ? { ...withoutProbes(container), readinessProbe: sshReadinessProbe() } : container),
    env,
    volumeMounts: [...(container.volumeMounts ?? []), { name: mpiSecret, mountPath: '/ssh-pk', readOnly: true }],
  };
  if (role === 'main') return prepared;
  const script =
    role === 'leader'
      ? leaderScript(prepared, request)
      : [...keySetup('~/.ssh ~/.ssh/host_keys ~/.ssh/run'), ...sshServer].join(' && ');
  return withArgs(prepared, ['/bin/sh', '-c'], [script]);
}

/** The volume with the SSH keys. */
export function sshVolume(mpiSecret: string): Volume {
  return { name: mpiSecret, secret: { secretName: mpiSecret, defaultMode: 420 } };
}

const keySetup = (directories: string): readonly string[] => [
  `mkdir -p ${directories}`,
  'ls -la /ssh-pk/',
  'cp /ssh-pk/private.key ~/.ssh/id_rsa',
  'cp /ssh-pk/private.key.pub ~/.ssh/id_rsa.pub',
  'cp /ssh-pk/private.key.pub ~/.ssh/authorized_keys',
  'chmod 600 ~/.ssh/id_rsa ~/.ssh/authorized_keys',
  'chmod 644 ~/.ssh/id_rsa.pub ~/.ssh/authorized_keys',
  String.raw`printf 'Host *\nIdentityFile ~/.ssh/id_rsa\nStrictHostKeyChecking no\nPort 2222\n' > ~/.ssh/config`,
];

const sshServer: readonly string[] = [
  ...['rsa', 'ecdsa', 'ed25519'].map((kind) => `ssh-keygen -t ${kind} -f ~/.ssh/host_keys/ssh_host_${kind}_key -N ''`),
  String.raw`printf 'Port 2222\nHostKey ~/.ssh/host_keys/ssh_host_rsa_key\nHostKey ~/.ssh/host_keys/ssh_host_ecdsa_key\nHostKey ~/.ssh/host_keys/ssh_host_ed25519_key\nPidFile ~/.ssh/run/sshd.pid\nPermitRootLogin yes\nPasswordAuthentication no\nPubkeyAuthentication yes\nAuthorizedKeysFile ~/.ssh/authorized_keys\n' > ~/.ssh/sshd_config`,
  '/usr/sbin/sshd -D -f ~/.ssh/sshd_config',
];

function leaderScript(container: RenderedContainer, request: PodRequest): string {
  const { deployer, nodes, serviceName } = request;
  const workers = deployer.workerHosts(serviceName, nodes);
  return [
    ...keySetup('~/.ssh'),
    ...(deployer.waitsForDns ? [dnsWait(workers)] : []),
    mpirun(container, request, [deployer.leaderHost(serviceName), ...workers]),
  ].join(' && ');
}

function dnsWait(workers: readonly string[]): string {
  return `TIMEOUT=300; START_TIME=$(date +%s); for worker in ${workers.join(' ')}; do echo "Waiting for DNS: $worker"; until getent hosts $worker >/dev/null 2>&1; do CURRENT_TIME=$(date +%s); if [ $((CURRENT_TIME - START_TIME)) -gt $TIMEOUT ]; then echo "ERROR: Timeout waiting for DNS: $worker"; exit 1; fi; echo "DNS not ready for $worker, retrying..."; sleep 2; done; echo "✓ DNS resolved: $worker"; done; echo "All workers DNS ready"`;
}

function mpirun(container: RenderedContainer, { component, nodes }: PodRequest, hosts: readonly string[]): string {
  const { requests, limits } = component.resources ?? {};
  const processes = nodes * (atoi(requests?.gpu) ?? atoi(limits?.gpu) ?? 0);
  const names = new Set([...(container.env ?? []).map((entry) => entry.name), ...exportedVariables]);
  const exports = [...names].sort(byteOrder).map((name) => `-x ${name}`);
  return `mpirun --allow-run-as-root --oversubscribe -n ${processes} -H ${hosts.join(',')} --mca pml ob1 --mca plm_rsh_args "-p 2222 -o StrictHostKeyChecking=no -i ~/.ssh/id_rsa" ${exports.join(' ')} bash -c 'trtllm-llmapi-launch ${originalCommand(container)}'`;
}

function originalCommand({ command = [], args = [] }: RenderedContainer): string {
  if (isPython(command[0])) return [...command, ...args].join(' ');
  return (args.length > 0 ? args : command).join(' ');
}
