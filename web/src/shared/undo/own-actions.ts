import type { ImportWire } from '@zakup/contracts/imports';
import type { Conflict, UndoCounts } from '@zakup/contracts/problems';
import { areListed, keyOf } from '../history/undo-conflicts.ts';
import { stateText } from '../import/import-state.ts';
import { type CommandDraft, draftOf, type Entry, givenBy, isUnsent, undoPath } from '../outbox/entry.ts';
import { formatNumber } from '@zakup/domain/russian';
import type { UndoChoice } from '@zakup/domain/undo';
import type { Outbox } from '../outbox/outbox.ts';
import type { Replica } from '../replica/replica.ts';
import { keepItem } from '../storage/keep-item.ts';
import { toasts } from '../toasts/toasts.ts';
import { actionText } from './action-labels.ts';
import { isOwnChange } from './carried-out.ts';
import {
  type ActionStack,
  changesOf,
  emptyStack,
  left,
  type OwnAction,
  parsedStack,
  type ReadBefore,
  redone,
  undone,
  withAction,
  withChanged,
  withoutAction,
  withoutRedo,
} from './own-action.ts';
import { asTold, importAction, isImport, isListed, isUndoneElsewhere } from './own-import.ts';
import { conflictKey, isKnown, placementOf, reversed, setBackDraft } from './set-back.ts';
import { withdrawOffer } from './undo-requests.ts';

/** An action as it stands now. */
export interface ListedAction {
  readonly action: OwnAction;
  /** `unsent`: the server does not have it yet. `busy`: it is being undone or repeated. */
  readonly state: OwnAction['state'] | 'unsent' | 'busy';
}

/** What stands against undoing an action, or against repeating it. */
export interface UndoConflict {
  readonly action: OwnAction;
  /** What it did. */
  readonly text: string;
  readonly way: 'undo' | 'redo';
  readonly conflicts: readonly Conflict[];
  /** All of the action can be set by ordinary changes. */
  readonly known: boolean;
  /** Of an action on many placements, about which is chosen as a whole; null = field by field. */
  readonly rows: UndoCounts | null;
  /** Of such an action: what is in conflict is so little that each field can be chosen, and set by an ordinary change. */
  readonly byField: boolean;
}

export interface OwnActionsDeps {
  readonly outbox: Pick<Outbox, 'issue' | 'withdraw' | 'dismiss' | 'entries' | 'entriesOf' | 'subscribe'>;
  readonly replica: Pick<Replica, 'get' | 'position' | 'drawn' | 'subscribeKind'>;
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly key: string;
  /** Changes that were carried out before this was there; what they changed from is not known any more. */
  readonly earlier?: readonly Entry[];
}

/** Whether all conflicts are listed, and are about fields of placements of which it is known what they had. */
const canChooseFields = (told: OwnAction, conflicts: readonly Conflict[], rows: UndoCounts): boolean => {
  const ids = new Set(conflicts.map((one) => placementOf(one, told)));
  const changes = told.changes.filter(({ id }) => ids.has(id));
  return (
    areListed(conflicts, rows) &&
    (rows.denied ?? 0) === 0 &&
    isKnown({ ...told, changes }) &&
    changes.every(({ op }) => op === 'change' || op === 'payment') &&
    conflicts.every(({ field }) => field !== 'deleted')
  );
};

const newestFirst = ({ action: a }: ListedAction, { action: b }: ListedAction): number =>
  b.at - a.at || b.order - a.order;

/** What a person did to placements last, learnt from the outbox and kept from one start to the next, with the ways back and forth. */
export class OwnActions {
  readonly #deps: OwnActionsDeps;
  readonly #listeners = new Set<() => void>();
  readonly #stop: () => void;
  /** What the entries of the outbox did, as told when they came. */
  readonly #seen = new Map<string, OwnAction>();
  /** Taken back before they were sent. */
  readonly #withdrawn = new Map<string, CommandDraft>();
  /** Commands that undo or repeat, whose end is to be told here. */
  readonly #awaited = new Set<string>();
  /** Imports of which the server has begun to undo or repeat what it wrote, by id, with the position of that. */
  readonly #going = new Map<string, { readonly way: UndoConflict['way']; readonly position: number }>();
  /** Imports that began while this was there: the replica may not have them yet. */
  readonly #begunHere = new Set<string>();
  /** Placements that stay as others left them, by the action of which the rest goes back or forth. */
  readonly #staying = new Map<string, number>();
  /** To be repeated as soon as the server has undone it. */
  #wished: string | null = null;
  #stack: ActionStack = emptyStack;
  /** As it is stored. */
  #text: string | null = null;
  #list: readonly ListedAction[] | null = null;
  #conflict: UndoConflict | null = null;
  #question: OwnAction | null = null;
  #toast = 0;
  /** What comes now is no new change. */
  #repeating = true;

