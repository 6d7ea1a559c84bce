import type { Issue } from '../../api/index.ts';
import { isObject, type Json, type JsonObject, objectAt, type Path, printable } from '../../json/index.ts';
import type { PlatformContext } from '../platform-context.ts';
import type { CheckedPart } from '../checked-part.ts';
import { openToAll } from '../client-namespaces.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import { isInclude, unquotedValue } from './config-text.ts';
import { missingBlocks } from '../needed-blocks.ts';
import { unsafeInScripts } from '../script-values.ts';

/** Blocks of values that the objects are rendered from. */
const neededBlocks = [
  'config config.cluster config.nats config.leafnodes config.websocket config.websocket.ingress config.mqtt config.gateway',
  'config.jetstream config.jetstream.fileStore config.jetstream.fileStore.pvc config.monitor config.profiling config.resolver config.resolver.pvc',
  'container container.image container.ports reloader promExporter promExporter.podMonitor podTemplate',
  'service statefulSet headlessService configMap podDisruptionBudget serviceAccount',
  'natsBox natsBox.deployment natsBox.contextsSecret natsBox.contentsSecret natsBox.serviceAccount',
  'config.cluster.enabled: config.cluster.routeURLs',
  'config.monitor.enabled: config.monitor.tls',
  'reloader.enabled: reloader.image',
  'promExporter.enabled: promExporter.image',
  'service.enabled: service.ports',
  'natsBox.enabled: natsBox.container natsBox.container.image natsBox.podTemplate',
];

/** Maps that the original evaluates as templates. */
function templates(value: Json | undefined, path: Path): readonly Issue[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => templates(item, [...path, index]));
  if (!isObject(value)) return [];
  const keys = Object.keys(value);
  const marker = keys.length === 1 ? keys.find((key) => key === '$tplYaml' || key === '$tplYamlSpread') : undefined;
  if (marker === undefined) return keys.flatMap((key) => templates(value[key], [...path, key]));
  return [{ path, code: 'unsupported', message: `${marker} templates are not supported; write the rendered value instead` }];
}

/** Combinations of values that fail only later, in Kubernetes or NATS. */
const warningRules: readonly {
  readonly path: string;
  readonly when: (values: JsonObject) => boolean;
  readonly message: string;
}[] = [
  {
    path: 'config.cluster.replicas',
    when: (values) =>
      on(values, 'config.cluster.enabled') &&
      on(values, 'config.jetstream.enabled') &&
      Number(templateString(atPath(values, 'config.cluster.replicas'))) < 2,
    message: 'must be 2 or more: a JetStream cluster of one server never elects a leader; use 3 or 5',
  },
  {
    path: 'promExporter.podMonitor.enabled',
    when: (values) => on(values, 'promExporter.podMonitor.enabled') && !on(values, 'promExporter.enabled'),
    message: 'has no effect without promExporter.enabled',
  },
  {
    path: 'promExporter.enabled',
    when: (values) => on(values, 'promExporter.enabled') && !on(values, 'config.monitor.enabled'),
    message: 'needs config.monitor.enabled: the exporter reads the monitoring endpoint',
  },
  {
    path: 'config.monitor.tls.enabled',
    when: (values) => on(values, 'config.monitor.tls.enabled') && !on(values, 'config.nats.tls.enabled'),
    message: 'needs config.nats.tls.enabled: the endpoint uses its certificate, and the server does not start without one',
  },
];

function on(values: JsonObject, path: string): boolean {
  return truthy(atPath(values, path));
}

/** Values that would put a secret into Git. */
function secretsGiven(values: JsonObject): readonly Issue[] {
  const password: readonly Issue[] = on(values, 'config.cluster.routeURLs.password')
    ? [
        secretIssue(
          ['config', 'cluster', 'routeURLs', 'password'],
          'use nats.security.tls, which lets only servers with a certificate join',
        ),
      ]
    : [];
  const contents = Object.entries(objectAt(atPath(values, 'natsBox.contexts'))).flatMap(([name, context]) =>
    ['creds', 'nkey']
      .filter((kind) => truthy(atPath(context, `${kind}.contents`)))
      .map((kind) =>
        secretIssue(['natsBox', 'contexts', name, kind, 'contents'], `put it into a Secret and name that as ${kind}.secretName`),
      ),
  );
  return [...password, ...contents, ...plainCredentials(atPath(values, 'config.merge'), ['config', 'merge'])];
}

function secretIssue(path: Path, advice: string): Issue {
  return {
    path: ['nats', ...path],
    code: 'secret_in_values',
    message: `must not be given here, since it would end up in Git; ${advice}`,
  };
}

const credentialKeys = new Set(['password', 'pass', 'token']);

