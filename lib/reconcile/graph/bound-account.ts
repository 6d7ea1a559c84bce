import { isEqual, type Json, type JsonObject } from '../../json/index.ts';
import { accountBindingName, renderBoundAccount } from '../../render/index.ts';
import { failureOf, type GraphPass, type StagePlan } from './graph-pass.ts';
import { kinds } from '../kinds.ts';
import { controllerOf, guardedPatch, keyOf, uidOf } from '../metadata.ts';
import { foreignOwner } from '../ownership.ts';
import type { PlannedWrite } from '../plan.ts';

/** An account of a namespace that is bound to a role of the operator's chart. */
interface BoundAccount {
  readonly name: string;
  readonly role: string;
  /** Prefix of the original's errors about the account. */
  readonly chain: string;
  /** The original's error if no ClusterRole is configured, which lacks the prefix. */
  readonly bare: string;
}

/** Creates the account and its binding where they are missing. A binding to another role is replaced; wrong subjects are corrected. */
export function boundAccountPlan(pass: GraphPass, account: BoundAccount): StagePlan {
  if (pass.snapshot.config.restrictedNamespace !== '') return { steps: [] };
  const failure = failureOf(pass, account.chain, account.bare);
  if (failure !== undefined) return { steps: [], failure };
  const binding = accountBindingName(account.name);
  const rendered = pass.rendering.objects.flatMap(({ object, owner }) => (owner === undefined ? [object] : []));
  const wanted = (kind: string, name: string): JsonObject | undefined =>
    rendered.find((object) => object.kind === kind && object.metadata.name === name);
  const newAccount = wanted('ServiceAccount', account.name);
  const newBinding = wanted('RoleBinding', binding);
  const live = pass.reader.get(kinds.roleBinding, pass.namespace, binding);
  const create = (object: JsonObject, verb: string, what: string): PlannedWrite => ({
    write: { verb: 'create', target: keyOf(object), object },
    chain: `${account.chain}failed to ${verb} ${what}: `,
  });
  const creation = newAccount === undefined ? [] : [create(newAccount, 'create', 'service account')];
  if (live === undefined)
    return { steps: [[...creation, ...(newBinding === undefined ? [] : [create(newBinding, 'create', 'role binding')])]] };
  const correction = newBinding === undefined ? subjectCorrection(pass, account, live) : [];
  const changes = newBinding !== undefined || correction.length > 0;
  if (changes && controllerOf(live) !== undefined) return { steps: [creation], failure: `${account.chain}${foreignOwner(live)}` };
  if (newBinding === undefined) return { steps: [[...creation, ...correction]] };
  const removal: PlannedWrite = {
    write: { verb: 'delete', target: keyOf(live), uid: uidOf(live) },
    chain: `${account.chain}failed to delete role binding for recreation: `,
  };
  return { steps: [[...creation, removal], [create(newBinding, 'recreate', 'role binding')]] };
}

function subjectCorrection(pass: GraphPass, { name, role, chain }: BoundAccount, live: JsonObject): readonly PlannedWrite[] {
  const binding = renderBoundAccount(name, pass.namespace, role).find(({ kind }) => kind === 'RoleBinding');
  const body: object = binding?.body ?? {};
  const subjects = 'subjects' in body ? (body.subjects as Json) : [];
  if (isEqual(subjects, live['subjects'])) return [];
  const write = guardedPatch(live, [{ op: 'add', path: '/subjects', value: subjects }]);
  return [{ write, chain: `${chain}failed to update role binding: ` }];
}
