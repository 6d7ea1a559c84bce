import { findCount, findString, isObject, type JsonObject, listAt, valueAt } from '../../json/index.ts';
import { findEnv, findFlag, flagValue, type ComponentView } from '../component-view.ts';
import { engineConfig } from '../engine-config.ts';
import { quote, type Draft } from '../finding.ts';
import { engineWorkers, type GraphView } from '../graph-view.ts';
import { showValue } from '../../manifest/index.ts';
import type { Rule } from '../rule.ts';
import { frontend, graph, pathModel, vllmModel, worker } from '../sample.ts';
import type { LintIndex } from '../lint-index.ts';

function routerMode(c: ComponentView): string | undefined {
  return flagValue(c, '--router-mode') ?? findEnv(c, 'DYN_ROUTER_MODE')?.value;
}

/** Why a worker publishes no KV events, and the change to make; undefined when it publishes them or when that is unknown. */
function missingKvEvents(c: ComponentView): { readonly found: string; readonly change: string } | undefined {
  switch (c.engine) {
    case 'vllm': {
      const config = flagValue(c, '--kv-events-config');
      if (config !== undefined && /"enable_kv_cache_events"\s*:\s*false/.test(config))
        return { found: '--kv-events-config with enable_kv_cache_events false', change: 'remove the flag' };
      if (findFlag(c, '--no-enable-prefix-caching')) return { found: '--no-enable-prefix-caching', change: 'remove the flag' };
      if (c.flagRole === 'decode') return { found: '--is-decode-worker', change: 'remove the flag' };
      return undefined;
    }
    case 'sglang':
      return findFlag(c, '--kv-events-config')
        ? undefined
        : {
            found: 'no --kv-events-config',
            change: `add --kv-events-config '{"publisher":"zmq","topic":"kv-events","endpoint":"tcp://*:5557"}'`,
          };
    case 'trtllm':
      return findFlag(c, '--publish-events-and-metrics')
        ? undefined
        : { found: 'no --publish-events-and-metrics', change: 'add --publish-events-and-metrics' };
    case 'mocker':
    case undefined:
      return undefined;
  }
}

function* checkKvEvents(graph: GraphView): Iterable<Draft> {
  const router = graph.components.find((c) => c.type === 'frontend' && routerMode(c) === 'kv');
  const picker = graph.components.find(
    (c) =>
      c.type === 'epp' &&
      listAt(c.spec, 'eppConfig', 'config', 'plugins').some((p) => findString(p, 'type')?.includes('kv-aware') === true),
  );
  if ((router === undefined && picker === undefined) || (router !== undefined && findFlag(router, '--no-kv-events'))) return;
  const workers = engineWorkers(graph);
  const prefills = workers.filter((c) => (c.flagRole ?? c.declaredRole) === 'prefill');
  for (const c of prefills.length > 0 ? prefills : workers) {
    const missing = missingKvEvents(c);
    const approximate = router === undefined ? '' : ', or set --no-kv-events on the frontend to route without events';
    if (missing)
      yield {
        path: c.path,
        problem: `${router?.key ?? picker?.key ?? ''} routes by KV cache, but this worker publishes no KV events`,
        found: missing.found,
        change: `${missing.change}${approximate}`,
        severity: router === undefined ? 'warning' : 'error',
      };
  }
}

/** The KV block size of a worker; undefined when it is unknown. */
function blockSize(c: ComponentView, graph: GraphView, lintIndex: LintIndex): number | undefined {
  const flag = flagValue(c, '--block-size', '--page-size', '--kv-block-size');
  if (flag !== undefined) return Number(flag);
  if (c.engine === 'vllm') return findFlag(c, '--block-size') ? undefined : 16;
  if (c.engine !== 'trtllm' || findFlag(c, '--kv-block-size') || findFlag(c, '--override-engine-args')) return undefined;
  const file = engineConfig(c, graph, lintIndex);
  if (file.state === 'read') return findCount(file.config, 'kv_cache_config', 'tokens_per_block') ?? 32;
  return file.state === 'absent' ? 32 : undefined;
}

/** The KV block size of a router, in tokens, and the path that sets it. */
interface RouterBlock {
  readonly size: number;
  readonly path: ComponentView['path'];
  /** Whether the size is the default of the router. */
  readonly isDefault?: boolean;
}

