import { findString, isObject, type Json, type JsonObject, listAt, objectAt, type Path, stringAt } from '../json/index.ts';
import { showValue } from '../manifest/index.ts';
import { checkContainer, type PodFacts } from './containers.ts';
import type { FieldErrors } from './field-errors.ts';
import { checkAnnotations, checkLabels } from './metadata.ts';
import { checkDnsLabel, checkDnsSubdomain, checkQualifiedName, isIpAddress, type NameCheck } from './names.ts';
import { checkAffinity, checkSpread, checkTolerations } from './scheduling.ts';
import { checkPodResources } from './pod-resources.ts';
import { checkPodSecurity, checkHostNamespaceSysctls } from './security.ts';
import { checkVolumes } from './volumes.ts';

const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

/** Fields of a pod spec that hold a name, and the check of each. */
const names: readonly (readonly [string, NameCheck])[] = [
  ['serviceAccountName', checkDnsSubdomain],
  ['nodeName', checkDnsSubdomain],
  ['hostname', checkDnsLabel],
  ['subdomain', checkDnsLabel],
  ['priorityClassName', checkDnsSubdomain],
];

/** Checks the name of a pod's operating system. The restrictions for Windows pods are not checked, since engines run on Linux. */
function checkOs(spec: JsonObject, field: Path, errors: FieldErrors): void {
  if (!isObject(spec['os'])) return;
  const name = stringAt(spec, 'os', 'name');
  if (name === '') errors.required([...field, 'os', 'name'], 'cannot be empty');
  else if (name !== 'linux' && name !== 'windows') errors.unsupported([...field, 'os'], name, ['linux', 'windows']);
}

