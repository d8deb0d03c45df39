import { decodeEvent } from '@zakup/domain/catalog';
import { categoryOf } from '@zakup/domain/entities';
import type { ImportEvent } from '@zakup/domain/import/events';
import { importEntity } from '@zakup/domain/import/import.entity';
import type { ImportUndo } from '@zakup/domain/import/state';
import type { AppendedEvent } from '@zakup/event-store/event-store';
import type { Metrics } from '@zakup/service-kit/metrics';
import type { Handled } from '../pipeline/handle-command.ts';
import type { Process } from '../processes/process.ts';

export type ImportMetrics = Pick<Metrics, 'importsRunning' | 'importRows' | 'imports' | 'importUndos'>;

const outcomes = ['added', 'changed', 'skipped', 'failed'] as const;
const ends: Readonly<Partial<Record<string, 'done' | 'failed' | 'cancelled'>>> = {
  ImportFinished: 'done',
  ImportFailed: 'failed',
  ImportCancelled: 'cancelled',
};

type Undoing = Pick<ImportUndo, 'parts' | 'restores'>;

const eventOf = ({ stream, type, data, metadata }: AppendedEvent): ImportEvent | null => {
  // Rows are many, and tell nothing that is counted.
  if (categoryOf(stream) !== importEntity.category || type === 'ImportRowsStaged') return null;
  const decoded = decodeEvent({ type, schemaVersion: metadata.schemaVersion, data });
  return decoded.kind === 'event' ? (decoded.event as ImportEvent) : null;
};

/** Counts what a command did to imports, once: not what an earlier send of it did. `undo`: the one that goes on, where it began earlier. */
export const countImports = (
  metrics: ImportMetrics,
  { appended, events }: Pick<Extract<Handled<unknown>, { kind: 'done' }>, 'appended' | 'events'>,
  undo?: Undoing,
): void => {
  if (appended !== 'now') return;
  let undoing = undo;
  const undoEnded = (outcome: 'done' | 'failed'): void =>
    metrics.importUndos.inc({ way: undoing?.restores === true ? 'redo' : 'undo', outcome });
  for (const appendedEvent of events) {
    const event = eventOf(appendedEvent);
    if (event === null) continue;
    const counts = event.data as Readonly<Partial<Record<(typeof outcomes)[number], number>>>;
    for (const outcome of outcomes) metrics.importRows.inc({ outcome }, counts[outcome] ?? 0);
    const end = ends[event.type];
    if (end !== undefined) metrics.imports.inc({ outcome: end });
    if (event.type === 'ImportUndoStarted') undoing = event.data;
    else if (event.type === 'ImportUndoFailed') undoEnded('failed');
    else if (event.type === 'ImportPartUndone' && event.data.part + 1 === undoing?.parts) undoEnded('done');
  }
};

/** The same process, which tells how many of its subjects have something left to do. */
export const countingRunning = (
  process: Process,
  kind: 'import' | 'undo',
  { importsRunning }: Pick<ImportMetrics, 'importsRunning'>,
): Process => {
  const running = new Set<string>();
  const tell = (): void => importsRunning.set({ kind }, running.size);
  tell();
  return {
    ...process,
    async next(subject) {
      const step = await process.next(subject);
      if (step === null) running.delete(subject);
      else running.add(subject);
      tell();
      return step;
    },
    released() {
      running.clear();
      tell();
    },
  };
};
