/**
 * What to do about a DynamoGraphDeploymentRequest: check it, have its model profiled, take the graph out of the result, create it if the request
 * asks for that, and follow its state. Pure: everything it knows is in the snapshot.
 */
import { findObject, isTrueAt, type JsonObject, stringAt } from '../../json/index.ts';
import { statusOf } from '../condition.ts';
import type { Answer, Decision } from '../decision.ts';
import { annotationsOf, generationOf, hasFinalizer, isDeleting, metadataPatch } from '../metadata.ts';
import { readerOf, type Reader } from '../reader.ts';
import type { Snapshot } from '../snapshot.ts';
import { acceptedSpec, acceptedSpecText, isEditRejected } from './accepted-spec.ts';
import { deployGraph } from './deploy-graph.ts';
import { followGraph } from './follow-graph.ts';
import { generateGraph } from './generate-graph.ts';
import { profilingProgress } from './profiling-progress.ts';
import { releaseRequest } from './release-request.ts';
import { requestAnnotation, type RequestState } from './request-keys.ts';
import { fail, moveTo, nothing } from './request-status.ts';
import { startProfiling } from './start-profiling.ts';
import { gpuDiscoveryWarning, validateRequest } from './validate-request.ts';

/** Decides what to do about a DynamoGraphDeploymentRequest now. */
export function decideRequest(snapshot: Snapshot): Answer {
  const reader = readerOf(snapshot);
  const decision = decide(snapshot, reader);
  const lookups = reader.missing();
  return lookups.length > 0 ? { answer: 'lookups', lookups } : { answer: 'decision', decision };
}

function decide(snapshot: Snapshot, reader: Reader): Decision {
  const { resource, refused } = snapshot;
  if (isDeleting(resource)) {
    if (refused !== undefined) return { steps: [], events: [], error: refused.message };
    return hasFinalizer(resource) ? releaseRequest(snapshot, reader) : nothing;
  }
  const rejection = rejectEdit(resource);
  if (rejection !== undefined) return rejection;
  const state = stringAt(statusOf(resource), 'state');
  // The profiler's output may be larger than the API server accepts. Any other refused write to the request itself is retried.
  if (refused?.target.kind === stringAt(resource, 'kind') && state !== 'Profiling')
    return { steps: [], events: [], error: refused.message };
  const step = isState(state) ? states[state] : unknownState;
  return withFinalizer(resource, step(snapshot, reader));
}

/** The decision function for each state of a request. */
const states: Readonly<Record<RequestState, (snapshot: Snapshot, reader: Reader) => Decision>> = {
  '': takeUp,
  Pending: startProfiling,
  Profiling: watchProfiling,
  Deploying: (snapshot, reader) => {
    if (!acceptedSpec(snapshot.resource).autoApply) return moveTo(snapshot, { state: 'Ready' });
    const deployment = findObject(statusOf(snapshot.resource), 'deployment');
    return isTrueAt(deployment, 'created') ? followGraph(snapshot, reader) : deployGraph(snapshot, reader);
  },
  Ready: (snapshot, reader) => {
    const { autoApply } = acceptedSpec(snapshot.resource);
    const isDeployed = findObject(statusOf(snapshot.resource), 'deployment') !== undefined;
    return autoApply && isDeployed ? followGraph(snapshot, reader) : nothing;
  },
  DeploymentDeleted: () => nothing,
  Failed: () => nothing,
};

function isState(state: string): state is RequestState {
  return Object.hasOwn(states, state);
}

function unknownState(snapshot: Snapshot): Decision {
  return moveTo(snapshot, { state: 'Failed' });
}

function takeUp(snapshot: Snapshot, reader: Reader): Decision {
  const { resource } = snapshot;
  const problem = validateRequest(snapshot, reader);
  if (problem !== undefined) return fail(snapshot, 'Validation', 'ValidationFailed', problem, 'ValidationFailed');
  const message = 'DynamoGraphDeploymentRequest spec is valid';
  return moveTo(snapshot, {
    state: 'Pending',
    before: [
      metadataPatch(resource, {
        finalizer: 'add',
        annotations: { [requestAnnotation.acceptedSpec]: acceptedSpecText(resource) },
      }),
    ],
    fields: { backend: stringAt(resource, 'spec', 'backend'), observedGeneration: generationOf(resource) },
    conditions: [{ type: 'Validation', status: 'True', reason: 'ValidationPassed', message }],
    events: [
      { type: 'Normal', reason: 'Initialized', message: 'DGDR initialized successfully' },
      ...gpuDiscoveryWarning(snapshot),
    ],
  });
}

function watchProfiling(snapshot: Snapshot, reader: Reader): Decision {
  const found = profilingProgress(snapshot.resource, reader);
  if (found.progress === 'running') return nothing;
  if (found.progress === 'complete') return generateGraph(snapshot, reader);
  return fail(snapshot, 'Profiling', 'ProfilingFailed', found.message, 'ProfilingCheckFailed');
}

/** An edit after the profiler started leads to one event and changes nothing: the accepted spec stays in effect. */
function rejectEdit(resource: JsonObject): Decision | undefined {
  const generation = String(generationOf(resource));
  const key = requestAnnotation.rejectedGeneration;
  if (!isEditRejected(resource) || stringAt(annotationsOf(resource), key) === generation) return undefined;
  const message = [
    `Cannot modify spec in state '${stringAt(statusOf(resource), 'state')}'.`,
    'DynamoGraphDeploymentRequest is immutable once profiling starts. Create a new resource with a different name instead.',
  ].join(' ');
  return {
    steps: [metadataPatch(resource, { annotations: { [key]: generation } })],
    events: [{ type: 'Warning', reason: 'SpecChangeRejected', message }],
  };
}

/** The finalizer is added first where no other metadata is written. */
function withFinalizer(resource: JsonObject, decision: Decision): Decision {
  if (hasFinalizer(resource) || decision.steps.flat().some(({ verb }) => verb === 'patch')) return decision;
  return { ...decision, steps: [metadataPatch(resource, { finalizer: 'add' }), ...decision.steps] };
}
