import { catalogEntry, decodeEvent } from '@zakup/domain/catalog';
import { categoryOf, isCategory } from '@zakup/domain/entities';
import type { EventToAppend } from '@zakup/event-store/event-store';

/**
 * The same event. Throws for one that the catalog could not give back when its stream is folded: of a type or in a kind of stream that
 * it does not know, or with other members. Appended, it would stand in the log for good; it is a fault of the code, never of who asks.
 */
export const foldableEvent = (stream: string, event: EventToAppend): EventToAppend => {
  const { type, data, metadata } = event;
  const decoded = decodeEvent({ type, schemaVersion: metadata.schemaVersion, data });
  if (decoded.kind !== 'event')
    throw new Error(
      `${stream}: ${decoded.kind === 'invalid' ? decoded.problem : `${type} is no event of the catalog`}, so that it is not appended`,
    );
  const category = categoryOf(stream);
  if (!isCategory(category) || catalogEntry(type)?.categories.includes(category) !== true)
    throw new Error(`${stream}: ${type} belongs to other streams, so that it is not appended`);
  return event;
};
