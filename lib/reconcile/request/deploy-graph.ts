import { findObject, type JsonObject, objectAt, stringAt, withoutNulls } from '../../json/index.ts';
import { statusOf, type Condition } from '../condition.ts';
import type { Decision, Event } from '../decision.ts';
import { kinds } from '../kinds.ts';
import { keyOf, labelsOf } from '../metadata.ts';
import type { Reader } from '../reader.ts';
import type { Snapshot } from '../snapshot.ts';
import { acceptedSpec } from './accepted-spec.ts';
import { afterFailure, deploymentReady, waitingForReady } from './deployment-ready.ts';
import { refusedWriteOf } from './refusal.ts';
import { trackingLabel, trackingLabels } from './request-keys.ts';
import { isTold, moveTo } from './request-status.ts';

/** Seconds until the next look at a foreign graph of the same name. Its changes do not trigger a pass over the request. */
const conflictSeconds = 60;

const creationFailed = 'DeploymentCreationFailed';

/** Creates the graph of a request. An existing graph of that name is accepted if it was created for this request; any other blocks it. */
export function deployGraph(snapshot: Snapshot, reader: Reader): Decision {
  const { resource } = snapshot;
  const generated = findObject(statusOf(resource), 'generatedDeployment');
  if (generated === undefined) return { steps: [], events: [], error: 'generatedDeployment is not set' };
  const graph = wantedGraph(resource, generated);
  const target = keyOf(graph);
  const refused = refusedWriteOf(snapshot, 'create', kinds.graph.kind);
  if (refused !== undefined) return { ...cannotDeploy(snapshot, creationFailed, refused.message), error: refused.message };
  const live = reader.get(kinds.graph, target.namespace, target.name);
  if (live !== undefined && !isMadeFor(resource, live)) return inTheWay(snapshot, live);
  const fields = { deployment: { name: target.name, namespace: target.namespace, state: 'pending', created: true } };
  // The graph may be ready already, so that no change of it would lead to another pass.
  if (live !== undefined) {
    const told = afterFailure(statusOf(resource), target.name);
    return { ...moveTo(snapshot, { state: 'Deploying', fields, ...told }), lookAgainSeconds: 0 };
  }
  return moveTo(snapshot, {
    state: 'Deploying',
    before: [[{ verb: 'create', target, object: graph }]],
    fields,
    deployment: waitingForReady(target.name),
    events: [
      { type: 'Normal', reason: 'DeploymentCreated', message: `DynamoGraphDeployment ${target.name} created successfully` },
    ],
  });
}

/** The generated graph with the request's overrides. The labels that lead back to the request cannot be overridden. */
function wantedGraph(request: JsonObject, generated: JsonObject): JsonObject {
  const { overrides } = acceptedSpec(request);
  const { namespace, name } = keyOf(request);
  const metadata = objectAt(generated, 'metadata');
  const annotations = { ...objectAt(metadata, 'annotations'), ...objectAt(overrides, 'annotations') };
  return {
    ...kinds.graph,
    metadata: {
      name: stringAt(overrides, 'name') || stringAt(metadata, 'name'),
      namespace: stringAt(overrides, 'namespace') || namespace,
      labels: { ...labelsOf(generated), ...objectAt(overrides, 'labels'), ...trackingLabels(name, namespace) },
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    // The API server drops nulls from fields that are not nullable.
    spec: withoutNulls(objectAt(generated, 'spec')),
  };
}

function isMadeFor(request: JsonObject, graph: JsonObject): boolean {
  const labels = labelsOf(graph);
  const { namespace, name } = keyOf(request);
  return stringAt(labels, trackingLabel.name) === name && stringAt(labels, trackingLabel.namespace) === namespace;
}

function inTheWay(snapshot: Snapshot, live: JsonObject): Decision {
  const { namespace, name } = keyOf(live);
  const owner = stringAt(labelsOf(live), trackingLabel.name);
  const message = [
    `DynamoGraphDeployment ${namespace}/${name} exists already and was not made for this request${owner === '' ? '' : ` but for ${owner}`}:`,
    'delete it, or make a request with another spec.deploymentOverrides.name',
  ].join(' ');
  return { ...cannotDeploy(snapshot, 'DeploymentConflict', message), lookAgainSeconds: conflictSeconds };
}

/** Tells in the status why there is no graph, and in an event when the reason is a new one. */
function cannotDeploy(snapshot: Snapshot, reason: string, message: string): Decision {
  const deployment: Condition = { type: deploymentReady, status: 'False', reason, message };
  const events: readonly Event[] = isTold(snapshot, deployment) ? [] : [{ type: 'Warning', reason: creationFailed, message }];
  return moveTo(snapshot, { state: 'Deploying', deployment, events });
}
