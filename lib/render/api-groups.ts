/** API groups that change the rendering when the cluster serves them. */
export const apiGroup = {
  grove: 'grove.io',
  leaderWorkerSet: 'leaderworkerset.x-k8s.io',
  volcano: 'scheduling.volcano.sh',
  kai: 'scheduling.run.ai',
} as const;
