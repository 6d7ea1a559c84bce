import { type JsonObject, objectAt, sortedKeys } from '../../json/index.ts';
import { atPath, templateString, truthy, type Value } from '../go-values.ts';
import { sortedJson } from './config-text.ts';
import { secretMode } from '../pod-security.ts';
import { containerHardening, podHardening, temporaryFiles } from './hardening.ts';
import { certificateAuthority, encrypted } from './protocols.ts';
import {
  environmentEntries,
  imageFields,
  labels,
  metadata,
  overlaid,
  pullSecrets,
  selectorLabels,
  type NatsRelease,
} from './release.ts';

const component = 'nats-box';

/** Credentials of a context: the mount path of the Secret, the file extension and the default key. */
const credentials = [
  { kind: 'creds', dir: '/etc/nats-creds', extension: 'creds', key: 'nats.creds' },
  { kind: 'nkey', dir: '/etc/nats-nkeys', extension: 'nk', key: 'nats.nk' },
] as const;
const mountRoots: Readonly<Record<string, string>> = {
  creds: '/etc/nats-creds',
  nkey: '/etc/nats-nkeys',
  tls: '/etc/nats-certs',
};

function contexts(nats: NatsRelease): readonly (readonly [string, JsonObject])[] {
  const given = objectAt(atPath(nats.values, 'natsBox.contexts'));
  return sortedKeys(given).map((name) => [name, objectAt(given, name)] as const);
}

function mountDir(name: string, kind: string, block: Value): string {
  const dir = atPath(block, 'dir');
  return truthy(dir) ? templateString(dir) : `${mountRoots[kind]}/${name}`;
}

function fileIn(dir: string, key: Value, fallback: string): string {
  return `${dir.replace(/\/$/, '')}/${truthy(key) ? templateString(key) : fallback}`;
}

/** The JSON of one context. */
function contextDocument(nats: NatsRelease, name: string, context: JsonObject): JsonObject {
  const { names, values } = nats;
  const host = truthy(atPath(values, 'service.enabled')) ? names.service : names.headlessService;
  const document: Record<string, string> = { url: `nats://${host}` };
  for (const { kind, extension, key } of credentials) {
    const block = context[kind];
    if (truthy(atPath(block, 'contents'))) document[kind] = `/etc/nats-contents/${name}.${extension}`;
    else if (truthy(atPath(block, 'secretName'))) document[kind] = fileIn(mountDir(name, kind, block), atPath(block, 'key'), key);
  }
  const tls = context['tls'];
  if (truthy(atPath(tls, 'secretName'))) {
    document['cert'] = fileIn(mountDir(name, 'tls', tls), atPath(tls, 'cert'), 'tls.crt');
    document['key'] = fileIn(mountDir(name, 'tls', tls), atPath(tls, 'key'), 'tls.key');
  }
  const authority = encrypted(nats, 'nats') ? certificateAuthority(nats) : undefined;
  if (authority !== undefined) document['ca'] = authority.file;
  return overlaid(nats, document, ['natsBox', 'contexts', name]);
}

function contents(nats: NatsRelease): JsonObject {
  return Object.fromEntries(
    contexts(nats).flatMap(([name, context]) =>
      credentials.flatMap(({ kind, extension }) => {
        const value = atPath(context[kind], 'contents');
        return truthy(value) ? [[`${name}.${extension}`, templateString(value)] as const] : [];
      }),
    ),
  );
}

function mountedSecrets(
  nats: NatsRelease,
): readonly { readonly volume: string; readonly secret: string; readonly dir: string }[] {
  return contexts(nats).flatMap(([name, context]) =>
    Object.keys(mountRoots).flatMap((kind) => {
      const secret = atPath(context[kind], 'secretName');
      return truthy(secret)
        ? [{ volume: `ctx-${name}-${kind}`, secret: templateString(secret), dir: mountDir(name, kind, context[kind]) }]
        : [];
    }),
  );
}

function startScript(defaultContext: string): string {
  return `work_dir="$(pwd)"
mkdir -p "$XDG_CONFIG_HOME/nats"
cd "$XDG_CONFIG_HOME/nats"
if ! [ -s context ]; then
  ln -s /etc/nats-contexts context
fi
if ! [ -f context.txt ]; then
  echo -n "${defaultContext}" > context.txt
fi
cd "$work_dir"
exec /entrypoint.sh "$@"
`;
}

