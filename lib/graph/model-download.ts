import type { ApiObjectProps } from 'cdk8s';
import type { Model } from './model.ts';
import { authoringError } from './user-line.ts';

/** Input of `downloadJob`. */
interface Download {
  readonly name: string;
  readonly claimName: string;
  readonly mountPath: string;
  readonly model: Model;
  readonly tokenSecretName: string;
}

/** The Job that fills a claim with a model's weights. */
export function downloadJob(download: Download): ApiObjectProps {
  const { name, claimName, mountPath, model, tokenSecretName } = download;
  const folder = model.kind === 'path';
  if (folder && !model.source.startsWith(`${mountPath}/`)) {
    throw authoringError(`model path ${model.source} must be below the cache's mount path ${mountPath}; change one of them`);
  }
  const env = [
    { name: 'HF_HOME', value: mountPath },
    { name: 'HF_HUB_ENABLE_HF_TRANSFER', value: '1' },
    { name: 'MODEL_NAME', value: model.repository },
    ...(model.revision === undefined ? [] : [{ name: 'MODEL_REVISION', value: model.revision }]),
  ];
  const revision = model.revision === undefined ? '' : ' --revision "$MODEL_REVISION"';
  const target = folder ? ` --local-dir "${model.source}"` : '';
  const secret = model.token === false ? undefined : (model.token?.name ?? tokenSecretName);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: {
      backoffLimit: 3,
      template: {
        metadata: { labels: { app: name } },
        spec: {
          restartPolicy: 'Never',
          containers: [
            {
              name: 'download',
              image: 'python:3.10-slim',
              command: ['sh', '-c'],
              args: [
                `set -eu\npip install --no-cache-dir huggingface_hub hf_transfer\nhf download "$MODEL_NAME"${revision}${target}\n`,
              ],
              env,
              ...(secret === undefined ? {} : { envFrom: [{ secretRef: { name: secret } }] }),
              volumeMounts: [{ name: 'model-cache', mountPath }],
            },
          ],
          volumes: [{ name: 'model-cache', persistentVolumeClaim: { claimName } }],
        },
      },
    },
  };
}
