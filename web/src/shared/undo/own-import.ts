import type { ImportWire } from '@zakup/contracts/imports';
import { rowsText } from '../import/rows-text.ts';
import type { OwnAction, OwnImport } from './own-action.ts';

export const isImport = (action: OwnAction): action is OwnAction & { readonly imported: OwnImport } =>
  action.imported !== undefined;

/** An import that has just begun; `at`: milliseconds since the epoch. */
export const importAction = ({ id, campaignId, name, total, report }: ImportWire, at: number): OwnAction => ({
  id,
  last: id,
  state: 'done',
  label: `Импорт: ${[rowsText(total), name === '' ? null : `файл ${name}`].filter((part) => part !== null).join(', ')}`,
  nick: null,
  at,
  order: 0,
  scope: `campaign:${campaignId}`,
  target: { kind: 'import', id },
  changes: [],
  imported: { added: report.willAdd, changed: report.willChange, running: true, undoId: null },
});

/** Whether there is something of it that could be undone or repeated. */
export const isListed = ({ imported }: OwnAction): boolean =>
  imported === undefined || (!imported.running && imported.added + imported.changed > 0);

/** Whether nobody but another place could bring it in again. */
export const isUndoneElsewhere = ({ state, imported }: OwnAction): boolean =>
  state === 'undone' && imported?.undoId === null;

/** Nothing of it is in effect, or what comes again has not come yet. */
const isTakenBack = ({ undo }: ImportWire): boolean =>
  undo !== undefined && (undo.status === 'done' ? !undo.restores : undo.restores);

/** The action as its document tells it; the same one where that is no news. */
export const asTold = (action: OwnAction & { readonly imported: OwnImport }, doc: ImportWire): OwnAction => {
  const { imported, state } = action;
  const { added, changed } = doc;
  const running = doc.status === 'running';
  const isMoving = running || doc.undo?.status === 'running';
  const told = isMoving ? state : isTakenBack(doc) ? 'undone' : 'done';
  if (imported.added === added && imported.changed === changed && imported.running === running && told === state)
    return action;
  return { ...action, state: told, imported: { ...imported, added, changed, running } };
};
