const kinds = ['DynamoComponentDeployment', 'DynamoGraphDeployment', 'DynamoModel', 'DynamoGraphDeploymentRequest'] as const;

/** The kinds with a validating webhook by the path of its URL, in the order of the original's ValidatingWebhookConfiguration. */
export const webhookKinds: ReadonlyMap<string, string> = new Map(
  kinds.map((kind) => [`/validate-nvidia-com-v1alpha1-${kind.toLowerCase()}`, kind]),
);
