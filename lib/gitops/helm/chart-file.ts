import { toYaml } from '../../manifest/index.ts';
import { platformVersion } from '../../platform/index.ts';

/** `Chart.yaml` of a chart; its version is the platform's unless told otherwise. */
export function chartFile(name: string, description: string, version: string = platformVersion): string {
  return toYaml({
    apiVersion: 'v2',
    name,
    description,
    type: 'application',
    version,
    appVersion: platformVersion,
    // 1.28 is the oldest version that is tested; the suffix admits versions of clouds, such as 1.30.1-gke.100
    kubeVersion: '>=1.28.0-0',
    icon: 'https://www.nvidia.com/favicon.ico',
    home: 'https://docs.nvidia.com/dynamo',
    keywords: ['dynamo', 'inference', 'llm', 'gpu'],
    maintainers: [{ name: 'dynamo-cdk8s' }],
  });
}