  constructor(deps: OwnActionsDeps) {
    this.#deps = deps;
    this.#read();
    for (const { path, id } of deps.outbox.entries()) if (path === undoPath) this.#awaited.add(id);
    this.#look();
    this.#repeating = false;
    this.#lookAtEarlier(deps.earlier ?? []);
    const stops = [
      deps.outbox.subscribe(this.#look),
      deps.replica.subscribeKind('import', () => this.#lookAtImports()),
    ];
    this.#stop = () => {
      for (const stop of stops) stop();
    };
  }

  /** Newest first; the same array while nothing changed. */
  readonly list = (): readonly ListedAction[] => (this.#list ??= this.#listed());

  /** An import that is to be undone, once the person says so. */
  readonly question = (): OwnAction | null => this.#question;

  /** Waits for the person. */
  readonly conflict = (): UndoConflict | null => this.#conflict;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Another tab wrote what is stored. */
  readonly reread = (): void => {
    this.#read();
    this.#tell();
  };

  close(): void {
    this.#stop();
  }

  undoLast(): void {
    if (this.#wished !== null) {
      this.#wished = null;
      return;
    }
    const last = this.list().find(({ state }) => state === 'done' || state === 'unsent');
    if (last === undefined) toasts.info('Отменять нечего');
    else this.undo(last.action.id);
  }

  redoLast(): void {
    const id = this.#stack.redo.findLast((one) => ['undone', 'busy'].includes(this.#listedOf(one)?.state ?? ''));
    if (id === undefined) toasts.info('Повторять нечего');
    else if (this.#listedOf(id)?.state !== 'busy') this.redo(id);
    else if (this.#stack.actions.some((action) => action.id === id && isImport(action)))
      toasts.info('Импорт ещё отменяется: повторить можно после этого');
    else this.#wished = id;
  }

  undo(id: string): void {
    const listed = this.#listedOf(id);
    if (listed === undefined) toasts.info('Отменять нечего');
    if (listed === undefined || !['done', 'unsent', 'left'].includes(listed.state)) return;
    const { action } = listed;
    if (isImport(action)) {
      this.#question = action;
      this.#tell();
      return;
    }
    withdrawOffer(id);
    const entry = this.#deps.outbox.entries().find((one) => one.id === id);
    this.#change((stack) => withAction(stack, action));
    if (entry !== undefined && listed.state === 'unsent' && this.#deps.outbox.withdraw(id)) {
      this.#withdrawn.set(id, draftOf(entry));
      this.#change((stack) => undone(stack, id, id));
      this.#told('undo', action);
      return;
    }
    this.#send('undo', action);
  }

  redo(id: string): void {
    const listed = this.#listedOf(id);
    if (listed?.state !== 'undone') return;
    if (isUndoneElsewhere(listed.action)) {
      toasts.info('Импорт отменил другой сотрудник: повторить его может только он');
      return;
    }
    const draft = this.#withdrawn.get(id);
    if (draft === undefined) {
      this.#send('redo', listed.action);
      return;
    }
    this.#withdrawn.delete(id);
    const { redo } = this.#stack;
    this.#repeating = true;
    this.#deps.outbox.issue(draft);
    this.#repeating = false;
    this.#change((stack) => withoutAction({ ...stack, redo }, id));
    this.#told('redo', listed.action);
  }

  /** An import began here; it is listed once it has ended. */
  addImport(started: ImportWire): void {
    this.#begunHere.add(started.id);
    this.#change((stack) => withoutRedo(withAction(stack, importAction(started, Date.now()))));
    this.#lookAtImports();
  }

  /** The person answered the question. */
  answer(isYes: boolean): void {
    const action = this.#question;
    this.#question = null;
    if (isYes && action !== null) this.#send('undo', action);
    this.#tell();
  }

  /** The person chose what becomes of a conflict; `stays`: what is left as it is, keys as `conflictKey`, null = all. */
  resolve(stays: ReadonlySet<string> | null): void {
    const conflict = this.#conflict;
    if (conflict === null) return;
    const { action, way } = conflict;
    this.#conflict = null;
    this.#change((stack) => left(stack, action.id));
    if (stays === null) return;
    const draft = setBackDraft(way === 'undo' ? action : reversed(action), stays, this.#deps.replica);
    if (draft !== null) this.#deps.outbox.issue(draft);
  }

  /**
   * The person chose what becomes of the placements that others changed: the rest goes back without them, or all of them. `back`: fields
   * of them (keys as `keyOf`) that are set as they were by an ordinary change of their placements, beside the rest.
   */
  choose(choice: UndoChoice, back: ReadonlySet<string>): void {
    const conflict = this.#conflict;
    if (conflict === null) return;
    const { action, way, rows, conflicts } = conflict;
    this.#conflict = null;
    const draft = back.size === 0 ? null : this.#fieldsBack(conflict, back);
    const goBack = new Set(conflicts.flatMap((one) => (back.has(keyOf(one)) ? [placementOf(one, action)] : [])));
    if (rows !== null && choice === 'skip' && rows.placements === rows.changed)
      this.#change((stack) => left(stack, action.id));
    else {
      this.#send(way, action, choice);
      if (choice === 'skip' && rows !== null) this.#staying.set(action.id, rows.changed - goBack.size);
    }
    if (draft !== null) this.#deps.outbox.issue(draft);
    this.#tell();
  }

  /** Ordinary changes of the placements with a chosen field: that, and what nobody else changed in them. */
  #fieldsBack({ action, way, conflicts }: UndoConflict, back: ReadonlySet<string>): CommandDraft | null {
    const told = way === 'undo' ? action : reversed(action);
    const chosen = new Set(conflicts.filter((one) => back.has(keyOf(one))).map((one) => placementOf(one, action)));
    const stays = conflicts.filter((one) => !back.has(keyOf(one)));
    return setBackDraft(
      { ...told, changes: told.changes.filter(({ id }) => chosen.has(id)) },
      new Set(stays.map((one) => conflictKey(placementOf(one, action), one.field))),
      this.#deps.replica,
    );
  }

  /** The conflict is put away, and nothing becomes of it. */
  putAway(): void {
    this.#conflict = null;
    this.#tell();
  }

  #send(way: UndoConflict['way'], action: OwnAction, choice?: UndoChoice): void {
    const { scope, target, changes, last } = action;
    this.#staying.delete(action.id);
    const [only, ...more] = way === 'undo' ? changes : reversed(action).changes;
    const draft: CommandDraft = {
      target,
      method: 'POST',
      path: undoPath,
      body: {
        commandId: isImport(action) ? ((way === 'redo' ? action.imported.undoId : null) ?? action.id) : last,
        ...(choice !== undefined && { onConflict: choice }),
      },
      baseRevision: null,
      gives: only === undefined || more.length > 0 ? {} : givenBack(only),
      label: `${way === 'undo' ? 'Отмена' : 'Повтор'}: ${actionText(this.#deps.replica, action)}`,
      scope: isImport(action) ? 'me' : scope,
    };
    const id = this.#deps.outbox.issue(draft);
    this.#awaited.add(id);
    this.#change((stack) => (way === 'undo' ? undone : redone)(stack, action.id, id));
    if (way === 'undo') this.#noteUndo(action.id, id);
  }

  readonly #look = (): void => {
    for (const entry of this.#deps.outbox.entries()) {
      if (isOwnChange(entry)) this.#lookAtChange(entry);
      else if (entry.path === undoPath && this.#awaited.has(entry.id)) this.#lookAtUndo(entry);
    }
    this.#lookAtImports();
  };

  #lookAtEarlier(entries: readonly Entry[]): void {
    const known = new Set([...this.#stack.actions.map(({ id }) => id), ...this.#seen.keys()]);
    for (const entry of entries) if (!known.has(entry.id)) this.#lookAtChange(entry, () => null);
  }

  #lookAtChange(entry: Entry, before?: ReadBefore): void {
    if (!this.#seen.has(entry.id)) {
      this.#seen.set(entry.id, this.#actionOf(entry, before));
      if (!this.#repeating) this.#change(withoutRedo);
    }
    const action = this.#seen.get(entry.id);
    if (action === undefined) return;
    const isKept = this.#stack.actions.some(({ id }) => id === entry.id);
    if (entry.state.kind === 'rejected' && isKept) this.#change((stack) => withoutAction(stack, entry.id));
    if (entry.state.kind !== 'acknowledged' || isKept) return;
    // Of a batch only what was carried out.
    const done = entry.parts === undefined ? null : new Set(entry.parts.map(({ target }) => target.id));
    const changes = done === null ? action.changes : action.changes.filter(({ id }) => done.has(id));
    this.#change((stack) => withAction(stack, { ...action, changes }));
  }

  #lookAtUndo({ id, state, body }: Entry): void {
    if (state.kind !== 'acknowledged' && state.kind !== 'rejected') return;
    this.#awaited.delete(id);
    const action = this.#stack.actions.find(({ last }) => last === id);
    const way = action?.state === 'undone' ? 'undo' : 'redo';
    const isWished = action !== undefined && action.id === this.#wished;
    if (isWished) this.#wished = null;
    if (state.kind === 'acknowledged') {
      if (action === undefined) return;
      if (isImport(action)) {
        this.#going.set(action.id, { way, position: state.position });
        toasts.dismiss(this.#toast);
        this.#toast = toasts.info(`${way === 'undo' ? 'Отменяется' : 'Повторяется'}: ${action.label}`);
        this.#lookAtImports();
        return;
      }
      this.#told(way, action, body['onConflict'] === 'skip' ? this.#staying.get(action.id) : 0);
      if (isWished) queueMicrotask(() => this.redo(action.id));
      return;
    }
    this.#deps.outbox.dismiss(id);
    if (action === undefined) return;
    const before = String(body['commandId']);
    this.#change((stack) => {
      // There is nothing of it on the server.
      if (state.code === 'NOT_FOUND' && before === action.id) return withoutAction(stack, action.id);
      return way === 'undo' ? redone(stack, action.id, before) : undone(stack, action.id, before);
    });
    if (way === 'undo') this.#noteUndo(action.id, null);
    const { conflicts = [] } = state;
    if (conflicts.length > 0) {
      const told = way === 'undo' ? action : reversed(action);
      // By what it did itself: the server counts only what it still stands for, and `resolve` sets all of it back.
      const isSingle = new Set(action.changes.map((change) => change.id)).size === 1;
      const rows = isSingle ? null : (state.undo ?? null);
      this.#conflict = {
        action: { ...action, last: before },
        way,
        conflicts,
        known: isKnown(told),
        rows,
        byField: rows !== null && canChooseFields(told, conflicts, rows),
        text: actionText(this.#deps.replica, told),
      };
      this.#tell();
      return;
    }
    const what = actionText(this.#deps.replica, action);
    toasts.error(`${way === 'undo' ? 'Не отменено' : 'Не повторено'}: ${what}. ${state.reason}`);
  }

  /** Of an import: the command that undoes it, by which it can be repeated. */
  #noteUndo(importId: string, undoId: string | null): void {
    this.#change((stack) => {
      const action = stack.actions.find(({ id }) => id === importId);
      if (action === undefined || !isImport(action)) return stack;
      return withChanged(stack, { ...action, imported: { ...action.imported, undoId } });
    });
  }

