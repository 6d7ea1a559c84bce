import { findString, type JsonObject, listAt } from '../../json/index.ts';
import { findEnv, findFlag, flagText, type ComponentView, type EnvEntry } from '../component-view.ts';
import { engineConfig, isBelow, mountOf, resolvePath } from '../engine-config.ts';
import { quote, type Draft } from '../finding.ts';
import { engineWorkers, type GraphView } from '../graph-view.ts';
import { namespaceOf } from '../../api/index.ts';
import { showValue } from '../../manifest/index.ts';
import { parseJsonObject } from '../parse-json-object.ts';
import type { Rule } from '../rule.ts';
import { decode, frontend, graph, object, pathModel, prefill, vllmModel, worker } from '../sample.ts';
import type { LintIndex } from '../lint-index.ts';

/** Folders of the image that a mount must not hide. */
const imageFolders = ['/workspace', '/opt/dynamo'];

function* configFile(c: ComponentView, graph: GraphView, around: LintIndex): Iterable<Draft> {
  for (const mount of c.mounts) {
    const at = resolvePath('/', mount.mountPath);
    if (imageFolders.includes(at) && mount.subPath === undefined)
      yield {
        path: mount.path,
        problem: `mount hides ${at} of the image with everything in it`,
        found: quote(mount.mountPath),
        change: 'mount below a folder of its own, such as /config, or use subPath',
      };
  }
  const file = engineConfig(c, graph, around);
  if (file.state !== 'missing') return;
  const word = findFlag(c, '--extra-engine-args');
  yield {
    path: word?.values[0]?.path ?? c.path,
    problem: `--extra-engine-args names a file that ConfigMap ${file.mount.source.configMap ?? ''}, mounted at ${file.mount.mountPath}, does not hold`,
    found: quote(file.file),
    allowed: file.keys.map((k) => resolvePath(file.mount.mountPath, k)).join(', '),
    change: 'name the file the ConfigMap holds',
  };
}

function* model(object: JsonObject, around: LintIndex): Iterable<Draft> {
  const uri = findString(object, 'spec', 'source', 'uri');
  if (findString(object, 'spec', 'modelType') === 'lora' && uri !== undefined && !/^(?:s3|hf):\/\//.test(uri))
    yield {
      path: ['spec', 'source', 'uri'],
      problem: 'adapter source must start with s3:// or hf://',
      found: quote(uri),
      change: 'put the adapter into a bucket or name its Hugging Face repository',
    };
  const base = findString(object, 'spec', 'baseModelName');
  const namespace = namespaceOf(object, around.namespace);
  const served = around.graphs
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
      change: 'use the name of the component that loads the adapter',
    };
  else if (!named.some((r) => r.namespace === namespace))
    yield {
      path: ['metadata'],
      problem: 'a DynamoModel finds only components of its own namespace',
      found: `${namespace}, the component is in ${named[0]?.namespace ?? ''}`,
      change: `set metadata.namespace to ${named[0]?.namespace ?? ''}`,
    };
}

const fallbackNames = [/^(?:vllm|trtllm)prefillworker$|^prefill$/i, /^(?:vllm|trtllm)decodeworker$|^decode$/i] as const;

/** The programs that scale one prefill and one decode service; another planner, or one that its image starts, has needs of its own. */
const plannerModules = /^(?:dynamo\.planner(?:\.planner_sla)?|planner_sla)$/;

/** A planner's settings: its flags, or the JSON that later releases take; undefined when they are in a file or make another kind of planner. */
function plannerSettings(c: ComponentView): ((name: string) => string | undefined) | undefined {
  if (!plannerModules.test(c.command.module ?? '')) return undefined;
  const word = findFlag(c, '--config')?.values[0];
  if (word === undefined) return (name) => flagText(c, `--${name}`);
  const config = word.unresolved ? undefined : parseJsonObject(word.text);
  if (config === undefined) return undefined;
  return (name) => {
    const value = config[name.replaceAll('-', '_')];
    return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
  };
}

