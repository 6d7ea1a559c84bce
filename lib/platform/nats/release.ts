import { append, type JsonObject, listAt, objectAt, type Path, sortedEntries } from '../../json/index.ts';
import type { Issue } from '../../api/index.ts';
import { stringifyJson } from '../../manifest/index.ts';
import type { PlatformContext } from '../platform-context.ts';
import { atPath, goKind, orElse, templateString, truthy, type Value } from '../go-values.ts';
import { mergeLayers } from '../merge.ts';
import { chartName, fullName } from '../release-names.ts';
import { pullSecretFields } from '../image-pull-secrets.ts';
import { appVersion, chartVersion } from './defaults.ts';
import { versionLabel } from '../version-label.ts';
import { applyPatch } from './json-patch.ts';

/** One NATS release while it is rendered: its values, what the platform supplies, its names, and the problems found so far. */
export interface NatsRelease {
  readonly values: JsonObject;
  readonly context: PlatformContext;
  readonly names: NatsNames;
  readonly issues: Issue[];
  readonly warnings: Issue[];
}

/** Names of the objects, each of which a `name` value may replace. */
interface NatsNames {
  readonly full: string;
  readonly statefulSet: string;
  readonly service: string;
  readonly headlessService: string;
  readonly configMap: string;
  readonly podDisruptionBudget: string;
  readonly serviceAccount: string;
  readonly podMonitor: string;
  readonly ingress: string;
  readonly jetStreamClaim: string;
  readonly resolverClaim: string;
  readonly box: string;
  readonly boxContexts: string;
  readonly boxContents: string;
  readonly boxServiceAccount: string;
}

/** The names a release's objects have. */
export function natsNames(values: JsonObject, release: string): NatsNames {
  const full = fullName({
    release,
    chart: 'nats',
    nameOverride: values['nameOverride'],
    fullnameOverride: values['fullnameOverride'],
  });
  const name = (path: string, suffix = ''): string => templateString(orElse(atPath(values, `${path}.name`), `${full}${suffix}`));
  return {
    full,
    statefulSet: name('statefulSet'),
    service: name('service'),
    headlessService: name('headlessService', '-headless'),
    configMap: name('configMap', '-config'),
    podDisruptionBudget: name('podDisruptionBudget'),
    serviceAccount: name('serviceAccount'),
    podMonitor: name('promExporter.podMonitor'),
    ingress: name('config.websocket.ingress', '-ws'),
    jetStreamClaim: name('config.jetstream.fileStore.pvc', '-js'),
    resolverClaim: name('config.resolver.pvc', '-resolver'),
    box: name('natsBox.deployment', '-box'),
    boxContexts: name('natsBox.contextsSecret', '-box-contexts'),
    boxContents: name('natsBox.contentsSecret', '-box-contents'),
    boxServiceAccount: name('natsBox.serviceAccount', '-box'),
  };
}

/** Namespace the objects live in. */
export function natsNamespace({ values, context }: Pick<NatsRelease, 'values' | 'context'>): string {
  return templateString(orElse(values['namespaceOverride'], context.namespace));
}

/** Labels that select the pods of a component. */
export function selectorLabels({ values, context }: NatsRelease, component = 'nats'): Readonly<Record<string, string>> {
  return {
    'app.kubernetes.io/name': chartName({ chart: 'nats', nameOverride: values['nameOverride'] }),
    'app.kubernetes.io/instance': context.release,
    'app.kubernetes.io/component': component,
  };
}

/** Version that the labels of a component name: that of the image it runs. */
function versionOf({ values, context }: NatsRelease, component: string): string {
  const container = component === 'nats' ? ['container'] : ['natsBox', 'container'];
  return context.switches['version-labels'] ? versionLabel(context.tagOf(imageReference(values, container))) : appVersion;
}

