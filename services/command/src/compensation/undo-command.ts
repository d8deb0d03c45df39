import type { Problem } from '@zakup/contracts/problems';
import { categoryOf, isCategory } from '@zakup/domain/entities';
import { messages } from '@zakup/domain/messages';
import type { UndoChoice } from '@zakup/domain/undo';
import type { AppendedEvent, EventStore } from '@zakup/event-store/event-store';
import { createYielder } from '@zakup/async/yielder';
import type { TenantContext } from '../pipeline/tenant-context.ts';
import { conflictOf, type StreamUndo, type WaysBack } from './stream-undo.ts';
import { undoRules } from './undo-rules.ts';

/** What is to go back of a command. */
export type PreparedUndo =
  | { readonly kind: 'prepared'; readonly undos: readonly StreamUndo[] }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** Decides on each stream of the events, without asking yet what stands against it; what is back already is not among them. */
export const prepareUndo = async (
  eventStore: EventStore,
  context: TenantContext,
  events: readonly AppendedEvent[],
  choice?: UndoChoice,
): Promise<PreparedUndo> => {
  const yieldIfDue = createYielder();
  const streams: { readonly stream: string; readonly own: readonly AppendedEvent[]; readonly rule: WaysBack }[] = [];
  for (const [stream, own] of eventsByStream(events)) {
    const rule = undoRuleOf(stream);
    if (rule === 'follows') continue;
    if (rule.kind === 'refused') return { kind: 'refused', problem: notUndone(rule.refused) };
    streams.push({ stream, own, rule });
  }
  const undos: StreamUndo[] = [];
  for (const { stream, own, rule } of streams) {
    const id = stream.slice(stream.indexOf('~') + 1);
    const undo = await rule.prepare(eventStore, context, { name: stream, id, events: own }, choice);
    // Decided once more on fresh state: there the command is seen.
    if (undo === 'stale')
      return { kind: 'refused', problem: { code: 'UNAVAILABLE', message: messages.tooBusy, retryAfterSeconds: 1 } };
    if (undo !== null) undos.push(undo);
    await yieldIfDue();
  }
  return { kind: 'prepared', undos };
};

/** Those that go back: without what is in conflict, where it was chosen what becomes of that. */
export const chosenOf = (undos: readonly StreamUndo[], choice: UndoChoice | undefined): readonly StreamUndo[] =>
  choice === undefined ? undos : undos.filter(({ conflicts }) => conflicts.length === 0);

/**
 * What stands against any of them; null = nothing does. What others took from the person's reach is in conflict, so that the rest can go
 * back without it; where there is no rest it is forbidden, as any change of it is.
 */
export const refusalOf = async (undos: readonly StreamUndo[]): Promise<Problem | null> => {
  const within = undos.filter(({ taken }) => !taken);
  return (
    firstOf(within.length === 0 ? undos : within, (undo) => undo.denied) ??
    firstOf(undos, (undo) => undo.closed) ??
    firstOf(undos, ({ rejected }) => (rejected?.code === 'VALIDATION_FAILED' ? rejected : null)) ??
    (await conflictOf(undos)) ??
    firstOf(undos, (undo) => undo.rejected)
  );
};

/** Emits what brings all of them back. */
export const applyUndo = async (undos: readonly StreamUndo[], reason: string | undefined): Promise<Problem | null> => {
  const yieldIfDue = createYielder();
  for (const undo of undos) {
    const problem = await undo.apply(reason);
    if (problem !== null) return problem;
    await yieldIfDue();
  }
  return null;
};

const firstOf = (undos: readonly StreamUndo[], problemOf: (undo: StreamUndo) => Problem | null): Problem | null => {
  for (const undo of undos) {
    const problem = problemOf(undo);
    if (problem !== null) return problem;
  }
  return null;
};

export const undoRuleOf = (stream: string): (typeof undoRules)[keyof typeof undoRules] => {
  const category = categoryOf(stream);
  return isCategory(category) ? undoRules[category] : 'follows';
};

const notUndone = (detail: string): Problem => ({
  code: 'VALIDATION_FAILED',
  message: detail,
  errors: [{ pointer: '/commandId', detail }],
});

export const eventsByStream = (events: readonly AppendedEvent[]): ReadonlyMap<string, readonly AppendedEvent[]> => {
  const groups = new Map<string, AppendedEvent[]>();
  for (const event of events) {
    const group = groups.get(event.stream);
    if (group === undefined) groups.set(event.stream, [event]);
    else group.push(event);
  }
  return groups;
};
