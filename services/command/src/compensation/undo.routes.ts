import { commandKeyOf } from '@zakup/contracts/derived-ids';
import type { Problem } from '@zakup/contracts/problems';
import { undoRequest } from '@zakup/contracts/requests/undo.requests';
import type { DomainEvent } from '@zakup/domain/decider';
import { categoryOf } from '@zakup/domain/entities';
import { keysDecider } from '@zakup/domain/keys/keys.decider';
import { messages } from '@zakup/domain/messages';
import { may } from '@zakup/domain/permissions';
import type { AppendedEvent } from '@zakup/event-store/event-store';
import { Router } from 'express';
import type { CommandDeps } from '../deps.ts';
import { countImports } from '../import/import-metrics.ts';
import { importCommandOf } from '../import/import-parts.ts';
import { denied, parseBody } from '../pipeline/requests.ts';
import { type PerRequest, tenantRoute } from '../pipeline/tenant-command.ts';
import type { TenantContext } from '../pipeline/tenant-context.ts';
import { type UndoImport, undoImportsInTurn } from './import-undo.ts';
import { applyUndo, chosenOf, eventsByStream, prepareUndo, refusalOf, undoRuleOf } from './undo-command.ts';

/** Undoing a command as a compensating one: UNDO-1 to UNDO-5, UNDO-11, PLC-10, ANA-5. */
export const undoRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  router.post('/undo', tenantRoute(deps, undo(deps, undoImportsInTurn(deps))));
  return router;
};

const undo =
  (deps: CommandDeps, undoImport: UndoImport): PerRequest<never, DomainEvent> =>
  () => {
    let undone = '';
    /** Of the command that undoes. */
    let undoId = '';
    return {
      target: ({ commandId }) => {
        undoId = commandId;
        return null;
      },
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
        const refused = mayUndo(context, first.metadata.actorId, reason);
        if (refused !== null) return refused;
        const { onConflict } = parsed.body;
        const choice = onConflict === 'refuse' || isMerge(began) ? undefined : onConflict;
        const ofImport = importCommandOf(began);
        if (ofImport !== null) return undoImport(context, { began, ofImport }, { commandId: undoId, reason, choice });
        const prepared = await prepareUndo(deps.eventStore, context, began, choice);
        if (prepared.kind === 'refused') return prepared.problem;
        const undos = chosenOf(prepared.undos, choice);
        return (await refusalOf(undos)) ?? applyUndo(undos, reason);
      },

      answer: (done) => {
        countImports(deps.metrics, done);
        return { undone, changed: changedBy(done.events) };
      },
    };
  };

/** Both sides of a merge go back together, or neither: half of it would leave a nick with two contractors. */
const isMerge = (began: readonly AppendedEvent[]): boolean =>
  began.some(({ type }) => type === 'ContractorMerged' || type === 'ContractorSeparated');

/** Another person's command takes a right and a reason (PLC-10). */
const mayUndo = ({ person }: TenantContext, actorId: string, reason: string | undefined): Problem | null => {
  const refused = denied(may(person, 'command.undo', { actorId }));
  if (refused !== null || actorId === person.userId || reason !== undefined) return refused;
  const detail = messages.undoReasonRequired;
  return { code: 'VALIDATION_FAILED', message: detail, errors: [{ pointer: '/reason', detail }] };
};

/**
 * The events of the command in this licence: of the named person's, else of one's own, else of whose it is among those whom the read
 * model lists, and of the keys.
 */
const eventsOf = async (
  { eventStore, readStore }: CommandDeps,
  { person, session }: TenantContext,
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
  const { state } = await session.load(keysDecider, person.licence.id);
  for (const { id } of [...docs, ...(state?.keys ?? [])]) {
    const events = await of(id);
    if (events.length > 0) return events;
  }
  return [];
};

/** The entities that went back, each with its revision after it. */
const changedBy = (events: readonly AppendedEvent[]): readonly object[] =>
  [...eventsByStream(events)].flatMap(([stream, own]) => {
    const rule = undoRuleOf(stream);
    if (rule === 'follows' || rule.kind === 'refused') return [];
    const id = stream.slice(stream.indexOf('~') + 1);
    return [{ kind: categoryOf(stream), id, revision: own.at(-1)?.revision ?? 0 }];
  });