/** Labels of every object of a component; the chart's own win over `global.labels`. */
export function labels(nats: NatsRelease, component = 'nats'): JsonObject {
  return {
    ...objectAt(atPath(nats.values, 'global.labels')),
    'helm.sh/chart': `nats-${chartVersion}`,
    ...selectorLabels(nats, component),
    'app.kubernetes.io/version': versionOf(nats, component),
    'app.kubernetes.io/managed-by': nats.context.managedBy,
  };
}

/** Name, labels and, with `namespaceOverride`, namespace of an object. */
export function metadata(nats: NatsRelease, name: string, component = 'nats'): JsonObject {
  const namespace = nats.values['namespaceOverride'];
  return { name, ...(truthy(namespace) ? { namespace: templateString(namespace) } : {}), labels: labels(nats, component) };
}

/** Lays `merge` and then `patch` of the block at a path of the values over a generated document. */
export function overlaid(nats: NatsRelease, document: JsonObject, path: Path): JsonObject {
  const block = atPath(nats.values, ...path.map(String));
  const { document: patched, issues } = applyPatch(
    mergeLayers([document, objectAt(atPath(block, 'merge'))]),
    atPath(block, 'patch'),
    ['nats', ...path],
  );
  append(nats.issues, issues);
  return patched;
}

/** Image and pull policy of a container from the `image` block at a path of the values. */
export function imageFields(nats: NatsRelease, path: Path): JsonObject {
  const block = atPath(nats.values, ...path.map(String), 'image');
  const global = atPath(nats.values, 'global.image');
  const pullPolicy = orElse(atPath(block, 'pullPolicy'), atPath(global, 'pullPolicy'));
  append(nats.issues, missingPieces(block, path));
  return {
    image: nats.context.image(imageReference(nats.values, path)),
    ...(truthy(pullPolicy) ? { imagePullPolicy: templateString(pullPolicy) } : {}),
  };
}

function missingPieces(block: Value, path: Path): readonly Issue[] {
  if (truthy(atPath(block, 'fullImageName'))) return [];
  const needed = truthy(atPath(block, 'digest')) ? ['repository'] : ['repository', 'tag'];
  const message = 'must not be empty: the image reference would have no meaning; leave the key out to get the default';
  return needed
    .filter((key) => !truthy(atPath(block, key)))
    .map((key) => ({ path: ['nats', ...path, 'image', key], code: 'required', message }));
}

function imageReference(values: JsonObject, path: Path): string {
  const block = atPath(values, ...path.map(String), 'image');
  const whole = atPath(block, 'fullImageName');
  if (truthy(whole)) return templateString(whole);
  const registry = templateString(orElse(atPath(block, 'registry'), atPath(values, 'global.image.registry')));
  const digest = atPath(block, 'digest');
  const name =
    templateString(atPath(block, 'repository')) +
    (truthy(digest) ? `@${templateString(digest)}` : `:${templateString(atPath(block, 'tag'))}`);
  return registry === '' ? name : `${registry}/${name}`;
}

/** Environment variables from a map at a path of the values: a string is the value, a map is the rest of the entry. */
export function environmentEntries(nats: NatsRelease, path: Path): readonly JsonObject[] {
  const given = objectAt(atPath(nats.values, ...path.map(String), 'env'));
  return sortedEntries(given).flatMap(([name, value]): readonly JsonObject[] => {
    if (typeof value === 'string') return [{ name, value }];
    const kind = goKind(value);
    if (kind === 'map') return [{ ...objectAt(value), name }];
    const message = `must be a string or a map such as {valueFrom: ...}, got ${stringifyJson(value ?? null)}; put a number or boolean in quotes`;
    nats.issues.push({ path: ['nats', ...path, 'env', name], code: 'wrong_type', message });
    return [];
  });
}

/** Pull secrets every NATS pod names. */
export function pullSecrets(nats: NatsRelease): JsonObject {
  const names = listAt(atPath(nats.values, 'global.image.pullSecretNames'));
  return pullSecretFields(
    names.map((name) => ({ name: templateString(name) })),
    nats.context,
  );
}
