import { findString, isObject, type JsonObject, listAt } from '../../json/index.ts';
import { findEnv, isHubModel, modelWord, type ComponentView, type Mount } from '../component-view.ts';
import { isBelow, resolvePath } from '../engine-config.ts';
import { quote, type Draft } from '../finding.ts';
import type { GraphView } from '../graph-view.ts';
import { nameOf } from '../../api/index.ts';
import { showValue } from '../../manifest/index.ts';
import type { Rule } from '../rule.ts';
import { frontend, graph, object, vllmModel, worker } from '../sample.ts';
import type { LintIndex } from '../lint-index.ts';

/** Owners whose models ask for an accepted licence, so that a download without a token fails. */
const gated = /^(?:meta-llama|google\/gemma)/i;
const tokens = ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN', 'HUGGINGFACE_HUB_TOKEN'];
const caches = /model|weight|cache|hugging|\bhf\b/i;

function claimMounts(c: ComponentView): readonly Mount[] {
  return c.mounts.filter((m) => m.source.claim !== undefined && !m.compilationCache);
}

function* token(c: ComponentView): Iterable<Draft> {
  const word = modelWord(c);
  if (c.engine === undefined || word === undefined || word.unresolved || !isHubModel(word.text)) return;
  const envFrom = listAt(c.container, 'envFrom').length > 0 || findString(c.spec, 'envFromSecret') !== undefined;
  if (envFrom || tokens.some((name) => findEnv(c, name)) || findEnv(c, 'HF_HUB_OFFLINE')?.value === '1') return;
  const cached =
    claimMounts(c).length > 0 || c.mounts.some((m) => isObject(m.source.volume) && isObject(m.source.volume['hostPath']));
  yield {
    path: c.path,
    problem: `Hugging Face model ${quote(word.text)} is used without a token`,
    found: 'neither envFromSecret nor HF_TOKEN',
    change: 'set envFromSecret to a Secret with HF_TOKEN, such as hf-token-secret',
    severity: gated.test(word.text) && !cached ? 'error' : 'warning',
  };
}

function* claims(graph: GraphView): Iterable<Draft> {
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
          problem: 'a component’s volumeMounts has mountPoint, mountPath is dropped',
          found: quote(showValue(mount['mountPath'])),
          change: 'rename it to mountPoint',
          ...(mount['mountPoint'] === undefined ? { fix: rename } : {}),
        };
      }
      const name = findString(mount, 'name') ?? '';
      if (graph.isGraph && name !== '' && !declared.includes(name)) {
        const path0 = entries.length === 0 ? ['spec', 'pvcs'] : ['spec', 'pvcs', entries.length];
        const value = entries.length === 0 ? [{ name, create: false }] : { name, create: false };
        yield {
          path,
          problem: `claim ${quote(name)} is mounted but not declared in spec.pvcs, so nobody checks that it exists`,
          change: `add {name: ${name}, create: false} to spec.pvcs`,
          severity: 'warning',
          fix: { description: `declare ${name} in spec.pvcs`, edits: [{ op: 'set', path: path0, value }] },
        };
      }
    }
    for (const mount of c.mounts.filter((m) => m.byHand && m.source.claim !== undefined))
      if (declared.includes(mount.source.claim)) {
        const again = c.mounts.some((m) => !m.byHand && m.source.claim === mount.source.claim);
        yield {
          path: mount.path,
          problem: `claim ${quote(mount.source.claim ?? '')} is declared in spec.pvcs and mounted ${again ? 'again ' : ''}by hand in extraPodSpec`,
          change: again
            ? 'keep one of the two mounts'
            : 'mount it with volumeMounts {name, mountPoint} of the component, which says it in one place',
          severity: 'warning',
        };
      }
  }
}

function* cacheHome(c: ComponentView): Iterable<Draft> {
  const home = findEnv(c, 'HF_HOME');
  const mounts = claimMounts(c).filter((m) => caches.test(m.source.claim ?? '') && m.mountPath !== '');
  if (c.engine === undefined || home?.value === undefined || home.value === '' || mounts.length === 0) return;
  const at = resolvePath('/', home.value);
  const holds = c.mounts.some((m) => m.mountPath !== '' && isBelow(at, m.mountPath));
  const usesFolder = mounts.some((m) => isBelow(modelWord(c)?.text ?? '', m.mountPath));
  if (!holds && !usesFolder)
    yield {
      path: home.path,
      problem: 'HF_HOME is outside the model cache, so weights are downloaded again on every start',
      found: `${quote(home.value)}, the cache is at ${mounts.map((m) => m.mountPath).join(', ')}`,
      change: `set HF_HOME to ${mounts[0]?.mountPath ?? ''}`,
    };
}

/** A download Job that fills a claim with a plain folder. */
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

