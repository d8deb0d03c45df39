import { createYielder } from '@zakup/async/yielder';
import { commandKeyOf } from '@zakup/contracts/derived-ids';
import type { ProblemCode } from '@zakup/contracts/problems';
import { campaignDecider } from '@zakup/domain/campaign/campaign.decider';
import { decodeEvent } from '@zakup/domain/catalog';
import { categoryOf } from '@zakup/domain/entities';
import type { RowError, StoredReport } from '@zakup/domain/import/events';
import { contractorDecider } from '@zakup/domain/contractor/contractor.decider';
import { importEntity } from '@zakup/domain/import/import.entity';
import type { ImportRow } from '@zakup/domain/import/import-row';
import type { Import } from '@zakup/domain/import/state';
import { may, type Person } from '@zakup/domain/permissions';
import { placementDecider } from '@zakup/domain/placement/placement.decider';
import { EventStoreUnavailable } from '@zakup/event-store/event-store';
import type { DecisionSession } from '../pipeline/decision-session.ts';
import { type CommandHandlerDeps, handleCommand } from '../pipeline/handle-command.ts';
import { streamOf } from '../pipeline/ids.ts';
import { readingOnce } from '../pipeline/merge-conflicts.ts';
import { keyNameOf } from '../pipeline/key-name.ts';
import { loadPerson } from '../pipeline/tenant-command.ts';
import type { Loaded } from '../pipeline/stream-cache.ts';
import type { Process } from '../processes/process.ts';
import { countImports, countingRunning, type ImportMetrics } from './import-metrics.ts';
import { partCommand, partOfRows } from './import-parts.ts';
import { writeRow } from './import-rows.ts';

const category = importEntity.category;

/** The part of a stream's name behind its category: `<licence>~<import>`, which its document is called too. */
const subjectOfStream = (stream: string): string => stream.slice(category.length + 1);

/**
 * Writes imports part by part. The rows of a part, and that it was written, are one append: whenever the process ends, the next one goes on
 * behind what stands.
 */
export const importProcess = (deps: CommandHandlerDeps, metrics?: ImportMetrics): Process => {
  const process: Process = {
    name: 'import',
    kind: 'import',
    where: [{ status: 'running' }, ...(deps.eventStore.unfinished === undefined ? [] : [{ status: 'cancelled' }])],
    subjectOf: ({ stream }) => (categoryOf(stream) === category ? subjectOfStream(stream) : null),

    async next(subject) {
      const { state, updatedAt } = await loaded(deps, subject);
      if (state === null) return null;
      const isLeft =
        state.status === 'running' || (state.status === 'cancelled' && (await isHalfWritten(deps, subject, state)));
      return isLeft
        ? { at: Date.parse(updatedAt), run: (now) => writeNext({ deps, metrics }, subject, state, now) }
        : null;
    },
  };
  return metrics === undefined ? process : countingRunning(process, 'import', metrics);
};

/** As it is remembered while it runs: what is older than the log is seen when a part is appended. */
const loaded = async ({ cache }: CommandHandlerDeps, subject: string): Promise<Loaded<Import>> => {
  const remembered = await cache.load(importEntity, `${category}-${subject}`, false);
  if (remembered.state?.status === 'running') return remembered;
  return cache.load(importEntity, `${category}-${subject}`, true);
};

const takenBack: ReadonlySet<string> = new Set([placementDecider.category, contractorDecider.category]);

/**
 * Whether some of a part's rows were written when the import was cancelled: where a log is not atomic across streams, its command is decided
 * once more, and takes them back.
 */
const isHalfWritten = async (
  { eventStore: { unfinished } }: CommandHandlerDeps,
  subject: string,
  { by, written, parts }: Import,
): Promise<boolean> => {
  if (unfinished === undefined || written === parts) return false;
  const [, importId = ''] = subject.split('~');
  const partial = await unfinished.findPartial(commandKeyOf(by, importId, partOfRows(written)));
  // A claim alone refers to nothing, and is anybody's after a while.
  return partial?.events.some(({ stream }) => takenBack.has(categoryOf(stream))) ?? false;
};

