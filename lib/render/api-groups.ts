/** API groups whose presence changes what is rendered. */
export const apiGroup = {
  grove: 'grove.io',
  leaderWorkerSet: 'leaderworkerset.x-k8s.io',
  volcano: 'scheduling.volcano.sh',
  kai: 'scheduling.run.ai',
} as const;
