import { commandKeyOf } from '@zakup/contracts/derived-ids';
import type { Problem } from '@zakup/contracts/problems';
import { undoRequest } from '@zakup/contracts/requests/undo.requests';
import type { DomainEvent } from '@zakup/domain/decider';
import { categoryOf, isCategory } from '@zakup/domain/entities';
import { messages } from '@zakup/domain/messages';
import { may } from '@zakup/domain/permissions';
import type { AppendedEvent } from '@zakup/event-store/event-store';
import { Router } from 'express';
import { createYielder } from '@zakup/async/yielder';
import type { CommandDeps } from '../deps.ts';
import { eventsOfParts, stillWritten } from '../import/import-parts.ts';
import { denied, parseBody } from '../pipeline/requests.ts';
import { type PerRequest, tenantRoute } from '../pipeline/tenant-command.ts';
import type { TenantContext } from '../pipeline/tenant-context.ts';
import { conflictOf, type PrepareUndo, type StreamUndo } from './stream-undo.ts';
import { undoRules } from './undo-rules.ts';

/** Undoing a command as a compensating one: UNDO-1 to UNDO-5, PLC-10, ANA-5. */
export const undoRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  router.post('/undo', tenantRoute(deps, undo(deps)));
  return router;
};

const undo =
  (deps: CommandDeps): PerRequest<never, DomainEvent> =>
  () => {
    let undone = '';
    return {
      target: () => null,
      source: 'undo',

      async decide(context) {
        const { person } = context;
        const refusedToAll = denied(may(person, 'command.undo', 'some'));
        if (refusedToAll !== null) return refusedToAll;
        const parsed = parseBody(undoRequest, context.body);
        if (parsed.kind === 'refused') return parsed.problem;
        const { commandId, actorId } = parsed.body;
        const reason = parsed.body.reason || undefined;
        undone = commandId;
        const named = actorId === undefined ? null : mayUndo(context, actorId, reason);
        if (named !== null) return named;
        const began = await eventsOf(deps, context, commandId, actorId);
        const [first] = began;
        if (first === undefined) return { code: 'NOT_FOUND', message: messages.commandNotFound };
        const refused = mayUndo(context, first.metadata.actorId, reason) ?? (await stillWritten(context, began));
        if (refused !== null) return refused;
        const events = [...began, ...(await eventsOfParts(deps.eventStore, began))];
        return undoEvents(deps, context, events, reason);
      },

      answer: ({ events }) => ({ undone, changed: changedBy(events) }),
    };
  };

/** Another person's command takes a right and a reason (PLC-10). */
const mayUndo = ({ person }: TenantContext, actorId: string, reason: string | undefined): Problem | null => {
  const refused = denied(may(person, 'command.undo', { actorId }));
  if (refused !== null || actorId === person.userId || reason !== undefined) return refused;
  const detail = messages.undoReasonRequired;
  return { code: 'VALIDATION_FAILED', message: detail, errors: [{ pointer: '/reason', detail }] };
};

/**
 * The events of the command in this licence: of the named person's, else of one's own, else of whose it is among those whom the read
 * model lists.
 */
const eventsOf = async (
  { eventStore, readStore }: CommandDeps,
  { person }: TenantContext,
  commandId: string,
  actorId: string | undefined,
): Promise<readonly AppendedEvent[]> => {
  const of = async (userId: string): Promise<readonly AppendedEvent[]> => {
    const events = await eventStore.readCommand(commandKeyOf(userId, commandId));
    return events.every(({ metadata }) => metadata.licenceId === person.licence.id) ? events : [];
  };
  const named = await of(actorId ?? person.userId);
  if (named.length > 0 || actorId !== undefined) return named;
  const { docs } = await readStore.query('user', { licenceId: person.licence.id });
  for (const { id } of docs) {
    const events = await of(id);
    if (events.length > 0) return events;
  }
  return [];
};

/** Decides on all streams of the command before anything is emitted to any of them. */
const undoEvents = async (
  { eventStore }: CommandDeps,
  context: TenantContext,
  events: readonly AppendedEvent[],
  reason: string | undefined,
): Promise<Problem | null> => {
  const yieldIfDue = createYielder();
  const plans: { readonly stream: string; readonly prepare: PrepareUndo }[] = [];
  for (const stream of new Set(events.map((event) => event.stream))) {
    const rule = ruleOf(stream);
    if (rule === 'follows') continue;
    if (rule.kind === 'refused') return notUndone(rule.refused);
    plans.push({ stream, prepare: rule.prepare });
  }
  const byStream = grouped(events);
  const parts: StreamUndo[] = [];
  for (const { stream, prepare } of plans) {
    const id = stream.slice(stream.indexOf('~') + 1);
    const part = await prepare(eventStore, context, { name: stream, id, events: byStream.get(stream) ?? [] });
    // Decided once more on fresh state: there the command is seen.
    if (part === 'stale') return { code: 'UNAVAILABLE', message: messages.tooBusy, retryAfterSeconds: 1 };
    if (part !== null) parts.push(part);
    await yieldIfDue();
  }
  const refused =
    firstOf(parts, (part) => part.denied) ??
    firstOf(parts, (part) => part.closed) ??
    firstOf(parts, ({ rejected }) => (rejected?.code === 'VALIDATION_FAILED' ? rejected : null)) ??
    conflictOf(parts) ??
    firstOf(parts, (part) => part.rejected);
  if (refused !== null) return refused;
  for (const part of parts) {
    const problem = await part.apply(reason);
    if (problem !== null) return problem;
    await yieldIfDue();
  }
  return null;
};

const firstOf = (parts: readonly StreamUndo[], problemOf: (part: StreamUndo) => Problem | null): Problem | null => {
  for (const part of parts) {
    const problem = problemOf(part);
    if (problem !== null) return problem;
  }
  return null;
};

const ruleOf = (stream: string): (typeof undoRules)[keyof typeof undoRules] => {
  const category = categoryOf(stream);
  return isCategory(category) ? undoRules[category] : 'follows';
};

const notUndone = (detail: string): Problem => ({
  code: 'VALIDATION_FAILED',
  message: detail,
  errors: [{ pointer: '/commandId', detail }],
});

const grouped = (events: readonly AppendedEvent[]): ReadonlyMap<string, readonly AppendedEvent[]> => {
  const groups = new Map<string, AppendedEvent[]>();
  for (const event of events) {
    const group = groups.get(event.stream);
    if (group === undefined) groups.set(event.stream, [event]);
    else group.push(event);
  }
  return groups;
};

/** The entities that went back, each with its revision after it. */
const changedBy = (events: readonly AppendedEvent[]): readonly object[] =>
  [...grouped(events)].flatMap(([stream, own]) => {
    const rule = ruleOf(stream);
    if (rule === 'follows' || rule.kind === 'refused') return [];
    const id = stream.slice(stream.indexOf('~') + 1);
    return [{ kind: categoryOf(stream), id, revision: own.at(-1)?.revision ?? 0 }];
  });