/** The rows of a part stand behind the first event, part by part. */
const stagedRows = async (
  { eventStore }: CommandHandlerDeps,
  stream: string,
  part: number,
): Promise<readonly ImportRow[]> => {
  const [event] = await eventStore.read(stream, { from: part + 1, to: part + 1 });
  if (event === undefined) throw new Error(`${stream} has no part ${part}`);
  const decoded = decodeEvent({ type: event.type, schemaVersion: event.metadata.schemaVersion, data: event.data });
  if (decoded.kind !== 'event' || decoded.event.type !== 'ImportRowsStaged')
    throw new Error(`${stream} has no rows at ${part + 1}`);
  return decoded.event.data.rows;
};

/** Where the file has a field; null = nowhere, or it is no field that was refused. */
const columnOf = (report: StoredReport, field: string | null): number | null => {
  const columns = (report['columns'] ?? []) as readonly { readonly index: number; readonly field: string | null }[];
  return field === null ? null : (columns.find((column) => column.field === field)?.index ?? null);
};

const writeNext = async (
  { deps, metrics }: { readonly deps: CommandHandlerDeps; readonly metrics: ImportMetrics | undefined },
  subject: string,
  { by, written, parts }: Import,
  now: number,
): Promise<void> => {
  const [licenceId = '', importId = ''] = subject.split('~');
  const stream = streamOf(category, licenceId, importId);
  const part = written < parts ? partOfRows(written) : 'end';
  const rows = written < parts ? await stagedRows(deps, stream, written) : [];
  const { envelope, newId } = partCommand(
    {
      licenceId,
      actorId: by,
      ...(await keyNameOf(deps, licenceId, by)),
      commandId: importId,
      part,
      source: 'import',
    },
    ['IMPORT', `${importId}/${part}`],
    now,
  );
  const handled = await handleCommand(deps, envelope, null, async (session) => {
    const { state } = await session.load(importEntity, importId);
    if (state === null || state.status !== 'running' || state.written !== written) return null;
    const admitted = await admit(session, { licenceId, userId: by }, state.campaignId, now);
    if (admitted.kind === 'refused') {
      const failed = state.total - state.added - state.changed - state.skipped - state.failed;
      session.emit(importEntity, importId, [{ type: 'ImportFailed', data: { code: admitted.code, failed } }]);
      return null;
    }
    const { person } = admitted;
    const reader = readingOnce(deps.eventStore);
    const context = { session, person, params: {}, body: null, query: {}, now, newId };
    const counts = { added: 0, changed: 0, skipped: 0, failed: 0 };
    const errors: RowError[] = [];
    const yieldIfDue = createYielder({ long: true });
    for (const row of rows) {
      const done = await writeRow(reader, context, state.campaignId, row);
      counts[done.kind] += 1;
      if (done.kind === 'failed') errors.push({ ...done.error, column: columnOf(state.report, done.error.field) });
      await yieldIfDue();
    }
    if (rows.length > 0)
      session.emit(importEntity, importId, [{ type: 'ImportRowsWritten', data: { part: written, ...counts, errors } }]);
    if (written + 1 >= parts) session.emit(importEntity, importId, [{ type: 'ImportFinished', data: {} }]);
    return null;
  });
  if (handled.kind === 'refused')
    throw new EventStoreUnavailable(`Part ${part} of import ${subject} was refused: ${handled.problem.code}`);
  if (metrics !== undefined) countImports(metrics, handled);
};

type Admitted =
  | { readonly kind: 'admitted'; readonly person: Person }
  | { readonly kind: 'refused'; readonly code: ProblemCode };

/** Whoever imports, as long as they may, into a campaign that may be written to. */
const admit = async (
  session: DecisionSession,
  about: { readonly licenceId: string; readonly userId: string },
  campaignId: string,
  now: number,
): Promise<Admitted> => {
  const person = await loadPerson(session, { session: about }, now);
  if (person === null) return { kind: 'refused', code: 'ACCESS_DENIED' };
  const verdict = may(person, 'placement.import');
  if (!verdict.allowed) return { kind: 'refused', code: verdict.code };
  const campaign = (await session.load(campaignDecider, campaignId)).state;
  if (campaign === null || campaign.deleted) return { kind: 'refused', code: 'NOT_FOUND' };
  return campaign.status === 'COMPLETED'
    ? { kind: 'refused', code: 'CAMPAIGN_COMPLETED' }
    : { kind: 'admitted', person };
};
