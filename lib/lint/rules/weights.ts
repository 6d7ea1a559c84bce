import { findString, isObject, type JsonObject, listAt } from '../../json/index.ts';
import { findEnv, isHubModel, modelArgument, type ComponentView, type Mount } from '../component-view.ts';
import { isBelow, resolvePath } from '../engine-config.ts';
import { quote, type Draft } from '../finding.ts';
import type { GraphView } from '../graph-view.ts';
import { nameOf } from '../../api/index.ts';
import { showValue } from '../../manifest/index.ts';
import type { Rule } from '../rule.ts';
import { frontend, graph, object, vllmModel, worker } from '../sample.ts';
import type { LintIndex } from '../lint-index.ts';

/** Gated models on Hugging Face, which cannot be downloaded without a token. https://huggingface.co/docs/hub/models-gated */
const gated = /^(?:meta-llama|google\/gemma)/i;
const tokenVariables = ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN', 'HUGGINGFACE_HUB_TOKEN'];
const cacheNames = /model|weight|cache|hugging|\bhf\b/i;

function claimMounts(c: ComponentView): readonly Mount[] {
  return c.mounts.filter((m) => m.source.claim !== undefined && !m.compilationCache);
}

function* missingToken(c: ComponentView): Iterable<Draft> {
  const argument = modelArgument(c);
  if (c.engine === undefined || argument === undefined || argument.unresolved || !isHubModel(argument.value)) return;
  const envFrom = listAt(c.container, 'envFrom').length > 0 || findString(c.spec, 'envFromSecret') !== undefined;
  if (envFrom || tokenVariables.some((name) => findEnv(c, name)) || findEnv(c, 'HF_HUB_OFFLINE')?.value === '1') return;
  const cached =
    claimMounts(c).length > 0 || c.mounts.some((m) => isObject(m.source.volume) && isObject(m.source.volume['hostPath']));
  yield {
    path: c.path,
    problem: `Hugging Face model ${quote(argument.value)} is used without a token`,
    found: 'neither envFromSecret nor HF_TOKEN',
    change: 'set envFromSecret to a Secret with HF_TOKEN, such as hf-token-secret',
    severity: gated.test(argument.value) && !cached ? 'error' : 'warning',
  };
}

function* checkClaims(graph: GraphView): Iterable<Draft> {
  const entries = listAt(graph.resource, 'spec', 'pvcs');
  const declared = entries.map((p) => findString(p, 'name'));
  for (const [index, name] of declared.entries())
    if (name !== undefined && declared.indexOf(name) < index)
      yield { path: ['spec', 'pvcs', index], problem: `claim ${quote(name)} is declared twice`, change: 'keep one' };
  for (const c of graph.components) {
    for (const [index, mount] of listAt(c.spec, 'volumeMounts').entries()) {
      const path = [...c.path, 'volumeMounts', index];
      if (isObject(mount) && mount['mountPath'] !== undefined) {
        const rename = {
          description: 'rename mountPath to mountPoint',
          edits: [{ op: 'rename' as const, path: [...path, 'mountPath'], to: 'mountPoint' }],
        };
        yield {
          path: [...path, 'mountPath'],
          problem: 'volumeMounts of a component need mountPoint, and mountPath is ignored',
          found: quote(showValue(mount['mountPath'])),
          change: 'rename it to mountPoint',
          ...(mount['mountPoint'] === undefined ? { fix: rename } : {}),
        };
      }
      const name = findString(mount, 'name') ?? '';
      if (graph.isGraph && name !== '' && !declared.includes(name)) {
        const claimPath = entries.length === 0 ? ['spec', 'pvcs'] : ['spec', 'pvcs', entries.length];
        const value = entries.length === 0 ? [{ name, create: false }] : { name, create: false };
        yield {
          path,
          problem: `claim ${quote(name)} is mounted but not declared in spec.pvcs, so the operator does not check that it exists`,
          change: `add {name: ${name}, create: false} to spec.pvcs`,
          severity: 'warning',
          fix: { description: `declare ${name} in spec.pvcs`, edits: [{ op: 'set', path: claimPath, value }] },
        };
      }
    }
    for (const mount of c.mounts.filter((m) => m.inPodSpec && m.source.claim !== undefined))
      if (declared.includes(mount.source.claim)) {
        const again = c.mounts.some((m) => !m.inPodSpec && m.source.claim === mount.source.claim);
        yield {
          path: mount.path,
          problem: `claim ${quote(mount.source.claim ?? '')} is declared in spec.pvcs and ${again ? 'also ' : ''}mounted in extraPodSpec`,
          change: again ? 'keep one of the two mounts' : 'mount it with volumeMounts {name, mountPoint} of the component',
          severity: 'warning',
        };
      }
  }
}

