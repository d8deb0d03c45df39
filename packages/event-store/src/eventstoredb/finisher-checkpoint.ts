import { randomUUID } from 'node:crypto';
import type { EventMetadata, Position } from '../event-store.ts';
import { takenOwn } from './stored-event.ts';
import type { StreamReader } from './stream-reader.ts';
import type { StreamWriter } from './stream-writer.ts';

const checkpointStream = 'command-00~finisher';

const ownMetadata = (at: string): EventMetadata => ({
  licenceId: 'system',
  actorId: 'system',
  source: 'system',
  commandId: 'finisher',
  requestHash: '',
  at,
  schemaVersion: 1,
});

/** How far the finishers of a server are, in a stream of the server's own. */
export interface FinisherCheckpoint {
  /** All plans up to here are settled; 0 = none was ever saved. */
  read(): Promise<Position>;
  save(position: Position): Promise<void>;
}

/** `clock`: milliseconds since 1970. */
export const finisherCheckpoint = (
  reader: StreamReader,
  writer: StreamWriter,
  clock: () => number,
): FinisherCheckpoint => ({
  async read() {
    const [last] = await reader.read(checkpointStream, { direction: 'backwards', limit: 1 });
    const position = last?.data['position'];
    return typeof position === 'number' ? position : 0;
  },

  async save(position) {
    const metadata = ownMetadata(new Date(clock()).toISOString());
    const event = takenOwn({ id: randomUUID(), type: 'FinisherCheckpoint', data: { position }, metadata });
    await writer.appendPart(checkpointStream, 'any', [event]);
  },
});
