import type { Position } from '@zakup/event-store/event-store';
import { ReadFailed } from './working-set.ts';

/** An event that this version cannot fold: its licence has to wait for one that can. */
export class Unfoldable extends Error {
  override readonly name = 'Unfoldable';
  readonly licenceId: string;
  readonly position: Position;
  constructor(licenceId: string, position: Position, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.licenceId = licenceId;
    this.position = position;
  }
}

/** Does the work for an event; what it throws is laid at the event's door, except that the read store failed. */
export const foldable = async <Result>(
  licenceId: string,
  position: Position,
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ReadFailed || error instanceof Unfoldable) throw error;
    throw new Unfoldable(licenceId, position, error instanceof Error ? error.message : String(error), { cause: error });
  }
};
