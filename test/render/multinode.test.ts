import { describe, expect, test } from 'vitest';
import type { ComponentSpec } from '../../lib/api/index.ts';
import { deployers } from '../../lib/render/multinode/deployer.ts';
import { injectFlags, isPython } from '../../lib/render/multinode/inject.ts';
import { engineContainer, engineVolumes } from '../../lib/render/multinode/engine.ts';
import { vllmPlan } from '../../lib/render/multinode/vllm.ts';
import { chartConfig } from '../../lib/render/index.ts';
import type { PodRequest, RenderedContainer } from '../../lib/render/pod/types.ts';

const leader = '$(GROVE_PCSG_NAME)-$(GROVE_PCSG_INDEX)-worker-ldr-0.$(GROVE_HEADLESS_SERVICE)';
const probes = { livenessProbe: { exec: {} }, readinessProbe: { exec: {} }, startupProbe: { exec: {} } };

function spread(
  request: Partial<PodRequest>,
  container: Partial<RenderedContainer>,
  component: ComponentSpec = {},
): RenderedContainer {
  const base = {
    graph: 'g',
    namespace: 'ns',
    serviceName: 'Worker',
    nodes: 2,
    deployer: deployers.grove,
    framework: 'vllm',
    role: 'leader',
  } as const;
  return engineContainer({ name: 'main', ...container }, { ...base, component, ...request }, chartConfig());
}

describe('a Python interpreter', () => {
  const yes = [
    'python',
    'python2',
    'python3.11',
    'python3.12.1',
    '/usr/bin/python3.8',
    './python3',
    '../bin/python',
    'bin/python3.10',
  ];
  const no = ['java', 'sh', '', 'python-config', 'pythonx', 'python ', 'python/', '/usr/bin/', '/usr/bin/python/'];
  test.each([...yes.map((command) => [command, true] as const), ...no.map((command) => [command, false] as const)])(
    '%j: %s',
    (command, is) => {
      expect(isPython(command)).toBe(is);
    },
  );
});

describe('flags go', () => {
  const inShell = (arg: string): readonly string[] =>
    injectFlags({ name: 'main', command: ['sh', '-c'], args: [arg] }, 'FLAGS', true, 'sglang').args ?? [];
  test.each([
    ['python -m dynamo.sglang', 'python -m dynamo.sglang FLAGS'],
    ['python3 -m dynamo.sglang --custom-flag v', 'python3 -m dynamo.sglang FLAGS --custom-flag v'],
    ['echo blah | wc -l && python -m dynamo.sglang && ls -al', 'echo blah | wc -l && python -m dynamo.sglang FLAGS && ls -al'],
    ['python -m dynamo.sglang | tee out.log', 'python -m dynamo.sglang FLAGS | tee out.log'],
    [
      'python3 -m dynamo.sglang --model-path /m/sglang/x --tp 8',
      'python3 -m dynamo.sglang --model-path /m/sglang/x FLAGS --tp 8',
    ],
    ['python -m dynamo.sglang; python -m dynamo.sglang', 'python -m dynamo.sglang FLAGS; python -m dynamo.sglang FLAGS'],
    ['python -m some.other.module', 'python -m some.other.module'],
  ])('into %j: %j', (before, after) => {
    expect(inShell(before)).toEqual([after]);
  });

  test('behind the arguments of a Python command, or under a shell where they need one', () => {
    const container = { name: 'main', command: ['python3', '-m'], args: ['dynamo.sglang'] };
    expect(injectFlags(container, '--a  1', false, 'sglang')).toEqual({
      name: 'main',
      command: ['python3', '-m'],
      args: ['dynamo.sglang', '--a', '1'],
    });
    expect(injectFlags(container, '--a $X', true, 'sglang')).toEqual({
      name: 'main',
      command: ['sh', '-c'],
      args: ['exec python3 -m dynamo.sglang --a $X'],
    });
    expect(injectFlags({ name: 'main', command: ['python3'] }, '--a', true, 'sglang').args).toEqual(['exec python3 --a']);
  });

  test('only into the first argument that starts the engine', () => {
    const args = ['echo', 'python -m dynamo.sglang', 'python -m dynamo.sglang'];
    expect(injectFlags({ name: 'main', command: ['bash'], args }, 'F', false, 'sglang').args).toEqual([
      'echo',
      'python -m dynamo.sglang F',
      args[2],
    ]);
  });
});

