/** The webhooks: which kind is asked about at which path. */
export const webhookKinds: ReadonlyMap<string, string> = new Map(
  ['DynamoComponentDeployment', 'DynamoGraphDeployment', 'DynamoModel', 'DynamoGraphDeploymentRequest'].map((kind) => [
    `/validate-nvidia-com-v1alpha1-${kind.toLowerCase()}`,
    kind,
  ]),
);