  #lookAtImports(): void {
    const { replica, outbox } = this.#deps;
    for (const [id, { way, position }] of this.#going) {
      const doc = replica.get('import', id);
      // It goes with the end of its undo where another import of the campaign came after.
      const at = doc === null ? replica.position('me') : doc.position;
      if (at !== null && at >= position) this.#ended(id, way, doc);
    }
    const onItsWay = new Set(outbox.entries().map(({ id }) => id));
    for (const action of this.#stack.actions) {
      if (!isImport(action) || onItsWay.has(action.last) || this.#going.has(action.id)) continue;
      const doc = replica.get('import', action.id);
      const { imported } = action;
      const isOver = doc === null && imported.running && replica.drawn('me') && !this.#begunHere.has(action.id);
      const told = isOver
        ? { ...action, imported: { ...imported, running: false } }
        : doc === null
          ? action
          : asTold(action, doc);
      if (told === action) continue;
      this.#change((stack) => {
        const changed = withChanged(stack, told);
        if (told.state === action.state) return changed;
        return (told.state === 'undone' ? undone : redone)(changed, told.id, told.last);
      });
    }
    this.#tell();
  }

  /** The server has undone, or repeated, what an import wrote, or gave up. */
  #ended(id: string, way: UndoConflict['way'], doc: ImportWire | null): void {
    this.#going.delete(id);
    const action = this.#stack.actions.find((one) => one.id === id);
    if (action === undefined) return;
    if (doc?.undo?.status === 'failed') {
      toasts.dismiss(this.#toast);
      toasts.error(`${action.label}. ${stateText(doc)}`);
    } else this.#told(way, action, doc === null ? this.#staying.get(id) : doc.undo?.kept);
  }

  /** `kept`: placements of an import that stayed as they were. */
  #told(way: UndoConflict['way'], action: OwnAction, kept = 0): void {
    toasts.dismiss(this.#toast);
    const but = kept === 0 ? '' : `. Остались как есть: ${formatNumber(kept)}`;
    const text = `${actionText(this.#deps.replica, action, way === 'undo')}${but}`;
    this.#toast =
      way === 'undo'
        ? toasts.info(`Отменено: ${text}`, { text: 'Повторить', run: () => this.redo(action.id) })
        : toasts.info(`Повторено: ${text}`, { text: 'Отменить', run: () => this.undo(action.id) });
  }

  #actionOf(
    entry: Entry,
    before: ReadBefore = (placementId, members, order) => this.#before(placementId, members, order),
  ): OwnAction {
    const { id, label, issuedAt, order, scope, target, body, parts } = entry;
    const typed = parts === undefined && entry.creates === true ? body['contractor'] : undefined;
    return {
      id,
      last: id,
      state: 'done',
      label,
      nick: typeof typed === 'string' ? typed : parts === undefined ? this.#nickOf(target.id) : null,
      at: issuedAt,
      order,
      scope,
      target,
      changes: changesOf(entry, before),
    };
  }

  #nickOf(placementId: string): string | null {
    const { get } = this.#deps.replica;
    const placement = get('placement', placementId);
    return placement === null ? null : (get('contractor', placement.contractorId)?.adminUsername ?? null);
  }

  #before(id: string, members: readonly string[], order: number): CommandDraft['body'] | null {
    const { outbox, replica } = this.#deps;
    const placement = replica.get('placement', id) as Readonly<Record<string, unknown>> | null;
    const earlier = outbox
      .entriesOf('placement', id)
      .filter((one) => one.order < order && one.state.kind !== 'rejected');
    const pairs = members.flatMap((member) => {
      const other = earlier.findLast((one) => member in givenBy(one));
      if (other !== undefined) return [[member, givenBy(other)[member]] as const];
      const value = member === 'contractor' ? (this.#nickOf(id) ?? undefined) : placement?.[member];
      return value === undefined ? [] : [[member, value] as const];
    });
    return placement === null && pairs.length === 0 ? null : Object.fromEntries(pairs);
  }

  #listed(): readonly ListedAction[] {
    const entries = this.#deps.outbox.entries();
    const unsent = entries.filter(isUnsent);
    const onItsWay = new Set(unsent.map(({ id }) => id));
    const waiting = new Set(entries.map(({ id }) => id));
    const kept = new Set(this.#stack.actions.map(({ id }) => id));
    const coming = unsent.flatMap((entry): ListedAction[] => {
      const action = isOwnChange(entry) && !kept.has(entry.id) ? this.#seen.get(entry.id) : undefined;
      return action === undefined ? [] : [{ action, state: 'unsent' }];
    });
    const isBusy = (action: OwnAction): boolean =>
      isImport(action)
        ? waiting.has(action.last) ||
          this.#going.has(action.id) ||
          this.#deps.replica.get('import', action.id)?.undo?.status === 'running'
        : action.last !== action.id && onItsWay.has(action.last);
    const known = this.#stack.actions
      .filter(isListed)
      .map((action): ListedAction => ({ action, state: isBusy(action) ? 'busy' : action.state }));
    return [...known, ...coming].toSorted(newestFirst);
  }

  #listedOf(id: string): ListedAction | undefined {
    return this.list().find(({ action }) => action.id === id);
  }

  /** Takes over what is stored, which other tabs change too; where nothing can be, this tab's own goes on. */
  #read(): void {
    const { storage, key } = this.#deps;
    try {
      const text = storage.getItem(key);
      if (text === this.#text) return;
      this.#text = text;
      this.#stack = parsedStack(text) ?? emptyStack;
    } catch {
      // Forbidden: known until the tab closes.
    }
  }

  #change(change: (stack: ActionStack) => ActionStack): void {
    const { storage, key } = this.#deps;
    this.#read();
    const next = change(this.#stack);
    if (next === this.#stack) return;
    this.#stack = next;
    const text = JSON.stringify(next);
    if (keepItem(storage, key, text)) this.#text = text;
    this.#tell();
  }

  #tell(): void {
    this.#list = null;
    for (const listener of this.#listeners) listener();
  }
}

/** What a placement is to have again, to be shown before the server has said so. */
const givenBack = ({ op, after, before }: OwnAction['changes'][number]): CommandDraft['body'] => {
  switch (op) {
    case 'add':
    case 'restore':
      return { deleted: true };
    case 'delete':
      return {};
    case 'change':
    case 'payment':
      return before === null || Object.keys(after).some((member) => !(member in before)) ? {} : before;
  }
};