describe('SGLang', () => {
  test('tells a Grove leader and its workers their ranks', () => {
    const container = { command: ['/bin/sh', '-c'], args: ['python3 -m dynamo.sglang --x'], ...probes };
    const lead = spread({ framework: 'sglang', nodes: 3 }, container);
    const work = spread({ framework: 'sglang', nodes: 3, role: 'worker' }, container);
    expect(lead.args).toEqual([`python3 -m dynamo.sglang --dist-init-addr ${leader}:29500 --nnodes 3 --node-rank 0 --x`]);
    expect(lead).toMatchObject(probes);
    expect(work.args).toEqual([
      `python3 -m dynamo.sglang --dist-init-addr ${leader}:29500 --nnodes 3 --node-rank $((GROVE_PCLQ_POD_INDEX + 1)) --x`,
    ]);
    expect(Object.keys(work).sort()).toEqual(['args', 'command', 'name']);
  });

  test('leaves an LWS leader with a direct command the unexpanded variable', () => {
    const { args } = spread(
      { framework: 'sglang', deployer: deployers.lws },
      { command: ['python3'], args: ['-m', 'dynamo.sglang'] },
    );
    expect(args).toEqual([
      '-m',
      'dynamo.sglang',
      '--dist-init-addr',
      '$LWS_LEADER_ADDRESS:29500',
      '--nnodes',
      '2',
      '--node-rank',
      '0',
    ]);
  });
});

describe('vLLM', () => {
  test.each([
    ['none', [], undefined],
    ['none', ['--tensor-parallel-size', '16'], '4.0'],
    ['ray', ['--tensor-parallel-size', '16'], '8'],
    ['ray', ['--model m --tensor-parallel-size 4 --pipeline-parallel-size 4'], '8'],
    ['data-parallel', ['--data-parallel-size', '16'], '8'],
    ['none', ['--data-parallel-size=16'], '8'],
    ['none', ['-tp', '16'], '8'],
    ['none', ['--tensor-parallel-size', 'x', '--data-parallel-size', '2'], '8'],
  ] as const)('is launched as %s with %j on %s GPUs', (launch, args, gpu) => {
    expect(vllmPlan(args, gpu).launch).toBe(launch);
  });

  const gpus = (gpu: string): ComponentSpec => ({ resources: { limits: { gpu } } });

  test('spans nodes with Ray', () => {
    const container = {
      command: ['python3', '-m', 'dynamo.vllm'],
      args: ['--model', 'test', '--tensor-parallel-size', '8'],
      ...probes,
    };
    expect(spread({}, container, gpus('4'))).toMatchObject({
      command: ['/bin/sh', '-c'],
      args: [
        'ray start --head --port=6379 && python3 -m dynamo.vllm --model test --tensor-parallel-size 8 --distributed-executor-backend ray',
      ],
      ...probes,
    });
    expect(spread({ role: 'worker', deployer: deployers.lws }, container, gpus('4'))).toEqual({
      name: 'main',
      command: ['/bin/sh', '-c'],
      args: ['ray start --address=$LWS_LEADER_ADDRESS:6379 --block'],
    });
  });

  test('spans nodes with data parallelism', () => {
    const container = {
      command: ['python3'],
      args: ['-m', 'dynamo.vllm', '--data-parallel-size', '8', '--tensor-parallel-size', '2'],
    };
    const tail = ['--data-parallel-address', leader, '--data-parallel-rpc-port', '13445'];
    expect(spread({}, container, gpus('8')).args).toEqual([
      ...container.args,
      '--data-parallel-hybrid-lb',
      '--data-parallel-size-local',
      '4',
      '--data-parallel-start-rank',
      '0',
      ...tail,
    ]);
    const rank = '$(( 4 * $((GROVE_PCLQ_POD_INDEX + 1)) ))';
    expect(spread({ role: 'worker' }, container, gpus('8')).args).toEqual([
      `exec python3 ${container.args.join(' ')} --data-parallel-hybrid-lb --data-parallel-size-local 4 --data-parallel-start-rank ${rank} ${tail.join(' ')}`,
    ]);
  });

  test('is told where its compilation cache is only if the path was given', () => {
    const cache = (mountPoint: string): ComponentSpec => ({
      volumeMounts: [{ name: 'c', useAsCompilationCache: true, mountPoint }],
    });
    expect(spread({ nodes: 1 }, { env: [{ name: 'Z' }] }, cache('/cache')).env).toEqual([
      { name: 'Z' },
      { name: 'VLLM_CACHE_ROOT', value: '/cache' },
    ]);
    expect(spread({ nodes: 1 }, {}, cache('')).env).toBeUndefined();
  });
});

