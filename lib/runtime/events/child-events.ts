import type { Event } from '../../reconcile/index.ts';

/** A write of one pass to a child of the object that is reconciled. */
export interface ChildWrite {
  readonly verb: 'create' | 'update' | 'delete';
  readonly kind: string;
  readonly name: string;
  /** Why it failed, in the API server's words. */
  readonly error?: string;
}

const verbs = {
  create: { reason: 'Create', done: 'Created' },
  update: { reason: 'Update', done: 'Updated' },
  delete: { reason: 'Delete', done: 'Deleted' },
} as const;

/** The events of one pass on the parent: one for each verb and kind that did something, naming every child, and one for each failure. */
export function childEvents(writes: readonly ChildWrite[]): readonly Event[] {
  const done = new Map<string, { readonly write: ChildWrite; readonly names: string[] }>();
  const failed: Event[] = [];
  for (const write of writes) {
    const { verb, kind, name, error } = write;
    const reason = `${verbs[verb].reason}${kind}`;
    if (error !== undefined) {
      failed.push({ type: 'Warning', reason, message: `Failed to ${verb} ${kind} ${name}: ${error}` });
      continue;
    }
    const group = done.get(reason) ?? { write, names: [] };
    if (!group.names.includes(name)) group.names.push(name);
    done.set(reason, group);
  }
  const succeeded = [...done].map(([reason, { write, names }]): Event => ({
    type: 'Normal',
    reason,
    message: `${verbs[write.verb].done} ${write.kind} ${names.join(', ')}`,
  }));
  return [...succeeded, ...failed];
}
