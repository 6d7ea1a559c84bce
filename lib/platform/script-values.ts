import type { Issue } from '../api/index.ts';
import { type JsonObject, printable } from '../json/index.ts';
import { atPath, templateString } from './go-values.ts';

interface Form {
  readonly pattern: RegExp;
  readonly allowed: string;
}

const word: Form = { pattern: /^[A-Za-z0-9][A-Za-z0-9_.-]*$/, allowed: 'a name of letters, digits, "-", "_" and "."' };
const domain: Form = { pattern: /^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\.?$/, allowed: 'a DNS name such as cluster.local' };
const wholeNumber: Form = { pattern: /^\d{1,19}$/, allowed: 'a whole number' };

/** Values that become a part of a shell script, of an address in one, or of a bare word in nats.conf, by the key of their part. */
const written = {
  'dynamo-operator': {
    nameOverride: word,
    fullnameOverride: word,
    kubernetesClusterDomain: domain,
    'webhook.certificateSecret.name': word,
    'webhook.certificateValidity': wholeNumber,
  },
  nats: { fullnameOverride: word, 'statefulSet.name': word, 'natsBox.defaultContextName': word },
  etcd: {
    nameOverride: word,
    fullnameOverride: word,
    namespaceOverride: word,
    'containerPorts.client': wholeNumber,
    'containerSecurityContext.runAsUser': wholeNumber,
    'podSecurityContext.fsGroup': wholeNumber,
    clusterDomain: domain,
  },
} satisfies Readonly<Record<string, Readonly<Record<string, Form>>>>;

/** Values of one part that a shell would run as commands, or that would end the word they are written as. */
export function unsafeInScripts(part: keyof typeof written, values: JsonObject): readonly Issue[] {
  return Object.entries(written[part]).flatMap(([path, { pattern, allowed }]) => {
    const value = atPath(values, path);
    if (value === undefined || value === null || value === '' || pattern.test(templateString(value))) return [];
    const found = printable(JSON.stringify(templateString(value)));
    const message = `must be ${allowed}, since it goes into a script or a configuration file, got ${found}`;
    return [{ path: [part, ...path.split('.')], code: 'invalid', message }];
  });
}
