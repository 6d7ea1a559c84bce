// What a graph means, whatever way it is written: the form in which examples are compared with NVIDIA's own manifests.
import { parse } from 'yaml';

type Data = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- manifests of any shape

const aliases: Readonly<Record<string, string>> = {
  '-tp': '--tensor-parallel-size',
  '--tp': '--tensor-parallel-size',
  '--tp-size': '--tensor-parallel-size',
  '--dp': '--data-parallel-size',
};
const defaults: Readonly<Record<string, string>> = {
  '--tensor-parallel-size': '1',
  '--data-parallel-size': '1',
  '--http-port': '8000',
  '--router-mode': 'round-robin',
};

/** Splits a shell line into words as `sh` does, for the quoting the manifests use. */
export function shellWords(line: string, env: Readonly<Record<string, string>>): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const c = line[at] ?? '';
    if (/\s/.test(c)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (c === "'") {
      const end = line.indexOf("'", at + 1);
      word = (word ?? '') + line.slice(at + 1, end);
      at = end;
    } else if (c === '"') {
      word ??= '';
      for (at++; line[at] !== '"'; at++) {
        if (line[at] === '\\' && '$`"\\'.includes(line[at + 1] ?? '')) at++;
        word += line[at] ?? '';
      }
    } else word = (word ?? '') + c;
  }
  if (word !== undefined) words.push(word);
  return words.map((w) => w.replace(/\$\{?([A-Z_]+)\}?/g, (all, name: string) => env[name] ?? all));
}

function flags(words: readonly string[]): Data {
  const found: Data = {};
  let current = '(words)';
  for (const word of words) {
    if (/^--?[a-zA-Z]/.test(word)) {
      const [name = '', value] = word.split(/=(.*)/s);
      current = aliases[name] ?? (name.startsWith('--') ? name.replaceAll('_', '-') : name);
      (found[current] ??= []).push(...(value === undefined ? [] : [value]));
    } else (found[current] ??= []).push(word.startsWith('{') ? JSON.parse(word) : word);
  }
  for (const [name, values] of Object.entries(found)) if (values.length === 0) found[name] = [true];
  for (const [name, value] of Object.entries(defaults)) if (found[name]?.[0] === value) delete found[name];
  return found;
}

/** What a container runs: shell lines first, then a program and its flags. */
function program(container: Data, env: Readonly<Record<string, string>>): Data | undefined {
  const command: string[] = container['command'] ?? [];
  const args: string[] = container['args'] ?? [];
  if (command.length + args.length === 0) return undefined;
  let words = [...command, ...args];
  let prologue: string[] = [];
  if (command[1] === '-c') {
    const lines = (args[0] ?? '')
      .replaceAll('\\\n', ' ')
      .trim()
      .split('\n')
      .map((l) => l.trim());
    prologue = lines.slice(0, -1);
    words = shellWords((lines.at(-1) ?? '').replace(/^exec /, ''), env);
  }
  const module = words.indexOf('-m');
  const name = module === -1 ? words[1] : words[module + 1];
  const rest = words.slice(module === -1 ? 2 : module + 2);
  const found = flags(rest);
  // A frontend without flags of its own is what the operator starts anyway.
  if (name === 'dynamo.frontend' && Object.keys(found).length === 0) return undefined;
  return { name, flags: found, ...(prologue.length === 0 ? {} : { prologue }) };
}

function envOf(list: readonly Data[] | undefined): Record<string, string> {
  return Object.fromEntries(
    (list ?? []).map((e) => [
      e['name'],
      e['value'] ??
        JSON.stringify(e['valueFrom'], Object.keys(e['valueFrom']).length > 0 ? ['secretKeyRef', 'key', 'name'] : null),
    ]),
  );
}

function probe(value: Data | undefined): Data | undefined {
  if (value === undefined) return undefined;
  const { httpGet, ...rest } = value;
  const { scheme: _, ...get } = httpGet ?? {};
  return { ...rest, ...(httpGet === undefined ? {} : { httpGet: get }) };
}

function engineConfig(path: string | undefined, container: Data, pod: Data, objects: readonly Data[]): unknown {
  if (path === undefined) return undefined;
  for (const mount of container['volumeMounts'] ?? []) {
    const folder = String(mount.mountPath).replace(/\/$/, '');
    const claim = pod['volumes']?.find((v: Data) => v['name'] === mount.name)?.configMap?.name;
    const text =
      path.startsWith(`${folder}/`) &&
      objects.find((o) => o['kind'] === 'ConfigMap' && o['metadata'].name === claim)?.['data'][path.slice(folder.length + 1)];
    if (typeof text === 'string') return parse(text);
  }
  return path;
}

