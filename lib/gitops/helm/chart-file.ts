import { toYaml } from '../../manifest/index.ts';
import { platformVersion } from '../../platform/index.ts';

/** `Chart.yaml` of a chart; `version` defaults to the platform's. */
export function chartFile(name: string, description: string, version: string = platformVersion): string {
  return toYaml({
    apiVersion: 'v2',
    name,
    description,
    type: 'application',
    version,
    appVersion: platformVersion,
    // 1.28 is the oldest tested version. Without the suffix -0, pre-releases such as 1.30.1-gke.100 do not match,
    // see https://github.com/Masterminds/semver#working-with-prerelease-versions
    kubeVersion: '>=1.28.0-0',
    icon: 'https://www.nvidia.com/favicon.ico',
    home: 'https://docs.nvidia.com/dynamo',
    keywords: ['dynamo', 'inference', 'llm', 'gpu'],
    maintainers: [{ name: 'dynamo-cdk8s' }],
  });
}