function* cacheHome(c: ComponentView): Iterable<Draft> {
  const home = findEnv(c, 'HF_HOME');
  const mounts = claimMounts(c).filter((m) => cacheNames.test(m.source.claim ?? '') && m.mountPath !== '');
  if (c.engine === undefined || home?.value === undefined || home.value === '' || mounts.length === 0) return;
  const at = resolvePath('/', home.value);
  const isMounted = c.mounts.some((m) => m.mountPath !== '' && isBelow(at, m.mountPath));
  const usesFolder = mounts.some((m) => isBelow(modelArgument(c)?.value ?? '', m.mountPath));
  if (!isMounted && !usesFolder)
    yield {
      path: home.path,
      problem: 'HF_HOME is outside the model cache, so the weights are downloaded again on every start',
      found: `${quote(home.value)}, the cache is at ${mounts.map((m) => m.mountPath).join(', ')}`,
      change: `set HF_HOME to ${mounts[0]?.mountPath ?? ''}`,
    };
}

/** The claims and the model of a Job that downloads a model to a plain folder; undefined for other Jobs. */
function localDownload(job: JsonObject): { readonly claims: readonly string[]; readonly model?: string } | undefined {
  const pod = ['spec', 'template', 'spec'];
  const container = listAt(job, ...pod, 'containers')[0];
  const script = [...listAt(container, 'command'), ...listAt(container, 'args')].map(showValue).join(' ');
  if (!/(?:hf|huggingface-cli) download/.test(script) || !script.includes('--local-dir')) return undefined;
  const claimNames = listAt(job, ...pod, 'volumes').flatMap((v) => findString(v, 'persistentVolumeClaim', 'claimName') ?? []);
  const model = findString(
    listAt(container, 'env').find((e) => findString(e, 'name') === 'MODEL_NAME'),
    'value',
  );
  return { claims: claimNames, ...(model === undefined ? {} : { model }) };
}

function* checkCache(c: ComponentView, graph: GraphView, lintIndex: LintIndex): Iterable<Draft> {
  yield* cacheHome(c);
  const argument = modelArgument(c);
  if (argument === undefined || argument.unresolved || !isHubModel(argument.value)) return;
  for (const job of lintIndex.ofKind('Job', graph.namespace)) {
    const download = localDownload(job);
    const shared = claimMounts(c).some((m) => download?.claims.includes(m.source.claim ?? '') === true);
    if (shared && (download?.model === undefined || download.model === argument.value))
      yield {
        path: argument.path,
        problem: `Job ${nameOf(job)} stores the weights in a plain folder, where the engine does not find a model by its id`,
        found: quote(argument.value),
        change: 'set the model to the folder, or download without --local-dir and set HF_HOME',
      };
  }
}

function* readWriteOnce(graph: GraphView, lintIndex: LintIndex): Iterable<Draft> {
  const modes = new Map<string, readonly string[]>();
  for (const claim of lintIndex.ofKind('PersistentVolumeClaim', graph.namespace))
    modes.set(nameOf(claim), listAt(claim, 'spec', 'accessModes').map(showValue));
  for (const claim of listAt(graph.resource, 'spec', 'pvcs')) {
    const mode = findString(claim, 'volumeAccessMode');
    if (mode !== undefined) modes.set(findString(claim, 'name') ?? '', [mode]);
  }
  for (const [name, list] of modes) {
    if (!list.every((m) => m === 'ReadWriteOnce' || m === 'ReadWriteOncePod') || list.length === 0) continue;
    const others = lintIndex.graphs.filter((g) => g.namespace === graph.namespace && g.resource !== graph.resource);
    const pods = (g: GraphView): number =>
      g.components.filter((c) => c.mounts.some((m) => m.source.claim === name)).reduce((sum, c) => sum + c.replicas * c.nodes, 0);
    const user = graph.components.find((c) => c.mounts.some((m) => m.source.claim === name));
    const total = pods(graph) + others.reduce((sum, g) => sum + pods(g), 0);
    if (user && total > 1)
      yield {
        path: user.path,
        problem: `claim ${quote(name)} is ReadWriteOnce but several pods mount it, which works only on a single node`,
        found: `${total} pods`,
        change: 'use a ReadWriteMany claim',
      };
  }
}

const cached = (home: string, mounts: readonly JsonObject[]) => ({
  envs: [{ name: 'HF_HOME', value: home }],
  volumeMounts: mounts,
});
const mount = [{ name: 'model-cache', mountPoint: '/opt/models' }];
const pvcs = { pvcs: [{ name: 'model-cache', create: false }] };

