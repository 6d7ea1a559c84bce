import { type JsonObject, objectAt, stringAt } from '../../json/index.ts';
import { conditionOf, statusOf, type Condition } from '../condition.ts';
import type { Decision, Event } from '../decision.ts';
import { kinds } from '../kinds.ts';
import type { Reader } from '../reader.ts';
import type { Snapshot } from '../snapshot.ts';
import { afterFailure, deploymentReady as type } from './deployment-ready.ts';
import { moveTo } from './request-status.ts';

/** Updates the state of a request from its graph. A deleted graph is not created again. */
export function followGraph(snapshot: Snapshot, reader: Reader): Decision {
  const status = statusOf(snapshot.resource);
  const deployment = objectAt(status, 'deployment');
  const name = stringAt(deployment, 'name');
  const graph = reader.get(kinds.graph, stringAt(deployment, 'namespace'), name);
  if (graph === undefined) return deploymentDeleted(snapshot, deployment, name);
  // A graph that has not been reconciled yet has no state.
  const graphState = stringAt(statusOf(graph), 'state') || 'pending';
  const fields = { deployment: { ...deployment, state: graphState } };
  const isReady = stringAt(status, 'state') === 'Ready';
  if (graphState === 'successful') {
    if (isReady) return moveTo(snapshot, { state: 'Ready', fields });
    const message = `DynamoGraphDeployment ${name} is ready`;
    return moveTo(snapshot, {
      state: 'Ready',
      fields,
      deployment: { type, status: 'True', reason: 'DeploymentReady', message },
      events: [{ type: 'Normal', reason: 'DeploymentReady', message }],
    });
  }
  const told = graphState === 'failed' ? { deployment: failedCondition(graph, name) } : afterFailure(status, name);
  if (!isReady) return moveTo(snapshot, { state: 'Deploying', fields, ...told });
  const degraded: Condition = {
    type,
    status: 'False',
    reason: 'DeploymentDegraded',
    message: `Deployment degraded to ${graphState}`,
  };
  const message = `DynamoGraphDeployment ${name} degraded from Ready to ${graphState}`;
  const events: readonly Event[] = [{ type: 'Warning', reason: 'DeploymentDegraded', message }];
  return moveTo(snapshot, { state: 'Deploying', fields, deployment: degraded, events });
}

function deploymentDeleted(snapshot: Snapshot, deployment: JsonObject, name: string): Decision {
  return moveTo(snapshot, {
    state: 'DeploymentDeleted',
    fields: { deployment: { ...deployment, state: '' } },
    deployment: {
      type,
      status: 'False',
      reason: 'DeploymentDeleted',
      message: 'Deployment was deleted by user. Create a new DGDR to redeploy.',
    },
    events: [
      {
        type: 'Warning',
        reason: 'DeploymentDeleted',
        message: `DGD ${name} was deleted. DGDR will not recreate it. Delete this DGDR and create a new one to redeploy.`,
      },
    ],
  });
}

/** Why a graph failed: the message of its Ready condition. */
function failedCondition(graph: JsonObject, name: string): Condition {
  const ready = conditionOf(statusOf(graph), 'Ready');
  const reason = stringAt(ready, 'reason') || 'DeploymentFailed';
  const message = stringAt(ready, 'message') || `DynamoGraphDeployment ${name} failed`;
  return { type, status: 'False', reason, message };
}
