import { findString, type JsonObject, listAt, parseJsonObject } from '../../json/index.ts';
import { findEnv, findFlag, flagValue, type ComponentView, type EnvEntry } from '../component-view.ts';
import { engineConfig, isBelow, mountOf, resolvePath } from '../engine-config.ts';
import { quote, type Draft } from '../finding.ts';
import { engineWorkers, type GraphView } from '../graph-view.ts';
import { namespaceOf } from '../../api/index.ts';
import { showValue } from '../../manifest/index.ts';
import type { Rule } from '../rule.ts';
import { decode, frontend, graph, object, pathModel, prefill, vllmModel, worker } from '../sample.ts';
import type { LintIndex } from '../lint-index.ts';

/** Folders of the image that must not be mount points, since a mount hides their content. */
const imageFolders = ['/workspace', '/opt/dynamo'];

function* checkEngineFile(c: ComponentView, graph: GraphView, lintIndex: LintIndex): Iterable<Draft> {
  for (const mount of c.mounts) {
    const at = resolvePath('/', mount.mountPath);
    if (imageFolders.includes(at) && mount.subPath === undefined)
      yield {
        path: mount.path,
        problem: `mount hides the content of ${at} in the image`,
        found: quote(mount.mountPath),
        change: 'use a separate folder, such as /config, or subPath',
      };
  }
  const file = engineConfig(c, graph, lintIndex);
  if (file.state !== 'missing') return;
  const flag = findFlag(c, '--extra-engine-args');
  yield {
    path: flag?.values[0]?.path ?? c.path,
    problem: `--extra-engine-args names a file that ConfigMap ${file.mount.source.configMap ?? ''}, mounted at ${file.mount.mountPath}, does not contain`,
    found: quote(file.file),
    allowed: file.keys.map((k) => resolvePath(file.mount.mountPath, k)).join(', '),
    change: 'use a file of the ConfigMap',
  };
}

