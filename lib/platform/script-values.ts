import type { Issue } from '../api/index.ts';
import { type JsonObject, printable } from '../json/index.ts';
import { atPath, templateString } from './go-values.ts';

interface Form {
  readonly pattern: RegExp;
  readonly allowed: string;
}

const name: Form = { pattern: /^[A-Za-z0-9][A-Za-z0-9_.-]*$/, allowed: 'a name of letters, digits, "-", "_" and "."' };
const domain: Form = { pattern: /^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\.?$/, allowed: 'a DNS name such as cluster.local' };
const wholeNumber: Form = { pattern: /^\d{1,19}$/, allowed: 'a whole number' };

/** Values that are inserted into shell scripts or, unquoted, into nats.conf, by part. */
const insertedValues = {
  'dynamo-operator': {
    nameOverride: name,
    fullnameOverride: name,
    kubernetesClusterDomain: domain,
    'webhook.certificateSecret.name': name,
    'webhook.certificateValidity': wholeNumber,
  },
  nats: { fullnameOverride: name, 'statefulSet.name': name, 'natsBox.defaultContextName': name },
  etcd: {
    nameOverride: name,
    fullnameOverride: name,
    namespaceOverride: name,
    'containerPorts.client': wholeNumber,
    'containerSecurityContext.runAsUser': wholeNumber,
    'podSecurityContext.fsGroup': wholeNumber,
    clusterDomain: domain,
  },
} satisfies Readonly<Record<string, Readonly<Record<string, Form>>>>;

/** Errors about values of one part that a shell could execute, or that would change the syntax around them. */
export function unsafeInScripts(part: keyof typeof insertedValues, values: JsonObject): readonly Issue[] {
  return Object.entries(insertedValues[part]).flatMap(([path, { pattern, allowed }]) => {
    const value = atPath(values, path);
    if (value === undefined || value === null || value === '' || pattern.test(templateString(value))) return [];
    const found = printable(JSON.stringify(templateString(value)));
    const message = `must be ${allowed}, since it is inserted into a script or a configuration file, got ${found}`;
    return [{ path: [part, ...path.split('.')], code: 'invalid', message }];
  });
}
