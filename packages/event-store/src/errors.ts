import type { Position } from './recorded-event.ts';

/**
 * The store cannot be reached or written; nothing of the call was acknowledged. An embedded store has kept nothing of it; behind a network
 * it may have been carried out, which a repeat under the same command key finds.
 */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
}

/** A stored event's checksum does not fit its content. */
export class CorruptEvent extends Error {
  override readonly name = 'CorruptEvent';
  readonly where: string;
  readonly position: Position;
  constructor(where: string, position: Position) {
    super(`Event at position ${position} in ${where} does not match its checksum`);
    this.where = where;
    this.position = position;
  }
}

/** The log ends before a position that is known to have been reached. */
export class LogBehind extends Error {
  override readonly name = 'LogBehind';
  readonly where: string;
  readonly head: Position;
  readonly knownBound: Position;
  /** Who knows the position. */
  readonly boundSource: string;
  constructor(where: string, head: Position, knownBound: Position, boundSource: string) {
    super(`${where} ends at position ${head}, but ${boundSource} has seen ${knownBound}`);
    this.where = where;
    this.head = head;
    this.knownBound = knownBound;
    this.boundSource = boundSource;
  }
}