function plainCredentials(value: Json | undefined, path: Path): readonly Issue[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => plainCredentials(item, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, entry]) => {
    const here = [...path, key];
    if (!credentialKeys.has(key) || typeof entry !== 'string') return plainCredentials(entry, here);
    const safe = /^<<\s+\$\w+\s+>>$/.test(entry) || /^\$2[aby]\$/.test(entry);
    return safe
      ? []
      : [secretIssue(here, 'write << $NAME >> and set NAME by container.env from a Secret, or use nats.security.auth')];
  });
}

const unquotedPattern = /^\$?[A-Za-z0-9_][A-Za-z0-9_.+-]*$/;
const includePattern = /^[A-Za-z0-9_./-]+$/;

/** Strings that nats-server would not read back unchanged: it has no escapes for control characters, and parses unquoted values. */
function unsafeStrings(value: Json | undefined, path: Path): readonly Issue[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => unsafeStrings(item, [...path, index]));
  if (isObject(value))
    return Object.entries(value).flatMap(([key, member]) => {
      const here = [...path, key];
      const included = member !== undefined && isInclude(key, member) ? member : undefined;
      if (included !== undefined && !includePattern.test(included))
        return [{ path: here, code: 'invalid', message: `must be the path of a file, got ${JSON.stringify(included)}` }];
      return [...controlIssue(key, here), ...unsafeStrings(member, here)];
    });
  if (typeof value !== 'string') return [];
  const unquoted = unquotedValue(value);
  if (unquoted !== undefined && !unquotedPattern.test(unquoted)) {
    const message = `must have one variable, number or size between << and >>, got ${JSON.stringify(value)}; write anything else as YAML`;
    return [{ path, code: 'invalid', message }];
  }
  return controlIssue(value, path);
}

function controlIssue(value: string, path: Path): readonly Issue[] {
  // nats-server has escapes for line feeds, carriage returns and tabs.
  if (printable(value.replaceAll(/[\n\r\t]/g, '')) === value.replaceAll(/[\n\r\t]/g, '')) return [];
  const message = `must have no control characters and no U+2028: nats-server has no escapes for them, got ${printable(JSON.stringify(value))}`;
  return [{ path, code: 'invalid', message }];
}

/** A single token; whether it is a quantity is checked with all quantities. */
const sizePattern = /^[A-Za-z0-9][A-Za-z0-9.+-]*$/;
const sizePaths = [
  'config.jetstream.fileStore.pvc.size',
  'config.jetstream.fileStore.maxSize',
  'config.jetstream.memoryStore.maxSize',
];

/** Errors about sizes, which are written into the configuration without quotes. */
function wrongSizes(values: JsonObject): readonly Issue[] {
  return sizePaths.flatMap((path) => {
    const value = atPath(values, path);
    if (typeof value !== 'string' || value === '' || sizePattern.test(value)) return [];
    const message = `must be a size such as 10Gi, got ${printable(JSON.stringify(value))}`;
    return [{ path: ['nats', ...path.split('.')], code: 'invalid', message }];
  });
}

/** Blocks of the configuration that require clients to authenticate. */
const authenticating = ['authorization', 'accounts', 'operator', 'security$include'];

function requiresAuthentication(values: JsonObject, { switches }: PlatformContext): boolean {
  const security = switches['security-blocks'] ? atPath(values, 'security') : undefined;
  return (
    truthy(atPath(security, 'auth.enabled')) ||
    (truthy(atPath(security, 'tls.enabled')) && truthy(atPath(security, 'tls.verifyClients'))) ||
    atPath(values, 'config.nats.tls.merge.verify') === true ||
    on(values, 'config.resolver.enabled') ||
    authenticating.some((key) => truthy(atPath(values, 'config', 'merge', key)))
  );
}

/** Errors and warnings about the values, before anything is rendered. */
export function checkNats(values: JsonObject, context: PlatformContext): CheckedPart {
  const missing = [...missingBlocks('nats', values, neededBlocks), ...templates(values, ['nats'])];
  const issues = [
    ...missing,
    ...unsafeStrings(atPath(values, 'config'), ['nats', 'config']),
    ...wrongSizes(values),
    ...unsafeInScripts('nats', values),
    ...(context.switches['no-secrets'] ? secretsGiven(values) : []),
  ];
  if (missing.length > 0) return { issues, warnings: [], isUnrenderable: true };
  const doubtful = warningRules
    .filter(({ when }) => when(values))
    .map(({ path, message }) => ({ path: ['nats', ...path.split('.')], code: 'doubtful', message }));
  const open = requiresAuthentication(values, context) ? [] : openToAll('nats', context);
  return { issues, warnings: [...doubtful, ...open], isUnrenderable: false };
}
