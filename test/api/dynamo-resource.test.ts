import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { classifyResource, kinds } from '../../lib/api/index.ts';
import { firstReleaseOf } from '../../lib/api/releases.ts';

/** What is said of an object of this version and kind: `other`, `dynamo`, or the problem. */
function said(apiVersion: unknown, kind: unknown): string {
  const resource = classifyResource({ apiVersion, kind } as never);
  if (!('issue' in resource)) return resource.is;
  return `${resource.is} ${resource.issue.path.join('.')} ${resource.issue.code}: ${resource.issue.message}`;
}

test.each([
  ['nvidia.com/v1alpha1', 'DynamoGraphDeployment', /^dynamo$/],
  ['nvidia.com/v1alpha1', 'DynamoGraphDeploymnt', /^unserved kind unknown_kind: .*, did you mean DynamoGraphDeployment$/],
  ['nvidia.com/v1', 'dynamomodel', /^unserved kind .* did you mean DynamoModel$/],
  ['nvidia.com/v1alpha1', 'DynamoNimDeployment', /^unserved kind .*nvidia\.com\/v1alpha1 has DynamoGraphDeployment, /],
  ['nvidia.com/v1alpha1', undefined, /^unserved kind required: is required; nvidia\.com\/v1alpha1 has /],
  ['nvidia.com/v1alpha1', 3, /^unserved kind type: must be a string, got 3; nvidia\.com\/v1alpha1 has /],
  ['nvidia.com/v1alpha1', '', /^unserved kind required: is required; /],
  [
    'nvidia.com/v1',
    'DynamoModel',
    /^unserved apiVersion version: no DynamoModel in "nvidia\.com\/v1", did you mean nvidia\.com\/v1alpha1$/,
  ],
  [
    'nvidia.com/constructor',
    'DynamoGraphDeployment',
    /^unserved apiVersion version: no DynamoGraphDeployment in "nvidia\.com\/constructor"/,
  ],
  ['nvidia.com', 'DynamoModel', /^unserved apiVersion version: .*did you mean nvidia\.com\/v1alpha1$/],
  ['v1alpha1', 'DynamoModel', /^unserved apiVersion version: .*did you mean nvidia\.com\/v1alpha1$/],
  ['nvidia.co/v1alpha1', 'DynamoModel', /^unserved apiVersion version: .*did you mean nvidia\.com\/v1alpha1$/],
  ['nvidia.co/v1alpha1', 'DynamoModle', /^unserved kind unknown_kind: .*did you mean DynamoModel$/],
  ['apps/v1', 'DynamoGraphDeployment', /^unserved apiVersion version: .*did you mean nvidia\.com\/v1alpha1$/],
  ['networking.k8s.io/v1', 'DynamoModel', /^unserved apiVersion version: /],
  ['apps/v1', 'DynamoGraphDeploymnt', /^unserved kind unknown_kind: .*did you mean DynamoGraphDeployment$/],
  ['example.com/v1', 'DynamoGraphDeploymnt', /^doubtful kind unknown_kind: .*did you mean DynamoGraphDeployment$/],
  ['example.com/v1', 'DynamoModel', /^doubtful apiVersion version: .*did you mean nvidia\.com\/v1alpha1$/],
  [undefined, 'DynamoModel', /^unserved apiVersion required: is required; DynamoModel is nvidia\.com\/v1alpha1$/],
  [7, 'DynamoModel', /^unserved apiVersion version: DynamoModel is nvidia\.com\/v1alpha1, got 7$/],
  [undefined, 'DynamoModle', /^unserved kind unknown_kind: .*did you mean DynamoModel$/],
  ['nvidia.com/v1', 'ClusterPolicy', /^other$/],
  ['nvidia.com/v1alpha1', 'NVIDIADriver', /^other$/],
  [
    'nvidia.com/v1alpha1',
    'Graph',
    /^doubtful kind unknown_kind: unknown kind "Graph"; nvidia\.com\/v1alpha1 has DynamoGraphDeployment, /,
  ],
  ['nvidia.com/v1', 'Graph', /^other$/],
  ['nvidia.com/v1alpha1', 'DGD', /^unserved kind unknown_kind: unknown kind "DGD", did you mean DynamoGraphDeployment$/],
  ['nvidia.com/v1alpha1', 'dgdr', /^unserved kind unknown_kind: .*did you mean DynamoGraphDeploymentRequest$/],
  ['apps/v1', 'Deployment', /^other$/],
  ['v1', 'Pod', /^other$/],
  [undefined, undefined, /^other$/],
])('%s %s', (apiVersion, kind, want) => {
  expect(said(apiVersion, kind)).toMatch(want);
});

test.each([
  ['DynamoGraphDeployment', 'v1beta1', '1.2.1', 'which serves nvidia.com/v1alpha1'],
  ['DynamoGraphDeploymentRequest', 'v1beta1', '1.0.0', 'which serves nvidia.com/v1alpha1'],
  ['DynamoCheckpoint', 'v1alpha1', '1.0.0', 'which has no such kind'],
  ['PodSnapshot', 'v1alpha1', '1.3.1', 'which has no such kind'],
])('names the release that serves %s of %s', (kind, version, since, ours) => {
  expect(said(`nvidia.com/${version}`, kind)).toBe(
    `unserved apiVersion version: ${kind} of nvidia.com/${version} is served by Dynamo ${since} and later; this is for Dynamo 0.9, ${ours}`,
  );
});

const corpus = process.env['DYNAMO_CORPUS'];

interface Releases {
  readonly releases: readonly { readonly id: string }[];
  readonly api_versions: Readonly<Record<string, Readonly<Record<string, { readonly since: string }>>>>;
}

test.skipIf(corpus === undefined)('knows every kind and version that came after this release', () => {
  const { releases, api_versions: served } = JSON.parse(
    readFileSync(join(corpus ?? '', 'spec/releases.json'), 'utf8'),
  ) as Releases;
  const order = releases.map(({ id }) => id);
  const ownKinds: readonly string[] = kinds.map(({ kind }) => kind);
  for (const [kind, versions] of Object.entries(served))
    for (const [version, { since }] of Object.entries(versions)) {
      const later = order.indexOf(since) > order.indexOf('0.9.1');
      expect([kind, version, firstReleaseOf(kind, version)]).toEqual([kind, version, later ? since : undefined]);
      if (!later) expect([ownKinds.includes(kind), version]).toEqual([true, 'v1alpha1']);
    }
});
