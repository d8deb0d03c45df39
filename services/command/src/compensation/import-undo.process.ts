import { createYielder } from '@zakup/async/yielder';
import { commandKeyOf } from '@zakup/contracts/derived-ids';
import type { ProblemCode } from '@zakup/contracts/problems';
import { campaignDecider } from '@zakup/domain/campaign/campaign.decider';
import { categoryOf } from '@zakup/domain/entities';
import { importEntity } from '@zakup/domain/import/import.entity';
import type { ImportUndo } from '@zakup/domain/import/state';
import { may, type Person } from '@zakup/domain/permissions';
import { EventStoreUnavailable } from '@zakup/event-store/event-store';
import { countImports, countingRunning, type ImportMetrics } from '../import/import-metrics.ts';
import { partCommand, partOfRows } from '../import/import-parts.ts';
import type { DecisionSession } from '../pipeline/decision-session.ts';
import { type CommandHandlerDeps, handleCommand } from '../pipeline/handle-command.ts';
import { keyNameOf } from '../pipeline/key-name.ts';
import { loadPerson } from '../pipeline/tenant-command.ts';
import type { Process } from '../processes/process.ts';
import { placementsIn } from './import-undo.ts';
import { isPlacement, type StreamUndo } from './stream-undo.ts';
import { prepareUndo, refusalOf } from './undo-command.ts';

const { category } = importEntity;
const steps: ReadonlySet<string> = new Set(['ImportUndoStarted', 'ImportPartUndone']);

/**
 * Undoes imports part by part. What goes back of a part, and that it has, is one append: whenever the process ends, the next one goes on
 * behind what stands.
 */
export const importUndoProcess = (deps: CommandHandlerDeps, metrics?: ImportMetrics): Process => {
  const process: Process = {
    name: 'import-undo',
    kind: 'import',
    where: [{ 'undo.status': 'running' }],
    subjectOf: ({ stream, type }) =>
      categoryOf(stream) === category && steps.has(type) ? stream.slice(category.length + 1) : null,

    async next(subject) {
      const { state, updatedAt } = await deps.cache.load(importEntity, `${category}-${subject}`, true);
      const undo = state?.undo ?? null;
      return undo?.status === 'running'
        ? { at: Date.parse(updatedAt), run: (now) => undoNext({ deps, metrics }, subject, undo, now) }
        : null;
    },
  };
  return metrics === undefined ? process : countingRunning(process, 'undo', metrics);
};

const undoNext = async (
  { deps, metrics }: { readonly deps: CommandHandlerDeps; readonly metrics: ImportMetrics | undefined },
  subject: string,
  undo: ImportUndo,
  now: number,
): Promise<void> => {
  const { eventStore } = deps;
  const [licenceId = '', importId = ''] = subject.split('~');
  const { commandId, by, undoes, parts, undone } = undo;
  const part = partOfRows(undone);
  const { envelope, newId } = partCommand(
    { licenceId, actorId: by, ...(await keyNameOf(deps, licenceId, by)), commandId, part, source: 'undo' },
    ['UNDO', `${importId}/${commandId}/${part}`],
    now,
  );
  const handled = await handleCommand(deps, envelope, null, async (session) => {
    const { state } = await session.load(importEntity, importId);
    const stands = state?.undo;
    if (stands?.commandId !== commandId || stands.status !== 'running' || stands.undone !== undone) return null;
    const admitted = await admit(session, { licenceId, undo, campaignId: state?.campaignId ?? '' }, now);
    if (admitted.kind === 'refused') {
      session.emit(importEntity, importId, [{ type: 'ImportUndoFailed', data: { code: admitted.code } }]);
      return null;
    }
    // The last one first: what came later goes back before what it came upon.
    const key = commandKeyOf(undoes.actorId, undoes.commandId, partOfRows(parts - 1 - undone));
    const events = await eventStore.readCommand(key);
    const context = { session, person: admitted.person, params: {}, body: null, query: {}, now, newId };
    const prepared = await prepareUndo(eventStore, context, events, undo.onConflict);
    if (prepared.kind === 'refused') return prepared.problem;
    const kept = await applyEach(session, prepared.undos, undo.reason ?? undefined);
    const back = placementsIn(events) - kept;
    session.emit(importEntity, importId, [{ type: 'ImportPartUndone', data: { part: undone, back, kept } }]);
    return null;
  });
  if (handled.kind === 'refused')
    throw new EventStoreUnavailable(`${part} of the undo of import ${subject} was refused: ${handled.problem.code}`);
  if (metrics !== undefined) countImports(metrics, handled, undo);
};

/** Emits what brings back those against which nothing stands; how many placements stay as they are. */
const applyEach = async (
  session: DecisionSession,
  undos: readonly StreamUndo[],
  reason: string | undefined,
): Promise<number> => {
  const yieldIfDue = createYielder();
  let kept = 0;
  for (const undo of undos) {
    const problem = (await refusalOf([undo])) ?? (await session.attempt(() => undo.apply(reason)));
    if (problem !== null && isPlacement(undo)) kept += 1;
    await yieldIfDue();
  }
  return kept;
};

type Admitted =
  | { readonly kind: 'admitted'; readonly person: Person }
  | { readonly kind: 'refused'; readonly code: ProblemCode };

/** Whoever undoes, as long as they may, in a campaign that may be written to. */
const admit = async (
  session: DecisionSession,
  {
    licenceId,
    undo,
    campaignId,
  }: { readonly licenceId: string; readonly undo: ImportUndo; readonly campaignId: string },
  now: number,
): Promise<Admitted> => {
  const person = await loadPerson(session, { session: { licenceId, userId: undo.by } }, now);
  if (person === null) return { kind: 'refused', code: 'ACCESS_DENIED' };
  const verdict = may(person, 'command.undo', { actorId: undo.undoes.actorId });
  if (!verdict.allowed) return { kind: 'refused', code: verdict.code };
  const campaign = (await session.load(campaignDecider, campaignId)).state;
  if (campaign === null || campaign.deleted) return { kind: 'refused', code: 'NOT_FOUND' };
  return campaign.status === 'COMPLETED'
    ? { kind: 'refused', code: 'CAMPAIGN_COMPLETED' }
    : { kind: 'admitted', person };
};
