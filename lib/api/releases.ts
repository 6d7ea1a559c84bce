/** The release whose CRDs, admission rules and rendering this package implements. */
export const ownRelease = '0.9';

/** Kinds and versions that only later releases serve, with the first release that does. */
const laterReleases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  DynamoGraphDeployment: { v1beta1: '1.2.1' },
  DynamoComponentDeployment: { v1beta1: '1.2.1' },
  DynamoGraphDeploymentScalingAdapter: { v1beta1: '1.2.1' },
  DynamoGraphDeploymentRequest: { v1beta1: '1.0.0' },
  DynamoCheckpoint: { v1alpha1: '1.0.0' },
  PodSnapshot: { v1alpha1: '1.3.1' },
  PodSnapshotContent: { v1alpha1: '1.3.1' },
};

/** The first release that serves a kind and version that `ownRelease` does not serve; undefined if none is known. */
export function firstReleaseOf(kind: string, version: string): string | undefined {
  const versions = Object.hasOwn(laterReleases, kind) ? laterReleases[kind] : undefined;
  return versions !== undefined && Object.hasOwn(versions, version) ? versions[version] : undefined;
}