function checkResourceClaims(list: readonly Json[], field: Path, errors: FieldErrors): ReadonlySet<string> {
  const seen = new Set<string>();
  for (const [i, claim] of list.entries()) {
    const at = [...field, i];
    const name = findString(claim, 'name') ?? '';
    if (name === '') errors.required([...at, 'name']);
    else if (seen.has(name)) errors.duplicate([...at, 'name'], name);
    else errors.each(checkDnsLabel(name), [...at, 'name'], name);
    seen.add(name);
    const sources = ['resourceClaimName', 'resourceClaimTemplateName'].filter((k) => findString(claim, k) !== undefined);
    if (sources.length > 1)
      errors.invalid(at, claim, 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified');
    if (sources.length === 0) errors.invalid(at, claim, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`');
    for (const key of sources) errors.each(checkDnsSubdomain(findString(claim, key) ?? ''), [...at, key], findString(claim, key));
  }
  return seen;
}

function checkDns(spec: JsonObject, field: Path, errors: FieldErrors): void {
  const policy = findString(spec, 'dnsPolicy') || 'ClusterFirst';
  if (!dnsPolicies.includes(policy)) errors.unsupported([...field, 'dnsPolicy'], policy, dnsPolicies);
  const config = spec['dnsConfig'];
  const at = [...field, 'dnsConfig'];
  const servers = listAt(config, 'nameservers');
  if (policy === 'None' && servers.length === 0)
    errors.required(
      [...at, ...(isObject(config) ? ['nameservers'] : [])],
      'must provide at least one DNS nameserver when `dnsPolicy` is None',
    );
  if (servers.length > 3) errors.invalid([...at, 'nameservers'], servers, 'must not have more than 3 nameservers');
  for (const [i, server] of servers.entries())
    if (!isIpAddress(showValue(server)))
      errors.invalid([...at, 'nameservers', i], server, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)');
  const searches = listAt(config, 'searches');
  if (searches.length > 32) errors.invalid([...at, 'searches'], searches, 'must not have more than 32 search paths');
  for (const [i, search] of searches.entries()) {
    const domain = showValue(search);
    if (domain !== '.')
      errors.each(checkDnsSubdomain(domain.replace(/\.$/, '').replaceAll('_', 'a')), [...at, 'searches', i], domain);
  }
  for (const [i, option] of listAt(config, 'options').entries())
    if ((findString(option, 'name') ?? '') === '') errors.required([...at, 'options', i], 'must not be empty');
}

function checkHostAliases(list: readonly Json[], field: Path, errors: FieldErrors): void {
  for (const [i, alias] of list.entries()) {
    const ip = findString(alias, 'ip') ?? '';
    if (!isIpAddress(ip))
      errors.invalid([...field, i, 'ip'], ip, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)');
    for (const [h, host] of listAt(alias, 'hostnames').entries())
      errors.each(checkDnsSubdomain(showValue(host)), [...field, i, 'hostnames', h], showValue(host));
  }
}

function checkHostPorts(containers: readonly JsonObject[], field: Path, errors: FieldErrors, first = 0): void {
  const seen = new Set<string>();
  for (const [c, container] of containers.entries())
    for (const [i, port] of listAt(container, 'ports').entries()) {
      const host = isObject(port) ? Number(port['hostPort'] ?? 0) : 0;
      const key = `${findString(port, 'protocol') || 'TCP'}/${findString(port, 'hostIP') ?? ''}/${host}`;
      if (host !== 0 && seen.has(key)) errors.duplicate([...field, first + c, 'ports', i, 'hostPort'], key);
      seen.add(key);
    }
}

function factsOf(spec: JsonObject, volumes: ReadonlySet<string>, resourceClaims: ReadonlySet<string>): PodFacts {
  const claims = listAt(spec, 'volumes').filter(
    (v) => isObject(v) && (isObject(v['persistentVolumeClaim']) || isObject(v['ephemeral'])),
  );
  return {
    volumes,
    resourceClaims,
    claims: new Set(claims.map((v) => findString(v, 'name') ?? '')),
    hostNetwork: spec['hostNetwork'] === true,
    hostUsers: spec['hostUsers'] !== false,
    gracePeriodSeconds: Number(spec['terminationGracePeriodSeconds'] ?? 30),
  };
}

/** Checks the pod spec of a template. */
function checkPodSpec(spec: JsonObject, field: Path, errors: FieldErrors): void {
  const volumes = checkVolumes(listAt(spec, 'volumes'), [...field, 'volumes'], errors);
  const claims = checkResourceClaims(listAt(spec, 'resourceClaims'), [...field, 'resourceClaims'], errors);
  const pod = factsOf(spec, volumes, claims);
  const used = new Set<string>();
  const containers = listAt(spec, 'containers').filter(isObject);
  if (containers.length === 0) errors.required([...field, 'containers']);
  for (const [i, container] of containers.entries())
    checkContainer(container, 'main', pod, used, [...field, 'containers', i], errors);
  for (const [i, container] of listAt(spec, 'initContainers').filter(isObject).entries())
    checkContainer(container, 'init', pod, used, [...field, 'initContainers', i], errors);
  if (listAt(spec, 'ephemeralContainers').length > 0)
    errors.forbidden([...field, 'ephemeralContainers'], 'ephemeral containers not allowed in pod template');
  checkHostPorts(containers, [...field, 'containers'], errors);
  for (const [i, container] of listAt(spec, 'initContainers').filter(isObject).entries())
    checkHostPorts([container], [...field, 'initContainers'], errors, i);
  checkPodResources(spec, field, errors);
  checkOs(spec, field, errors);
  checkDns(spec, field, errors);
  checkLabels(spec['nodeSelector'], [...field, 'nodeSelector'], errors);
  checkPodSecurity(spec['securityContext'], [...field, 'securityContext'], errors);
  checkHostNamespaceSysctls(spec, field, errors);
  if (spec['shareProcessNamespace'] === true && spec['hostPID'] === true)
    errors.invalid(
      [...field, 'securityContext', 'shareProcessNamespace'],
      true,
      'ShareProcessNamespace and HostPID cannot both be enabled',
    );
  if (spec['hostUsers'] === false)
    for (const key of ['hostNetwork', 'hostPID', 'hostIPC'])
      if (spec[key] === true) errors.forbidden([...field, key], 'when `hostUsers` is false');
  checkAffinity(spec['affinity'], [...field, 'affinity'], errors);
  for (const [i, gate] of listAt(spec, 'readinessGates').entries())
    errors.each(
      checkQualifiedName(findString(gate, 'conditionType') ?? ''),
      [...field, 'readinessGates', i, 'conditionType'],
      findString(gate, 'conditionType') ?? '',
    );
  const gates = new Set<string>();
  for (const [i, gate] of listAt(spec, 'schedulingGates').entries()) {
    const name = findString(gate, 'name') ?? '';
    errors.each(checkQualifiedName(name), [...field, 'schedulingGates', i], name);
    if (gates.has(name)) errors.duplicate([...field, 'schedulingGates', i], name);
    gates.add(name);
  }
  checkSpread(listAt(spec, 'topologySpreadConstraints'), [...field, 'topologySpreadConstraints'], errors);
  for (const [key, check] of names) {
    const value = findString(spec, key) ?? '';
    if (value !== '') errors.each(check(value), [...field, key], value);
  }
  const runtime = findString(spec, 'runtimeClassName');
  if (runtime !== undefined) errors.each(checkDnsSubdomain(runtime), [...field, 'runtimeClassName'], runtime);
  checkTolerations(listAt(spec, 'tolerations'), [...field, 'tolerations'], errors);
  checkHostAliases(listAt(spec, 'hostAliases'), [...field, 'hostAliases'], errors);
  const preemption = findString(spec, 'preemptionPolicy');
  if (preemption !== undefined && preemption !== 'Never' && preemption !== 'PreemptLowerPriority')
    errors.unsupported([...field, 'preemptionPolicy'], preemption, ['PreemptLowerPriority', 'Never']);
}

/** Checks a pod template: labels, annotations and spec. */
export function checkPodTemplate(template: JsonObject, field: Path, errors: FieldErrors): void {
  checkLabels(objectAt(template, 'metadata')['labels'], [...field, 'metadata', 'labels'], errors);
  checkAnnotations(objectAt(template, 'metadata')['annotations'], [...field, 'metadata', 'annotations'], errors);
  checkPodSpec(objectAt(template, 'spec'), [...field, 'spec'], errors);
}