function* planner(c: ComponentView, graph: GraphView): Iterable<Draft> {
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
      problem: 'planner reads profiles from a folder that nothing is mounted at',
      found: quote(dir),
      change: 'mount the ConfigMap planner-profile-data there',
    };
  // A component of its own says nothing of the workers beside it.
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
    const raw = name?.values[0];
    if (raw === undefined)
      yield {
        path: one.path,
        problem: 'planner cannot read the model name of this worker, it looks for --served-model-name, --model-name or --model',
        found: findFlag(one, '--model-path') ? '--model-path only' : 'none of them',
        change: 'add --served-model-name',
      };
    else if (variableName(one, name?.name ?? ''))
      yield {
        path: raw.path,
        problem: 'planner reads the model name from the args and does not expand variables',
        found: quote(variableName(one, name?.name ?? '') ?? ''),
        change: 'write the name itself',
      };
    const flag = `--${role}-engine-num-gpu`;
    const gpus = (one.gpus ?? 0) * one.nodes;
    const said = setting(flag.slice(2));
    if (gpus > 0 && said !== undefined && Number(said) !== gpus)
      yield {
        path: findFlag(c, flag, '--config')?.path ?? args,
        problem: `${flag} must be the GPUs of one ${role} worker`,
        found: `${said}, ${one.key} has ${gpus}`,
        change: `set it to ${gpus}`,
      };
    else if (gpus > 0 && said === undefined && gpus !== 1)
      yield {
        path: args,
        problem: `planner takes a ${role} worker for one GPU unless ${flag} says otherwise`,
        found: `${gpus} GPUs on ${one.key}`,
        change: `add ${flag}=${gpus}`,
      };
    else if (gpus === 1 && said === undefined)
      yield {
        path: args,
        problem: `planner relies on the default of ${flag}`,
        found: 'no flag, the default is 1',
        change: `state ${flag}=1, so that a later change of GPUs is noticed`,
        severity: 'warning',
      };
  }
}

/** The variable a flag's value is written as, before anything is expanded. */
function variableName(c: ComponentView, flag: string): string | undefined {
  const lists = [...listAt(c.container, 'command'), ...listAt(c.container, 'args')].map(showValue);
  const at = lists.indexOf(flag);
  const next = at >= 0 ? lists[at + 1] : new RegExp(`${flag}[ =]+["']?(\\$[({]?\\w+[)}]?)`).exec(lists.join(' '))?.[1];
  if (next?.startsWith('$') !== true) return undefined;
  // A variable that nothing defines is a placeholder which envsubst or the like fills in before the manifest is applied.
  return findEnv(c, next.replace(/^\$[({]?/, '').replace(/[)}]$/, '')) === undefined ? undefined : next;
}

function same(a: EnvEntry, b: EnvEntry): boolean {
  return a.value !== undefined && a.value === b.value;
}

function* environment(c: ComponentView): Iterable<Draft> {
  const byName = new Map<string, EnvEntry>();
  for (const entry of c.env) {
    const before = byName.get(entry.name);
    if (
      before &&
      before.level !== entry.level &&
      !same(before, entry) &&
      (before.value !== undefined || entry.value !== undefined)
    ) {
      const where = { container: 'the container', graph: 'the graph', service: 'the service' };
      yield {
        path: before.path,
        problem: `${entry.name} is set at two levels, and ${where[entry.level]} wins over ${where[before.level]}`,
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
          problem: `$(${name}) is not resolved: variables are sorted by name, and ${name} comes after ${entry.name}`,
          found: quote(entry.value ?? ''),
          change: 'write the value, or rename the variable so that it sorts after the one it uses',
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

/** Rules about what refers to what: files, models, planners, variables. */
export const wiringRules: readonly Rule[] = [
  {
    id: 'DYN-REF-004',
    severity: 'error',
    on: 'component',
    check: configFile,
    title: 'engine file, its mount and its ConfigMap do not agree',
    why: 'The engine does not find its file, or a mount over a folder of the image hides the programs and examples in it.',
    allowed: '--extra-engine-args names a key of the mounted ConfigMap below its mount path; mounts have a folder of their own.',
    fix: 'Mount the ConfigMap at /config or the like and name /config/<key>.',
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
    check: model,
    contextual: true,
    title: 'DynamoModel that finds no component',
    why: 'The operator looks for pods whose component has modelRef.name equal to baseModelName, in the same namespace. Without a match the adapter is never loaded.',
    allowed: 'baseModelName equal to a modelRef.name, same namespace, s3:// or hf:// for adapters.',
    fix: 'Copy modelRef.name of the worker.',
    example: () => ({ bad: [lora('Qwen/Qwen3-8B'), loraGraph()], good: [lora('Qwen/Qwen3-0.6B'), loraGraph()] }),
  },
  {
    id: 'DYN-REF-006',
    severity: 'error',
    on: 'component',
    check: planner,
    title: 'planner that misses its profile, a role, a model name or the GPU count',
    why: 'The planner stops at start without both roles, a readable model name and profiles. With a wrong GPU count per engine it scales to a multiple of what the budget allows.',
    allowed:
      'A mounted profile folder, exactly one prefill and one decode service, a literal model name on both, and --prefill-engine-num-gpu / --decode-engine-num-gpu as the workers have. A warning where the counts rely on the default of 1.',
    fix: 'Set subComponentType on the workers and state the GPU counts.',
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
    check: environment,
    covers: ['DYN-QUIRK-018'],
    title: 'variable set at two levels, or one that refers to a later one',
    why: 'Variables of the graph beat those of the container, those of the service beat both, and the list is sorted by name before the pod is made: `$(B)` in `A` stays as text.',
    allowed:
      'One level for a variable, or the same value; references only to names that sort earlier. A service that overrides its graph is a warning.',
    fix: 'Remove the weaker one, or write the value out.',
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
