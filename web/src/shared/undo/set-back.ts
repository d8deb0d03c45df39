import type { Conflict } from '@zakup/contracts/problems';
import { batchDraft, maxBatchSize } from '../outbox/batch.ts';
import type { CommandDraft } from '../outbox/entry.ts';
import type { Replica } from '../replica/replica.ts';
import type { OwnAction, PlacementChange } from './own-action.ts';

/** The placement and the field that a conflict is about. */
export const conflictKey = (id: string, field: string): string => `${id} ${field}`;

/** The placement that a conflict is about. */
export const placementOf = ({ entity }: Conflict, action: OwnAction): string =>
  entity?.split(':')[1] ?? action.target.id;

/** The member of a call under which a field of the history travels. */
const memberOf = (field: string): string => (field === 'contractorId' ? 'contractor' : field);

/** Ordinary changes that give one placement what it had, all but what is left as it is now. */
const draftsFor = (
  { id, op, after, before }: PlacementChange,
  stays: ReadonlySet<string>,
  { label, scope }: OwnAction,
  replica: Pick<Replica, 'get'>,
): readonly CommandDraft[] => {
  const base = {
    target: { kind: 'placement', id },
    baseRevision: replica.get('placement', id)?.revision ?? null,
    label: `Вернуть прежнее: ${label}`,
    scope,
  } as const;
  const path = `/api/placements/${id}`;
  const isLeft = [...stays].some((key) => key.startsWith(`${id} `));
  switch (op) {
    case 'add':
    case 'restore':
      return isLeft || base.baseRevision === null ? [] : [{ ...base, method: 'DELETE', path, body: { deleted: true } }];
    case 'delete':
      return isLeft ? [] : [{ ...base, baseRevision: null, method: 'POST', path: `${path}/restore`, body: {} }];
    case 'change':
    case 'payment': {
      const staying = new Set(
        [...stays].flatMap((key) => (key.startsWith(`${id} `) ? memberOf(key.slice(id.length + 1)) : [])),
      );
      const body = Object.fromEntries(
        Object.keys(after).flatMap((member) =>
          staying.has(member) || before === null || !(member in before) ? [] : [[member, before[member]]],
        ),
      );
      if (Object.keys(body).length === 0) return [];
      return [
        op === 'change'
          ? { ...base, method: 'PATCH', path, body }
          : { ...base, method: 'POST', path: `${path}/payment`, body },
      ];
    }
  }
};

/** The action the other way round, to do it again what others changed since. */
export const reversed = (action: OwnAction): OwnAction => ({
  ...action,
  changes: action.changes.map(({ id, op, after, before }): PlacementChange => {
    if (op === 'change' || op === 'payment') return { id, op, after: before ?? {}, before: after };
    return { id, op: op === 'delete' ? 'restore' : 'delete', after: {}, before: {} };
  }),
});

/** Whether it is known what everything that the action changed was before. */
export const isKnown = ({ changes }: OwnAction): boolean =>
  changes.length > 0 &&
  changes.every(({ op, after, before }) =>
    op === 'change' || op === 'payment'
      ? Object.keys(after).every((member) => before !== null && member in before)
      : true,
  );

/**
 * One command of ordinary changes on the revisions of now that brings back what an action changed, but for what stays (keys as
 * `conflictKey`); null = there is nothing to do.
 */
export const setBackDraft = (
  action: OwnAction,
  stays: ReadonlySet<string>,
  replica: Pick<Replica, 'get'>,
): CommandDraft | null => {
  const drafts = action.changes.flatMap((change) => draftsFor(change, stays, action, replica)).slice(0, maxBatchSize);
  return drafts.length > 1 ? batchDraft(drafts, `Вернуть прежнее: ${action.label}`) : (drafts[0] ?? null);
};