function routerBlock(c: ComponentView): RouterBlock | undefined {
  if (c.type === 'epp') {
    const env = findEnv(c, 'DYN_KV_BLOCK_SIZE') ?? findEnv(c, 'DYN_KV_CACHE_BLOCK_SIZE');
    return env?.value === undefined ? { size: 16, path: c.path, isDefault: true } : { size: Number(env.value), path: env.path };
  }
  const isRouter = c.command.module === 'dynamo.router';
  const flag = isRouter
    ? findFlag(c, '--block-size', '--router-block-size', '--kv-cache-block-size')
    : findFlag(c, '--kv-cache-block-size');
  const argument = flag?.values[0];
  if (argument !== undefined) return argument.unresolved ? undefined : { size: Number(argument.value), path: argument.path };
  return isRouter && flag === undefined ? { size: 128, path: c.path, isDefault: true } : undefined;
}

function* checkBlockSizes(graph: GraphView, lintIndex: LintIndex): Iterable<Draft> {
  for (const router of graph.components) {
    const block = routerBlock(router);
    if (block === undefined || Number.isNaN(block.size)) continue;
    for (const c of engineWorkers(graph)) {
      const size = blockSize(c, graph, lintIndex);
      if (size !== undefined && !Number.isNaN(size) && size !== block.size)
        yield {
          path: block.path,
          problem: `${router.key} and ${c.key} must use the same KV block size`,
          found: `${block.size} and ${size}`,
          change:
            router.type === 'epp'
              ? `set DYN_KV_BLOCK_SIZE to ${quote(showValue(size))}`
              : `set the block size of the router to ${size}`,
          ...(block.isDefault === true ? { severity: 'warning' as const } : {}),
        };
    }
  }
}

function* checkPicker(c: ComponentView): Iterable<Draft> {
  if (c.type !== 'epp') return;
  if (c.replicas !== 1)
    yield {
      path: [...c.path, 'replicas'],
      problem: 'an endpoint picker must have exactly one replica',
      found: showValue(c.replicas),
      change: 'set replicas to 1',
    };
  const [config, reference] = [
    isObject(c.spec['eppConfig']) && valueAt(c.spec, 'eppConfig', 'config') !== undefined,
    valueAt(c.spec, 'eppConfig', 'configMapRef') !== undefined,
  ];
  if (config === reference)
    yield {
      path: [...c.path, 'eppConfig'],
      problem: 'an endpoint picker needs exactly one of eppConfig.config and eppConfig.configMapRef',
      found: config ? 'both' : 'neither',
      change: config ? 'remove one of them' : 'add eppConfig.config',
    };
  for (const field of [
    ['extraPodSpec', 'volumes'],
    ['extraPodSpec', 'mainContainer', 'volumeMounts'],
  ])
    if (
      listAt(c.spec, ...field).length > 0 &&
      !listAt(c.spec, ...field).some((item) => findString(item, 'name') === 'epp-config')
    )
      yield {
        path: [...c.path, ...field],
        problem: `${field.at(-1) ?? ''} of an endpoint picker replace those of the operator, so its configuration is not mounted`,
        change: 'remove them, or add the epp-config and hf-cache entries of the operator to the list',
      };
}

const kvFrontend = (): JsonObject => frontend({}, { envs: [{ name: 'DYN_ROUTER_MODE', value: 'kv' }] });
const routed = (args: readonly string[]) => graph({ Frontend: kvFrontend(), Worker: worker('trtllm', [...pathModel, ...args]) });
const eppOf = (extra: JsonObject, pod: JsonObject = {}): JsonObject => ({
  componentType: 'epp',
  replicas: 1,
  eppConfig: {
    config: { plugins: [{ type: 'single-profile-handler' }], schedulingProfiles: [{ name: 'default', plugins: [] }] },
  },
  ...extra,
  extraPodSpec: {
    ...pod,
    mainContainer: { image: 'nvcr.io/nvidia/ai-dynamo/frontend:0.9.0', env: [{ name: 'DYN_KV_BLOCK_SIZE', value: '16' }] },
  },
});
const withEpp = (extra: JsonObject, pod?: JsonObject) =>
  graph({ Frontend: frontend(), Epp: eppOf(extra, pod), Worker: worker('vllm', vllmModel) });
