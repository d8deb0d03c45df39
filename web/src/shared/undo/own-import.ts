import type { ImportWire } from '@zakup/contracts/imports';
import { importLabel } from '../import/import-state.ts';
import type { OwnAction, OwnImport } from './own-action.ts';

export const isImport = (action: OwnAction): action is OwnAction & { readonly imported: OwnImport } =>
  action.imported !== undefined;

/** An import that has just begun; `at`: milliseconds since the epoch. */
export const importAction = (begun: ImportWire, at: number): OwnAction => {
  const { id, campaignId, report } = begun;
  return {
    id,
    last: id,
    state: 'done',
    label: importLabel(begun),
    nick: null,
    at,
    order: 0,
    scope: `campaign:${campaignId}`,
    target: { kind: 'import', id },
    changes: [],
    imported: { added: report.willAdd, changed: report.willChange, running: true, undoId: null },
  };
};

/** Whether there is something of it that could be undone or repeated. */
export const isListed = ({ imported }: OwnAction): boolean =>
  imported === undefined || (!imported.running && imported.added + imported.changed > 0);

/** Whether nobody but another person could bring it in again. */
export const isUndoneElsewhere = ({ state, imported }: OwnAction): boolean =>
  state === 'undone' && imported?.undoId === null;

/** Nothing of it is in effect, or what comes again has not come yet. */
const isTakenBack = ({ undo }: ImportWire): boolean =>
  undo !== undefined && (undo.status === 'done' ? !undo.restores : undo.restores);

/** The command that took it back last, where the person gave it, from wherever; another's is theirs to undo. */
const ownUndoOf = ({ by, undo }: ImportWire, before: string | null): string | null => {
  if (undo === undefined || undo.by !== by) return null;
  // What stopped on its way back is what was undone before.
  return undo.restores ? before : undo.commandId;
};

/** The action as its document tells it; the same one where that is no news. */
export const asTold = (action: OwnAction & { readonly imported: OwnImport }, doc: ImportWire): OwnAction => {
  const { imported, state } = action;
  const { added, changed } = doc;
  const running = doc.status === 'running';
  const isMoving = running || doc.undo?.status === 'running';
  const told = isMoving ? state : isTakenBack(doc) ? 'undone' : 'done';
  const undoId = isMoving ? imported.undoId : told === 'undone' ? ownUndoOf(doc, imported.undoId) : null;
  const now = { ...imported, added, changed, running, undoId };
  const isNews = (Object.keys(now) as (keyof OwnImport)[]).some((member) => now[member] !== imported[member]);
  return told === state && !isNews ? action : { ...action, state: told, imported: now };
};