/** The meaning of one component. */
export function normalComponent(spec: Data, graph: Data, objects: readonly Data[]): Data {
  const pod: Data = spec['extraPodSpec'] ?? {};
  const container: Data = pod['mainContainer'] ?? {};
  const env = { ...envOf(container['env']), ...envOf(graph['envs']), ...envOf(spec['envs']) };
  const started = program(container, env);
  const used = JSON.stringify([container['command'], container['args']]).matchAll(/\$\{?([A-Z_]+)\}?/g);
  const shellOnly = new Set([...used].map((m) => m[1] ?? ''));
  if (container['command']?.[1] === '-c') for (const name of ['SERVED_MODEL_NAME', ...shellOnly]) delete env[name];
  const frontend = spec['componentType'] === 'frontend';
  const mode = env['DYN_ROUTER_MODE'];
  delete env['DYN_ROUTER_MODE'];
  const found: Data = started?.['flags'] ?? {};
  if (mode !== undefined) found['--router-mode'] = [...new Set([...(found['--router-mode'] ?? []), mode])];
  const config = engineConfig(found['--extra-engine-args']?.[0], container, pod, objects);
  const configVolumes = new Set(
    (pod['volumes'] ?? []).filter((v: Data) => typeof config === 'object' && v['configMap']).map((v: Data) => v['name']),
  );
  delete found['--extra-engine-args'];
  if (found['--served-model-name']?.[0] === found['--model']?.[0]) delete found['--served-model-name'];
  const claims = (pod['volumes'] ?? []).filter((v: Data) => v['persistentVolumeClaim']);
  const { gpu: _, ...requests } = spec['resources']?.requests ?? {};
  const { volumes, mainContainer: _c, ...podRest } = pod;
  const caches = [
    ...(spec['volumeMounts'] ?? []).map(
      (m: Data) => `${m['name']} at ${m['mountPoint']}${m['useAsCompilationCache'] === true ? ' for kernels' : ''}`,
    ),
    ...claims.map(
      (v: Data) =>
        `${v['persistentVolumeClaim'].claimName} at ${container['volumeMounts'].find((m: Data) => m['name'] === v['name']).mountPath}`,
    ),
  ];
  const plainVolumes = (volumes ?? []).filter((v: Data) => !configVolumes.has(v['name']) && !claims.includes(v));
  const mounted = (container['volumeMounts'] ?? []).filter((m: Data) => plainVolumes.some((v: Data) => v['name'] === m['name']));
  const annotations = Object.fromEntries(
    Object.entries(spec['extraPodMetadata']?.annotations ?? {}).filter(([k]) => !k.startsWith('dynamo-cdk8s/')),
  );
  return {
    type: spec['componentType'],
    subType: spec['subComponentType'],
    replicas: spec['replicas'],
    nodes: spec['multinode']?.nodeCount ?? 1,
    limits: spec['resources']?.limits,
    requests,
    resourceClaims: spec['resources']?.claims,
    sharedMemory: spec['sharedMemory'],
    env,
    secret: spec['envFromSecret'],
    caches: caches.toSorted((a, b) => (a < b ? -1 : 1)),
    modelRef: spec['modelRef'],
    globalDynamoNamespace: spec['globalDynamoNamespace'],
    dynamoNamespace: spec['dynamoNamespace'],
    eppConfig: spec['eppConfig'],
    liveness: probe(spec['livenessProbe'] ?? container['livenessProbe']),
    readiness: probe(spec['readinessProbe'] ?? container['readinessProbe']),
    startup: probe(container['startupProbe']),
    podAnnotations: annotations,
    pod: podRest,
    volumes: plainVolumes,
    mounts: mounted,
    ports: container['ports'],
    image: container['image'],
    workingDir: container['workingDir'],
    program: started?.['name'] ?? (frontend ? 'dynamo.frontend' : undefined),
    prologue: started?.['prologue'],
    flags: found,
    config,
  };
}

/** The meaning of a graph: its components' and its own. */
export function normalGraph(object: Data, objects: readonly Data[]): Data {
  const spec: Data = object['spec'] ?? {};
  return {
    annotations: object['metadata'].annotations,
    backend: spec['backendFramework'],
    claims: (spec['pvcs'] ?? []).map((p: Data) => p['name']).sort(),
    ...Object.fromEntries(
      Object.entries(spec['services'] ?? {}).map(([name, s]) => [name, normalComponent(s as Data, spec, objects)]),
    ),
  };
}

/** Places where two values differ, as `Frontend.flags.--router-mode`; empty things equal absent ones. */
export function differences(a: unknown, b: unknown, path = ''): string[] {
  if (empty(a) && empty(b)) return [];
  if (isData(a) && (isData(b) || b === undefined))
    return [...new Set([...Object.keys(a), ...Object.keys(b ?? {})])].flatMap((k) =>
      differences(a[k], b?.[k], path === '' ? k : `${path}.${k}`),
    );
  if (isData(b) && a === undefined) return differences(b, a, path);
  return canonical(a) === canonical(b) ? [] : [path];
}

function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, v: unknown) =>
      isData(v) ? Object.fromEntries(Object.entries(v).sort(([x], [y]) => (x < y ? -1 : 1))) : v,
    ) ?? ''
  );
}

function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function empty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isData(value) && Object.values(value).every(empty);
}