const blockFrontend = (): JsonObject =>
  frontend({
    command: ['python3', '-m', 'dynamo.frontend'],
    args: ['--router-mode', 'kv', '--kv-cache-block-size', '128'],
  });

/** Rules about routing. */
export const routingRules: readonly Rule[] = [
  {
    id: 'DYN-ROUTE-001',
    severity: 'error',
    on: 'graph',
    check: checkKvEvents,
    title: 'KV router without KV events',
    why: 'KV events tell the router which worker holds which blocks. Without events, every score is zero, and the router chooses workers at random.',
    allowed:
      'Workers that publish KV events: vLLM with prefix caching (the default), SGLang with --kv-events-config, TRT-LLM with --publish-events-and-metrics. In a disaggregated graph, this applies to the prefill workers. Or --no-kv-events on the frontend. A warning if only an endpoint picker routes by KV cache.',
    fix: 'Add the flag of the engine, or --no-kv-events on the frontend for approximate routing.',
    example: () => ({ bad: [routed([])], good: [routed(['--publish-events-and-metrics'])] }),
  },
  {
    id: 'DYN-ROUTE-002',
    severity: 'error',
    on: 'graph',
    check: checkBlockSizes,
    title: 'router and worker with different KV block sizes',
    why: 'The router compares hashes of blocks. Hashes of blocks of different sizes never match, so KV-aware routing has no effect.',
    allowed:
      '--block-size, --page-size or --kv-block-size of the worker equal to --kv-cache-block-size of the frontend, --block-size of a standalone router (default 128) or DYN_KV_BLOCK_SIZE of an endpoint picker (default 16).',
    fix: 'Use the same size on both. A frontend without the flag uses the size of the worker.',
    example: () => ({
      bad: [graph({ Frontend: blockFrontend(), Worker: worker('vllm', [...vllmModel, '--block-size', '64']) })],
      good: [graph({ Frontend: blockFrontend(), Worker: worker('vllm', [...vllmModel, '--block-size', '128']) })],
    }),
  },
  {
    id: 'DYN-ROUTE-003',
    severity: 'warning',
    on: 'component',
    check: function* (c) {
      const [flag, env] = [findFlag(c, '--router-mode'), findEnv(c, 'DYN_ROUTER_MODE')];
      if (flag && env)
        yield {
          path: env.path,
          problem: 'router mode is set by flag and by environment variable, and the flag overrides the variable',
          found: `--router-mode ${flag.values[0]?.value ?? ''} and DYN_ROUTER_MODE=${env.value ?? ''}`,
          change: 'remove DYN_ROUTER_MODE',
          ...(flag.values[0]?.value === env.value && env.level !== 'graph'
            ? { fix: { description: 'remove DYN_ROUTER_MODE', edits: [{ op: 'remove' as const, path: env.path }] } }
            : {}),
        };
    },
    title: 'router mode set by flag and by environment variable',
    why: 'The flag overrides the variable, so a later change of the variable has no effect.',
    allowed: '--router-mode or DYN_ROUTER_MODE.',
    fix: 'Remove the variable. `--fix` removes it if both have the same value.',
    example: () => ({
      bad: [
        graph({
          Frontend: frontend(
            { command: ['python3', '-m', 'dynamo.frontend'], args: ['--router-mode', 'kv'] },
            { envs: [{ name: 'DYN_ROUTER_MODE', value: 'kv' }] },
          ),
          Worker: worker('vllm', vllmModel),
        }),
      ],
      good: [graph({ Frontend: kvFrontend(), Worker: worker('vllm', vllmModel) })],
    }),
  },
  {
    id: 'DYN-ROUTE-004',
    severity: 'error',
    on: 'component',
    check: checkPicker,
    covers: ['DYN-API-005'],
    title: 'endpoint picker with unsupported settings',
    why: 'The webhook accepts only one replica and one source of configuration. volumes and volumeMounts replace those of the operator, which mount the configuration.',
    allowed: 'One replica, no multinode, either eppConfig.config or eppConfig.configMapRef, no volumes and volumeMounts.',
    fix: 'Remove the setting that the message names.',
    example: () => ({ bad: [withEpp({}, { volumes: [{ name: 'extra', emptyDir: {} }] })], good: [withEpp({})] }),
  },
];