function* checkModel(object: JsonObject, lintIndex: LintIndex): Iterable<Draft> {
  const uri = findString(object, 'spec', 'source', 'uri');
  if (findString(object, 'spec', 'modelType') === 'lora' && uri !== undefined && !/^(?:s3|hf):\/\//.test(uri))
    yield {
      path: ['spec', 'source', 'uri'],
      problem: 'adapter source must start with s3:// or hf://',
      found: quote(uri),
      change: 'use the URI of a bucket or of a Hugging Face repository',
    };
  const base = findString(object, 'spec', 'baseModelName');
  const namespace = namespaceOf(object, lintIndex.namespace);
  const served = lintIndex.graphs
    .flatMap((g) => g.components.flatMap((c) => ({ namespace: g.namespace, name: findString(c.spec, 'modelRef', 'name') })))
    .filter((r) => r.name !== undefined);
  if (base === undefined || served.length === 0) return;
  const named = served.filter((r) => r.name === base);
  if (named.length === 0)
    yield {
      path: ['spec', 'baseModelName'],
      problem: 'baseModelName must equal modelRef.name of a component',
      found: quote(base),
      allowed: [...new Set(served.map((r) => r.name ?? ''))].join(', '),
      change: 'use modelRef.name of the component that loads the adapter',
    };
  else if (!named.some((r) => r.namespace === namespace))
    yield {
      path: ['metadata'],
      problem: 'a DynamoModel must be in the namespace of its component',
      found: `${namespace}, but the component is in ${named[0]?.namespace ?? ''}`,
      change: `set metadata.namespace to ${named[0]?.namespace ?? ''}`,
    };
}

const fallbackNames = [/^(?:vllm|trtllm)prefillworker$|^prefill$/i, /^(?:vllm|trtllm)decodeworker$|^decode$/i] as const;

/** The planners that scale one prefill and one decode service. Other planners are not checked. */
const plannerModules = /^(?:dynamo\.planner(?:\.planner_sla)?|planner_sla)$/;

/** Reads the settings of a planner from its flags, or from the JSON in `--config` of later releases; undefined for a file or another planner. */
function plannerSettings(c: ComponentView): ((name: string) => string | undefined) | undefined {
  if (!plannerModules.test(c.command.module ?? '')) return undefined;
  const argument = findFlag(c, '--config')?.values[0];
  if (argument === undefined) return (name) => flagValue(c, `--${name}`);
  const config = argument.unresolved ? undefined : parseJsonObject(argument.value);
  if (config === undefined) return undefined;
  return (name) => {
    const value = config[name.replaceAll('-', '_')];
    return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
  };
}

function* checkPlanner(c: ComponentView, graph: GraphView): Iterable<Draft> {
  if (c.type !== 'planner') return;
  const setting = plannerSettings(c);
  if (setting === undefined) return;
  const args = [...c.containerPath, 'args'];
  const dir = setting('profile-results-dir');
  if (
    dir !== undefined &&
    !isBelow(resolvePath('/', dir), '/workspace/tests') &&
    mountOf(c, resolvePath(findString(c.container, 'workingDir') ?? '/', dir)) === undefined &&
    !findFlag(c, '--no-operation')
  )
    yield {
      path: findFlag(c, '--profile-results-dir', '--config')?.path ?? args,
      problem: 'planner reads profiles from a folder without a mount',
      found: quote(dir),
      change: 'mount the ConfigMap planner-profile-data at this folder',
    };
  // The workers of a DynamoComponentDeployment are unknown.
  if (!graph.isGraph) return;
  const workers = engineWorkers(graph);
  const mode = setting('mode') ?? 'disagg';
  for (const [index, role] of (['prefill', 'decode'] as const).entries()) {
    if (mode !== 'disagg' && mode !== role) continue;
    const found = workers.filter((w) => w.declaredRole === role);
    const candidates = found.length > 0 ? found : workers.filter((w) => fallbackNames[index]?.test(w.key));
    const [one] = candidates;
    if (candidates.length !== 1 || one === undefined) {
      yield {
        path: c.path,
        problem: `planner needs exactly one ${role} service`,
        found: candidates.length === 0 ? 'none' : candidates.map((w) => w.key).join(', '),
        change: `set subComponentType: ${role} on one worker`,
      };
      continue;
    }
    const name = findFlag(one, '--served-model-name', '--model-name', '--model');
    const argument = name?.values[0];
    if (argument === undefined)
      yield {
        path: one.path,
        problem: 'planner cannot determine the model name of this worker without --served-model-name, --model-name or --model',
        found: findFlag(one, '--model-path') ? 'only --model-path' : 'none of them',
        change: 'add --served-model-name',
      };
    else if (variableName(one, name?.name ?? ''))
      yield {
        path: argument.path,
        problem: 'planner reads the model name from args and does not expand variables',
        found: quote(variableName(one, name?.name ?? '') ?? ''),
        change: 'write the name instead of the variable',
      };
    const flag = `--${role}-engine-num-gpu`;
    const gpus = (one.gpus ?? 0) * one.nodes;
    const configured = setting(flag.slice(2));
    if (gpus > 0 && configured !== undefined && Number(configured) !== gpus)
      yield {
        path: findFlag(c, flag, '--config')?.path ?? args,
        problem: `${flag} must equal the GPUs of one ${role} worker`,
        found: `${configured}, but ${one.key} has ${gpus}`,
        change: `set it to ${gpus}`,
      };
    else if (gpus > 0 && configured === undefined && gpus !== 1)
      yield {
        path: args,
        problem: `planner assumes one GPU per ${role} worker unless ${flag} is set`,
        found: `${gpus} GPUs on ${one.key}`,
        change: `add ${flag}=${gpus}`,
      };
    else if (gpus === 1 && configured === undefined)
      yield {
        path: args,
        problem: `planner relies on the default of ${flag}`,
        found: 'no flag (default 1)',
        change: `add ${flag}=1, so that lint reports a later change of GPUs`,
        severity: 'warning',
      };
  }
}

/** The variable reference in the value of a flag, before expansion. */
function variableName(c: ComponentView, flag: string): string | undefined {
  const lists = [...listAt(c.container, 'command'), ...listAt(c.container, 'args')].map(showValue);
  const at = lists.indexOf(flag);
  const next = at >= 0 ? lists[at + 1] : new RegExp(`${flag}[ =]+["']?(\\$[({]?\\w+[)}]?)`).exec(lists.join(' '))?.[1];
  if (next?.startsWith('$') !== true) return undefined;
  // An undefined variable is a placeholder that a tool such as envsubst replaces before the manifest is applied.
  return findEnv(c, next.replace(/^\$[({]?/, '').replace(/[)}]$/, '')) === undefined ? undefined : next;
}

function isSameValue(a: EnvEntry, b: EnvEntry): boolean {
  return a.value !== undefined && a.value === b.value;
}

function* checkVariables(c: ComponentView): Iterable<Draft> {
  const byName = new Map<string, EnvEntry>();
  for (const entry of c.env) {
    const before = byName.get(entry.name);
    if (
      before &&
      before.level !== entry.level &&
      !isSameValue(before, entry) &&
      (before.value !== undefined || entry.value !== undefined)
    ) {
      const levels = { container: 'the container', graph: 'the graph', service: 'the service' };
      yield {
        path: before.path,
        problem: `${entry.name} is set at two levels, and ${levels[entry.level]} overrides ${levels[before.level]}`,
        found: `${quote(before.value ?? 'a reference')} and ${quote(entry.value ?? 'a reference')}`,
        change: 'set it once',
        severity: before.level === 'container' ? 'error' : 'warning',
      };
    }
    byName.set(entry.name, entry);
  }
  for (const entry of byName.values())
    for (const [, name] of (entry.value ?? '').matchAll(/(?<!\$)\$\(([A-Za-z_]\w*)\)/g))
      if (name !== undefined && findEnv(c, name) && name >= entry.name)
        yield {
          path: entry.path,
          problem:
            name === entry.name
              ? `$(${name}) is not expanded: a variable cannot refer to itself`
              : `$(${name}) is not expanded: the operator sorts variables by name, and ${name} comes after ${entry.name}`,
          found: quote(entry.value ?? ''),
          change: 'write the value, or rename the variable so that it sorts after the one it refers to',
        };
}

const engineVolume = { extraPodSpec: { volumes: [{ name: 'engine', configMap: { name: 'engine' } }] } };
const engineFile = (path: string, at: string) =>
  worker('trtllm', [...pathModel, '--extra-engine-args', path], engineVolume, {
    volumeMounts: [{ name: 'engine', mountPath: at }],
  });
const engineMap = (): JsonObject => object('v1', 'ConfigMap', 'engine', { data: { 'engine.yaml': 'tensor_parallel_size: 1\n' } });
const lora = (base: string) => ({
  apiVersion: 'nvidia.com/v1alpha1',
  kind: 'DynamoModel',
  metadata: { name: 'adapter' },
  spec: { modelName: 'adapter', baseModelName: base, modelType: 'lora', source: { uri: 's3://loras/adapter' } },
});
const loraGraph = (): JsonObject =>
  graph({
    Frontend: frontend(),
    Worker: worker('vllm', [...vllmModel, '--enable-lora', '--max-lora-rank', '64', '--connector', 'none'], {
      modelRef: { name: 'Qwen/Qwen3-0.6B' },
    }),
  });
const plannerOf = (args: readonly string[]) => ({
  componentType: 'planner',
  replicas: 1,
  extraPodSpec: {
    volumes: [{ name: 'profile', configMap: { name: 'planner-profile-data' } }],
    mainContainer: {
      image: 'nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.9.0',
      command: ['python3', '-m', 'planner_sla'],
      args: ['--environment=kubernetes', '--backend=vllm', '--profile-results-dir=/profile', ...args],
      volumeMounts: [{ name: 'profile', mountPath: '/profile', readOnly: true }],
    },
  },
});

/** Rules about engine files, models, planners and environment variables. */
export const wiringRules: readonly Rule[] = [
  {
    id: 'DYN-REF-004',
    severity: 'error',
    on: 'component',
    check: checkEngineFile,
    title: 'engine file that does not exist, or mount that hides a folder of the image',
    why: 'The engine does not find its file, or a mount on a folder of the image hides the programs and examples in it.',
    allowed: '--extra-engine-args with the mount path and a key of the mounted ConfigMap; mounts at a separate folder.',
    fix: 'Mount the ConfigMap at a folder such as /config and set --extra-engine-args to /config/<key>.',
    example: () => ({
      bad: [engineMap(), graph({ Frontend: frontend(), Worker: engineFile('/config/agg.yaml', '/config') })],
      good: [engineMap(), graph({ Frontend: frontend(), Worker: engineFile('/config/engine.yaml', '/config') })],
    }),
  },
  {
    id: 'DYN-REF-005',
    severity: 'error',
    on: 'object',
    kinds: ['DynamoModel'],
    check: checkModel,
    contextual: true,
    title: 'DynamoModel that matches no component',
    why: 'The operator selects the pods of components whose modelRef.name equals baseModelName, in the namespace of the DynamoModel. Without a match, the adapter is never loaded.',
    allowed: 'baseModelName equal to a modelRef.name in the same namespace; s3:// or hf:// URIs for adapters.',
    fix: 'Set baseModelName to modelRef.name of the worker.',
    example: () => ({ bad: [lora('Qwen/Qwen3-8B'), loraGraph()], good: [lora('Qwen/Qwen3-0.6B'), loraGraph()] }),
  },
  {
    id: 'DYN-REF-006',
    severity: 'error',
    on: 'component',
    check: checkPlanner,
    title: 'planner without profiles, roles, model name or GPU counts',
    why: 'The planner exits at startup without profiles, both roles and a model name. With a wrong GPU count per engine, it scales beyond its GPU budget.',
    allowed:
      'A mounted profile folder, exactly one prefill and one decode service, a literal model name on both, and --prefill-engine-num-gpu and --decode-engine-num-gpu equal to the GPUs of the workers. A warning if the GPU counts rely on the default of 1.',
    fix: 'Set subComponentType on the workers, and add the GPU counts to the args of the planner.',
    example: () => ({
      bad: [
        graph({
          Frontend: frontend(),
          Planner: plannerOf([]),
          P: prefill(),
          Other: worker('vllm', [...vllmModel, '--is-decode-worker']),
        }),
      ],
      good: [
        graph({
          Frontend: frontend(),
          Planner: plannerOf(['--prefill-engine-num-gpu=1', '--decode-engine-num-gpu=1']),
          P: prefill(),
          D: decode(),
        }),
      ],
    }),
  },
  {
    id: 'DYN-REF-009',
    severity: 'error',
    on: 'component',
    check: checkVariables,
    covers: ['DYN-QUIRK-018'],
    title: 'environment variable set at two levels, or reference that is not expanded',
    why: 'Variables of the graph override those of the container, and variables of the service override both. The operator sorts them by name, and Kubernetes expands only references to earlier variables (https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables/): `$(B)` in `A` stays unchanged.',
    allowed:
      'Each variable at one level, or with the same value at all levels; references only to variables whose names sort earlier. A service that overrides its graph is a warning.',
    fix: 'Remove the overridden variable, or write the value instead of the reference.',
    example: () => ({
      bad: [
        graph({
          Frontend: frontend(),
          Worker: worker('vllm', vllmModel, {
            envs: [
              { name: 'CACHE', value: '$(ROOT)/cache' },
              { name: 'ROOT', value: '/data' },
            ],
          }),
        }),
      ],
      good: [
        graph({
          Frontend: frontend(),
          Worker: worker('vllm', vllmModel, {
            envs: [
              { name: 'CACHE', value: '/data/cache' },
              { name: 'ROOT', value: '/data' },
            ],
          }),
        }),
      ],
    }),
  },
];
