/**
 * What to do now: a snapshot of the cluster in, a decision out. Pure: no request, no clock, no memory between calls. The shell gathers what
 * a decision asks for, carries it out and comes back when something changed.
 */
export type { PatchOperation } from '../json/index.ts';
export type { Answer, Decision, Effect, Event, Write } from './decision.ts';
export { decideAdapter } from './adapter/decide-adapter.ts';
export { scaledServiceIndex, scaledServiceOf } from './adapter/scaling-authority.ts';
export { decideComponent } from './component/decide-component.ts';
export { decideGraph } from './graph/decide-graph.ts';
export { appliedAdapterKey } from './model/applied-lora.ts';
export { decideModel } from './model/decide-model.ts';
export { adapterIndex, adaptersOf } from './model/shared-lora.ts';
export { decideRequest } from './request/decide-request.ts';
export { kinds } from './kinds.ts';
export { isSettled } from './settled.ts';
export { eventsOfDone } from './plan.ts';
export { rememberingRenderers } from './renderers.ts';
export { dockerConfigType, projectSecret } from './secret.ts';
export {
  lookupKey,
  type EffectResult,
  type Lookup,
  type ObjectKey,
  type ObjectKind,
  type RefusedWrite,
  type Snapshot,
} from './snapshot.ts';