function container(nats: NatsRelease, withContents: boolean): JsonObject {
  const authority = certificateAuthority(nats);
  const env = [
    ...(nats.context.switches['pod-security'] ? [{ name: 'XDG_CONFIG_HOME', value: '/tmp/config' }] : []),
    ...environmentEntries(nats, ['natsBox', 'container']),
  ];
  const document: JsonObject = {
    name: component,
    ...imageFields(nats, ['natsBox', 'container']),
    ...(env.length > 0 ? { env } : {}),
    command: ['sh', '-ec', startScript(templateString(atPath(nats.values, 'natsBox.defaultContextName'))), '--'],
    args: ['sh', '-ec', 'trap true INT TERM; sleep infinity & wait'],
    ...containerHardening(nats.context, 'box'),
    volumeMounts: [
      { name: 'contexts', mountPath: '/etc/nats-contexts' },
      ...(withContents ? [{ name: 'contents', mountPath: '/etc/nats-contents' }] : []),
      ...(authority === undefined ? [] : [authority.mount]),
      ...mountedSecrets(nats).map(({ volume, dir }) => ({ name: volume, mountPath: dir })),
      ...temporaryFiles(nats.context).mounts,
    ],
  };
  return overlaid(nats, document, ['natsBox', 'container']);
}

function deployment(nats: NatsRelease, withContents: boolean): JsonObject {
  const { names } = nats;
  const authority = certificateAuthority(nats);
  const mode = secretMode(nats.context);
  const template: JsonObject = {
    metadata: { labels: labels(nats, component) },
    spec: {
      containers: [container(nats, withContents)],
      enableServiceLinks: false,
      ...podHardening(nats.context),
      ...pullSecrets(nats),
      ...(truthy(atPath(nats.values, 'natsBox.serviceAccount.enabled')) ? { serviceAccountName: names.boxServiceAccount } : {}),
      volumes: [
        { name: 'contexts', secret: { secretName: names.boxContexts, ...mode } },
        ...(withContents ? [{ name: 'contents', secret: { secretName: names.boxContents, ...mode } }] : []),
        ...(authority === undefined ? [] : [authority.volume]),
        ...mountedSecrets(nats).map(({ volume, secret }) => ({ name: volume, secret: { secretName: secret, ...mode } })),
        ...temporaryFiles(nats.context).volumes,
      ],
    },
  };
  const document: JsonObject = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata(nats, names.box, component),
    spec: {
      selector: { matchLabels: selectorLabels(nats, component) },
      replicas: 1,
      template: overlaid(nats, template, ['natsBox', 'podTemplate']),
    },
  };
  return overlaid(nats, document, ['natsBox', 'deployment']);
}

function secret(nats: NatsRelease, name: string, content: JsonObject): JsonObject {
  const strings = Object.fromEntries(Object.entries(content).map(([key, value]) => [key, templateString(value)]));
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: metadata(nats, name, component),
    type: 'Opaque',
    ...nats.context.secretData(strings),
  };
}

/** The objects of nats-box, a pod with the `nats` command line and its contexts; empty when it is off. */
export function natsBox(nats: NatsRelease): readonly JsonObject[] {
  if (!truthy(atPath(nats.values, 'natsBox.enabled'))) return [];
  const { names } = nats;
  const credentialFiles = contents(nats);
  const withContents = Object.keys(credentialFiles).length > 0;
  const files = Object.fromEntries(
    contexts(nats).map(([name, context]) => [`${name}.json`, `${sortedJson(contextDocument(nats, name, context))}\n`]),
  );
  return [
    ...(truthy(atPath(nats.values, 'natsBox.serviceAccount.enabled'))
      ? [
          overlaid(
            nats,
            { apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadata(nats, names.boxServiceAccount, component) },
            ['natsBox', 'serviceAccount'],
          ),
        ]
      : []),
    ...(withContents ? [overlaid(nats, secret(nats, names.boxContents, credentialFiles), ['natsBox', 'contentsSecret'])] : []),
    overlaid(nats, secret(nats, names.boxContexts, files), ['natsBox', 'contextsSecret']),
    deployment(nats, withContents),
  ];
}
