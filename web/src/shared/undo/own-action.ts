import { opOf, singleEntries } from '../outbox/batch.ts';
import type { CommandDraft, Entry } from '../outbox/entry.ts';

/** What a command did to one placement. */
export interface PlacementChange {
  readonly id: string;
  readonly op: ReturnType<typeof opOf>;
  /** Members of the call, a contractor by the nick. */
  readonly after: CommandDraft['body'];
  /** The same members before it, those that were known; `null` = the placement was not. */
  readonly before: CommandDraft['body'] | null;
}

/** What is kept of an import that was begun in this browser. */
export interface OwnImport {
  /** As last heard. */
  readonly added: number;
  readonly changed: number;
  /** It is being written: nothing can be undone yet. */
  readonly running: boolean;
  /** The person's command that undid it last, which is undone to repeat it; null = another undid it, or nobody. */
  readonly undoId: string | null;
}

/** A command of this person's that can be undone, and undone again. */
export interface OwnAction {
  /** The command's. */
  readonly id: string;
  /** The command to undo next: its own, the one that undid it, or the one that undid that. */
  readonly last: string;
  /** `left`: somebody changed it since, and the person left that as it is; Ctrl+Z goes past it. */
  readonly state: 'done' | 'undone' | 'left';
  /** As the outbox named it. */
  readonly label: string;
  /** Of its placement, where it is one whose nick was known. */
  readonly nick: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly order: number;
  readonly scope: string;
  readonly target: Entry['target'];
  /** None where they are too many to be kept. */
  readonly changes: readonly PlacementChange[];
  /** It is an import, which did not go through the outbox. */
  readonly imported?: OwnImport;
}

export interface ActionStack {
  /** Oldest first. */
  readonly actions: readonly OwnAction[];
  /** Ids of what was undone and not followed by a new change, the latest last. */
  readonly redo: readonly string[];
}

export const emptyStack: ActionStack = { actions: [], redo: [] };

export const maxActions = 100;
/** Changes of placements kept with them all together. */
export const maxChanges = 3000;

const inOrder = (a: OwnAction, b: OwnAction): number => a.at - b.at || a.order - b.order;

/** The oldest ones go, and before that what is known of their placements. */
const bounded = (actions: readonly OwnAction[]): readonly OwnAction[] => {
  let room = maxChanges;
  return actions
    .slice(-maxActions)
    .toReversed()
    .map((action) => {
      room -= action.changes.length;
      return room >= 0 || action.changes.length === 0 ? action : { ...action, changes: [] };
    })
    .toReversed();
};

/** With an action that was carried out. */
export const withAction = (stack: ActionStack, action: OwnAction): ActionStack =>
  stack.actions.some(({ id }) => id === action.id)
    ? stack
    : { ...stack, actions: bounded([...stack.actions, action].toSorted(inOrder)) };

/** After a new change nothing can be repeated by keys. */
export const withoutRedo = (stack: ActionStack): ActionStack =>
  stack.redo.length === 0 ? stack : { ...stack, redo: [] };

const changed = (stack: ActionStack, id: string, change: Partial<OwnAction>): readonly OwnAction[] =>
  stack.actions.map((action) => (action.id === id ? { ...action, ...change } : action));

/** The action, and only that, is another one now. */
export const withChanged = (stack: ActionStack, action: OwnAction): ActionStack => ({
  ...stack,
  actions: stack.actions.map((one) => (one.id === action.id ? action : one)),
});

/** The action was undone, or is about to be, by the command `last`. */
export const undone = (stack: ActionStack, id: string, last: string): ActionStack => ({
  actions: changed(stack, id, { state: 'undone', last }),
  redo: [...stack.redo.filter((one) => one !== id), id],
});

/** The action is done again, or about to be, by the command `last`; or it was not undone after all. */
export const redone = (stack: ActionStack, id: string, last: string): ActionStack => ({
  actions: changed(stack, id, { state: 'done', last }),
  redo: stack.redo.filter((one) => one !== id),
});

/** It came to nothing. */
export const withoutAction = ({ actions, redo }: ActionStack, id: string): ActionStack => ({
  actions: actions.filter((action) => action.id !== id),
  redo: redo.filter((one) => one !== id),
});

/** What others changed since stays. */
export const left = (stack: ActionStack, id: string): ActionStack => ({
  actions: changed(stack, id, { state: 'left' }),
  redo: stack.redo.filter((one) => one !== id),
});

/** Reads what was stored; null = it is none. */
export const parsedStack = (text: string | null): ActionStack | null => {
  if (text === null) return null;
  try {
    const value = JSON.parse(text) as Partial<ActionStack> | null;
    return Array.isArray(value?.actions) && Array.isArray(value.redo) ? (value as ActionStack) : null;
  } catch {
    return null;
  }
};

/** What the placement had before one of its changes, as far as this browser knows. */
export type ReadBefore = (
  placementId: string,
  members: readonly string[],
  order: number,
) => CommandDraft['body'] | null;

/** What an entry of the outbox does, told while its placements are still as before. */
export const changesOf = (entry: Entry, before: ReadBefore): readonly PlacementChange[] =>
  singleEntries(entry).map(({ target, method, path, body }) => {
    const op = opOf({ method, path });
    const after = op === 'change' || op === 'payment' ? body : {};
    return {
      id: target.id,
      op,
      after,
      before: op === 'add' ? null : before(target.id, Object.keys(after), entry.order),
    };
  });