/** Rules about weights, caches and their claims. */
export const weightRules: readonly Rule[] = [
  {
    id: 'DYN-REF-001',
    severity: 'warning',
    on: 'component',
    check: missingToken,
    title: 'Hugging Face model without a token',
    why: 'Gated models cannot be downloaded without a token (https://huggingface.co/docs/hub/models-gated), so the pod restarts forever. Anonymous downloads of public models are throttled.',
    allowed:
      'envFromSecret, an HF_TOKEN variable, or HF_HUB_OFFLINE=1 with the weights in a cache. An error for known gated models if no cache is mounted.',
    fix: 'Set envFromSecret to a Secret with the key HF_TOKEN.',
    example: () => ({
      bad: [
        graph({
          Frontend: frontend(),
          Worker: { ...worker('vllm', ['--model', 'meta-llama/Llama-3.1-8B-Instruct']), envFromSecret: undefined },
        }),
      ],
      good: [graph({ Frontend: frontend(), Worker: worker('vllm', ['--model', 'meta-llama/Llama-3.1-8B-Instruct']) })],
    }),
  },
  {
    id: 'DYN-REF-002',
    severity: 'error',
    on: 'graph',
    check: checkClaims,
    title: 'claim that is not declared, declared twice, or mounted with the wrong field',
    why: 'The operator checks declared claims before it creates the graph. If an undeclared claim does not exist, the pods stay pending and the status does not state the reason. mountPath in volumeMounts of a component is ignored.',
    allowed: 'Each claim once in spec.pvcs, mounted with volumeMounts {name, mountPoint} of the component.',
    fix: 'Declare the claim in spec.pvcs, and rename mountPath to mountPoint. `--fix` does both.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel, cached('/opt/models', mount)) })],
      good: [graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel, cached('/opt/models', mount)) }, pvcs)],
    }),
  },
  {
    id: 'DYN-REF-003',
    severity: 'error',
    on: 'component',
    check: checkCache,
    title: 'model cache that the engine does not read',
    why: 'If HF_HOME is outside the cache, or the weights are in a plain folder while the model is an id, the engine does not read the cache and downloads hundreds of gigabytes on every start.',
    allowed:
      'HF_HOME at or below the mount point of the cache on every component that mounts it; a model id with the HF_HOME layout, a folder with --local-dir.',
    fix: 'Set HF_HOME to the mount point of the cache.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel, cached('/root/.cache', mount)) }, pvcs)],
      good: [graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel, cached('/opt/models', mount)) }, pvcs)],
    }),
  },
  {
    id: 'DYN-REF-007',
    severity: 'warning',
    on: 'graph',
    check: readWriteOnce,
    contextual: true,
    title: 'ReadWriteOnce claim mounted by several pods',
    why: 'A ReadWriteOnce volume is attached to one node (https://kubernetes.io/docs/concepts/storage/persistent-volumes/#access-modes). Pods on other nodes wait for it forever.',
    allowed: 'ReadWriteMany or ReadOnlyMany for claims that several pods mount.',
    fix: 'Use a storage class that supports ReadWriteMany.',
    example: () => ({
      bad: [
        object('v1', 'PersistentVolumeClaim', 'model-cache', {
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '100Gi' } } },
        }),
        graph(
          { Frontend: frontend(), Worker: worker('vllm', vllmModel, { ...cached('/opt/models', mount), replicas: 2 }) },
          pvcs,
        ),
      ],
      good: [
        object('v1', 'PersistentVolumeClaim', 'model-cache', {
          spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '100Gi' } } },
        }),
        graph(
          { Frontend: frontend(), Worker: worker('vllm', vllmModel, { ...cached('/opt/models', mount), replicas: 2 }) },
          pvcs,
        ),
      ],
    }),
  },
  {
    id: 'DYN-REF-008',
    severity: 'warning',
    on: 'graph',
    check: function* (g) {
      for (const [index, claim] of listAt(g.resource, 'spec', 'pvcs').entries())
        if (isObject(claim) && claim['create'] === true)
          yield {
            path: ['spec', 'pvcs', index, 'create'],
            problem: `claim ${quote(findString(claim, 'name') ?? '')} is owned by the graph and deleted with it, including the weights`,
            change: 'write a separate PersistentVolumeClaim manifest and set create to false',
          };
    },
    title: 'claim that is deleted with the graph',
    why: 'The graph owns a claim that the operator creates. Deleting or renaming the graph deletes the downloaded weights.',
    allowed: 'create: false, with a separate manifest for the claim.',
    fix: 'Write a PersistentVolumeClaim manifest and set create to false.',
    example: () => ({
      bad: [
        graph(
          { Frontend: frontend(), Worker: worker('vllm', vllmModel, cached('/opt/models', mount)) },
          {
            pvcs: [{ name: 'model-cache', create: true, size: '100Gi', storageClass: 'nfs', volumeAccessMode: 'ReadWriteMany' }],
          },
        ),
      ],
      good: [graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel, cached('/opt/models', mount)) }, pvcs)],
    }),
  },
];
