import { labelProblem, releaseNameProblem, type Issue, type KubernetesObject } from '../api/index.ts';
import { append, formatPath, type JsonObject } from '../json/index.ts';
import { checkValues } from './check-values.ts';
import { differentDomains } from './cluster-domain.ts';
import { platformContext, type ContextOptions, type PlatformContext } from './platform-context.ts';
import { kai, queues } from './kai/index.ts';
import { renderMonitoring, runbook as defaultRunbook } from './monitoring/index.ts';
import type { PartResult } from './part.ts';
import { parts } from './parts.ts';
import { refusedObjects } from './refused-objects.ts';
import { podWarnings } from './pod-warnings.ts';
import { prerequisites } from './prerequisites.ts';
import { operatorReleaseOf } from './operator/graph-support.ts';
import { inNamespace } from './scope-of-kinds.ts';
import { excessiveValues, unsoundValues } from './sound-values.ts';
import { effectiveBlock } from './values.ts';
import { sortByWave } from './waves.ts';

/** A rendered platform: its objects in the order to apply them, issues, and prerequisites. */
export interface RenderedPlatform extends PartResult {
  readonly context: PlatformContext;
  /** The same objects by part: the key of its block of values; `namespace`, `queues` and `monitoring` for the others. */
  readonly byPart: readonly { readonly name: string; readonly objects: readonly KubernetesObject[] }[];
  /** Prerequisites: what must exist in the cluster and is not rendered. */
  readonly notes: readonly string[];
  /** Release of the original operator that is rendered; undefined if the operator supports every field, or there is none. */
  readonly operatorRelease: string | undefined;
}

function checkNames({ release, namespace }: PlatformContext): readonly Issue[] {
  const problems = [
    { path: ['--release'], name: release, problem: releaseNameProblem(release) },
    { path: ['--namespace'], name: namespace, problem: labelProblem(namespace) },
  ];
  return problems.flatMap(({ path, name, problem }) =>
    problem === undefined ? [] : [{ path, code: 'invalid_name', message: `'${name}' ${problem}` }],
  );
}

/** Oldest minor version of Kubernetes that the original supports; older ones lack rendered API versions. */
const oldestMinor = 24;

function checkKubeVersion({ kubeVersion }: PlatformContext): readonly Issue[] {
  const [, major = '', minor = ''] = /^(\d{1,4})\.(\d{1,4})(?:[.+-]|$)/.exec(kubeVersion) ?? [];
  if (major !== '' && (Number(major) > 1 || (Number(major) === 1 && Number(minor) >= oldestMinor))) return [];
  const message = `must be a version of Kubernetes such as 1.34.0, 1.${oldestMinor} or newer, got '${kubeVersion}'`;
  return [{ path: ['--kube-version'], code: 'kube_version', message }];
}