function* layout(c: ComponentView, graph: GraphView, around: LintIndex): Iterable<Draft> {
  yield* cacheHome(c);
  const word = modelWord(c);
  if (word === undefined || word.unresolved || !isHubModel(word.text)) return;
  for (const job of around.ofKind('Job', graph.namespace)) {
    const download = localDownload(job);
    const shared = claimMounts(c).some((m) => download?.claims.includes(m.source.claim ?? '') === true);
    if (shared && (download?.model === undefined || download.model === word.text))
      yield {
        path: word.path,
        problem: `Job ${nameOf(job)} stores the weights as a plain folder, which a model id does not find`,
        found: quote(word.text),
        change: 'use the folder as the model, or download without --local-dir and set HF_HOME',
      };
  }
}

function* readWriteOnce(graph: GraphView, around: LintIndex): Iterable<Draft> {
  const modes = new Map<string, readonly string[]>();
  for (const claim of around.ofKind('PersistentVolumeClaim', graph.namespace))
    modes.set(nameOf(claim), listAt(claim, 'spec', 'accessModes').map(showValue));
  for (const claim of listAt(graph.resource, 'spec', 'pvcs')) {
    const mode = findString(claim, 'volumeAccessMode');
    if (mode !== undefined) modes.set(findString(claim, 'name') ?? '', [mode]);
  }
  for (const [name, list] of modes) {
    if (!list.every((m) => m === 'ReadWriteOnce' || m === 'ReadWriteOncePod') || list.length === 0) continue;
    const near = around.graphs.filter((g) => g.namespace === graph.namespace && g.resource !== graph.resource);
    const pods = (g: GraphView): number =>
      g.components.filter((c) => c.mounts.some((m) => m.source.claim === name)).reduce((sum, c) => sum + c.replicas * c.nodes, 0);
    const mine = graph.components.find((c) => c.mounts.some((m) => m.source.claim === name));
    const total = pods(graph) + near.reduce((sum, g) => sum + pods(g), 0);
    if (mine && total > 1)
      yield {
        path: mine.path,
        problem: `claim ${quote(name)} is ReadWriteOnce but mounted by several pods, which works only on one node`,
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

/** Rules about weights, caches and the claims that hold them. */
export const weightRules: readonly Rule[] = [
  {
    id: 'DYN-REF-001',
    severity: 'warning',
    on: 'component',
    check: token,
    title: 'Hugging Face model without a token',
    why: 'Gated models cannot be downloaded without a token, and anonymous downloads of public ones are throttled. The pod restarts for ever at start-up.',
    allowed:
      'envFromSecret, an HF_TOKEN variable, or HF_HUB_OFFLINE=1 with the weights in place. An error for models known to be gated when no cache is mounted.',
    fix: 'Set envFromSecret to a Secret that holds HF_TOKEN.',
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
    check: claims,
    title: 'claim mounted but not declared, declared twice, or mounted by the wrong field',
    why: 'A declared claim is checked before the graph is made; an undeclared one that is missing leaves pods pending without a word in the status. mountPath is dropped from a component’s volumeMounts.',
    allowed: 'Every claim once in spec.pvcs and mounted with volumeMounts {name, mountPoint} of the component.',
    fix: 'Declare the claim in spec.pvcs and rename mountPath to mountPoint; `--fix` does both.',
    example: () => ({
      bad: [graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel, cached('/opt/models', mount)) })],
      good: [graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel, cached('/opt/models', mount)) }, pvcs)],
    }),
  },
  {
    id: 'DYN-REF-003',
    severity: 'error',
    on: 'component',
    check: layout,
    title: 'model cache that the engine does not look into',
    why: 'With HF_HOME elsewhere, or weights stored as a plain folder while the model is named by id, the cache is never read and hundreds of gigabytes are downloaded on every start.',
    allowed:
      'HF_HOME at or below the mount of the cache, on every component that mounts it; a model id for the HF_HOME layout, a folder for --local-dir.',
    fix: 'Set HF_HOME to the mount point.',
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
    why: 'Such a claim attaches to one node. Pods on other nodes wait for it for ever.',
    allowed: 'ReadWriteMany (or ReadOnlyMany) for claims that several pods mount.',
    fix: 'Use a storage class that offers ReadWriteMany.',
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
            problem: `claim ${quote(findString(claim, 'name') ?? '')} belongs to the graph and is deleted with it, weights included`,
            change: 'make the claim a manifest of its own and set create to false',
          };
    },
    title: 'claim that dies with the graph',
    why: 'The operator owns a claim it creates: deleting or renaming the graph deletes the downloaded weights.',
    allowed: 'create: false with a claim of its own manifest.',
    fix: 'Write a PersistentVolumeClaim manifest and set create: false.',
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
