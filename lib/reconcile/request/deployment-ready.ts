import { stringAt, type JsonObject } from '../../json/index.ts';
import { conditionOf, type Condition } from '../condition.ts';

/** The condition that tells of the graph of a request. */
export const deploymentReady = 'DeploymentReady';

/** The condition of a request whose graph is there and not ready yet. */
export function waitingForReady(graph: string): Condition {
  return {
    type: deploymentReady,
    status: 'False',
    reason: 'DeploymentCreated',
    message: `DGD ${graph} created, waiting for Ready`,
  };
}

/** Reasons for not being ready that hold until the graph is ready. */
const lasting: ReadonlySet<string> = new Set(['DeploymentCreated', 'DeploymentDegraded']);

/** The condition of waiting, to replace a failure that is over; nothing if the status tells of no such failure. */
export function afterFailure(status: JsonObject, graph: string): { readonly deployment?: Condition } {
  const told = conditionOf(status, deploymentReady);
  const isOver = stringAt(told, 'status') === 'False' && !lasting.has(stringAt(told, 'reason'));
  return isOver ? { deployment: waitingForReady(graph) } : {};
}