describe('TRT-LLM', () => {
  const request = { framework: 'trtllm', serviceName: 'test' } as const;

  test('starts one process per GPU on all hosts', () => {
    const container = {
      command: ['python3'],
      args: ['-m', 'dynamo.trtllm', '--model-path', 'test'],
      env: [{ name: 'HF_HOME' }, { name: 'ABC' }],
    };
    const lead = spread(request, container, { resources: { limits: { gpu: '1' } } });
    const line = lead.args?.[0] ?? '';
    const host = (pod: string): string => `$(GROVE_PCSG_NAME)-$(GROVE_PCSG_INDEX)-test-${pod}.$(GROVE_HEADLESS_SERVICE)`;
    expect(line).toContain(
      ` && mpirun --allow-run-as-root --oversubscribe -n 2 -H ${host('ldr-0')},${host('wkr-0')} --mca pml ob1 `,
    );
    expect(line).toContain(' -x ABC -x CUDA_VISIBLE_DEVICES ');
    expect(line.match(/-x HF_HOME /g)).toHaveLength(1);
    expect(line.endsWith(`bash -c 'trtllm-llmapi-launch python3 -m dynamo.trtllm --model-path test'`)).toBe(true);
    expect(line).not.toContain('getent');
    expect(lead.env?.at(-1)).toEqual({ name: 'OMPI_MCA_orte_keep_fqdn_hostnames', value: '1' });
    expect(lead.volumeMounts).toEqual([{ name: 'mpi-run-ssh-secret', mountPath: '/ssh-pk', readOnly: true }]);
  });

  test('waits for the names of LWS workers', () => {
    const line =
      spread({ ...request, deployer: deployers.lws, nodes: 3 }, { command: ['sh', '-c'], args: ['launch', '--config'] })
        .args?.[0] ?? '';
    expect(line).toContain(
      `for worker in $(echo "$LWS_LEADER_ADDRESS" | sed 's/\\./-1\\./') $(echo "$LWS_LEADER_ADDRESS" | sed 's/\\./-2\\./'); do`,
    );
    expect(line).toContain('-n 0 -H $LWS_LEADER_ADDRESS,');
    expect(line.endsWith("'trtllm-llmapi-launch launch --config'")).toBe(true);
  });

  test('counts requested GPUs before limited ones, if they are integers', () => {
    const processes = (requests: string, limits: string): string | undefined =>
      /-n (\d+)/.exec(
        spread(request, { command: ['x'] }, { resources: { requests: { gpu: requests }, limits: { gpu: limits } } }).args?.[0] ??
          '',
      )?.[1];
    expect([processes('3', '8'), processes('invalid', '8'), processes('invalid', '')]).toEqual(['6', '16', '0']);
  });

  test('gives workers an SSH server, its probe and the key', () => {
    const work = spread({ ...request, role: 'worker' }, { command: ['x'], ...probes });
    expect(work.args?.[0]?.endsWith('/usr/sbin/sshd -D -f ~/.ssh/sshd_config')).toBe(true);
    expect(work).toMatchObject({ readinessProbe: { tcpSocket: { port: 2222 } } });
    expect(work.livenessProbe ?? work.startupProbe).toBeUndefined();
    const pod: PodRequest = {
      graph: '',
      namespace: '',
      serviceName: '',
      nodes: 2,
      deployer: deployers.lws,
      framework: 'trtllm',
      role: 'worker',
      component: {},
    };
    expect(engineVolumes(pod, chartConfig())).toEqual([
      { name: 'mpi-run-ssh-secret', secret: { secretName: 'mpi-run-ssh-secret', defaultMode: 420 } },
    ]);
    expect(engineVolumes({ ...pod, nodes: 1 }, chartConfig())).toEqual([]);
  });
});