function identity({ apiVersion, kind, metadata }: KubernetesObject): string {
  return `${apiVersion.replace(/\/[^/]*$/, '')} ${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}

function duplicates(objects: readonly KubernetesObject[]): readonly Issue[] {
  const seen = new Set<string>();
  return objects.flatMap((object) => {
    const key = identity(object);
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    const { kind, metadata } = object;
    return [
      {
        path: [],
        code: 'duplicate_object',
        message: `${kind} ${metadata.namespace ?? ''}/${metadata.name} would be rendered twice; rename one of them`,
      },
    ];
  });
}

/** The first issue of every path: an issue of the schema hides that of a rule about the same value. */
function firstPerPath(issues: readonly Issue[]): readonly Issue[] {
  const seen = new Set<string>();
  return issues.filter(({ path }) => {
    const key = formatPath(path);
    const first = key === '' || !seen.has(key);
    seen.add(key);
    return first;
  });
}

function releaseNamespace({ namespace, managedBy }: PlatformContext): KubernetesObject {
  const levels = Object.fromEntries(
    ['enforce', 'warn', 'audit'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']),
  );
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace, labels: { 'app.kubernetes.io/managed-by': managedBy, ...levels } },
  };
}

/** Renders a release from the user's merged values. With issues there are no objects, and all issues are reported together. */
export function renderPlatform(values: JsonObject, options: ContextOptions = {}): RenderedPlatform {
  const { drafts, ...platform } = renderParts(values, options);
  const refused = refusedObjects(drafts, values, (fewer) => renderParts(fewer, options).drafts, platform.issues);
  if (refused.length === 0) return platform;
  return platform.context.switches['sound-values']
    ? { ...platform, objects: [], byPart: [], issues: [...platform.issues, ...refused] }
    : { ...platform, warnings: [...platform.warnings, ...refused] };
}

/** Blocks of values that every part uses. */
const sharedBlocks = ['global', 'platform'];

/** A release with the objects that could be rendered in spite of issues. */
interface DraftedPlatform extends RenderedPlatform {
  readonly drafts: readonly KubernetesObject[];
}

function renderParts(values: JsonObject, options: ContextOptions): DraftedPlatform {
  const context = platformContext(values, options);
  const checked = checkValues(values);
  const strict = context.switches['sound-values'];
  const unrenderable = [...checked.structure, ...excessiveValues(values)];
  const isUnrenderable = (key: string): boolean => unrenderable.some(({ path: [block = key] }) => block === key);
  const unsound = [...checkKubeVersion(context), ...checked.scalars, ...unsoundValues(values)];
  const issues: Issue[] = [...checkNames(context), ...unrenderable, ...(strict ? unsound : [])];
  const warnings: Issue[] = [...(strict ? [] : unsound), ...checked.warnings];
  if (sharedBlocks.some(isUnrenderable))
    return { objects: [], drafts: [], byPart: [], issues, warnings, notes: [], context, operatorRelease: undefined };
  const byPart = [{ name: 'namespace', objects: context.settings.namespace.create ? [releaseNamespace(context)] : [] }];
  for (const part of parts.filter(({ key }) => !isUnrenderable(key))) {
    const block = effectiveBlock(part, values);
    append(issues, block.issues);
    if (!strict) append(warnings, block.warnings);
    if (!block.enabled || block.issues.length > 0) continue;
    const result = part.render(block.values, context);
    append(issues, result.issues);
    append(warnings, result.warnings);
    const objects = result.drafts ?? result.objects;
    byPart.push({ name: part.key, objects: objects.map((object) => inNamespace(object, context.namespace)) });
  }
  if (!isUnrenderable(kai.key))
    byPart.push({ name: 'queues', objects: [...queues(context, effectiveBlock(kai, values).enabled)] });
  if (context.settings.monitoring.prometheus !== undefined && context.settings.monitoring.dashboards === undefined)
    warnings.push({
      path: ['platform', 'monitoring', 'prometheus'],
      code: 'no_effect',
      message: 'has no effect without platform.monitoring.dashboards, which names the namespace of Grafana',
    });
  byPart.push({ name: 'monitoring', objects: [...observability(context, new Set(byPart.map((part) => part.name)))] });
  const drafts = byPart.flatMap((part) => part.objects);
  append(issues, duplicates(drafts));
  append(warnings, podWarnings(drafts, context));
  if (unrenderable.length === 0) append(warnings, differentDomains(values, context));
  return {
    drafts,
    objects: issues.length > 0 ? [] : sortByWave(drafts),
    byPart: issues.length > 0 ? [] : byPart.map((part) => ({ name: part.name, objects: sortByWave(part.objects) })),
    issues: firstPerPath(issues),
    warnings,
    notes: unrenderable.length > 0 ? [] : prerequisites(values, context),
    context,
    operatorRelease: unrenderable.length > 0 ? undefined : operatorReleaseOf(values, context),
  };
}

/** What alerts cover, by the part that must be installed. The exporter of GPU metrics (DCGM) is installed separately. */
const alertsNeed = { 'dynamo-operator': ['operator', 'graphs', 'dcgm'], nats: ['nats'], etcd: ['etcd'] } as const;

/** Alert rules, dashboards and scrape configuration, if the values ask for them. */
function observability(context: PlatformContext, parts: ReadonlySet<string>): readonly KubernetesObject[] {
  const { rules, scrapeConfig, dashboards, prometheus, runbook } = context.settings.monitoring;
  if (!rules && !scrapeConfig && dashboards === undefined) return [];
  return renderMonitoring({
    namespace: context.namespace,
    labels: { 'app.kubernetes.io/managed-by': context.managedBy, ...context.monitorLabels },
    about: Object.entries(alertsNeed).flatMap(([part, about]) => (parts.has(part) ? about : [])),
    runbook: runbook ?? defaultRunbook,
    rules,
    scrapeConfig,
    ...(dashboards === undefined ? {} : { dashboards }),
    ...(prometheus === undefined ? {} : { prometheus }),
  });
}
