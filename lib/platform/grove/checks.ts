import type { Issue } from '../../api/index.ts';
import type { CheckedPart } from '../checked-part.ts';
import type { JsonObject } from '../../json/index.ts';
import { atPath, truthy } from '../go-values.ts';
import { missingBlocks } from '../needed-blocks.ts';

const neededBlocks = [
  'image config config.runtimeClientConnection config.leaderElection config.server config.server.webhooks config.server.healthProbes',
  'config.server.metrics config.controllers config.controllers.podCliqueSet config.controllers.podClique config.debugging',
  'config.authorizer serviceAccount deployment service clusterRole clusterRoleBinding priorityClass',
];

function imageIssues(values: JsonObject): readonly Issue[] {
  const message = 'must not be empty: the image reference would be invalid; remove the key to use the default';
  const missing = ['repository', 'tag'].filter((key) => !truthy(atPath(values, 'image', key)));
  return missing.map((key) => ({ path: ['grove', 'image', key], code: 'required', message }));
}

/** Checks the effective values: blocks that the templates require, then the image. */
export function checkGrove(values: JsonObject): CheckedPart {
  const missing = missingBlocks('grove', values, neededBlocks);
  const isUnrenderable = missing.length > 0;
  return { issues: isUnrenderable ? missing : imageIssues(values), warnings: [], isUnrenderable };
}
