import type { EventStore, Position, RecordedEvent } from '@zakup/event-store/event-store';

/**
 * The licence whose history an event belongs to: the one that its stream is named after. Streams named after no licence (values that are
 * reserved everywhere) are in nobody's history, whatever their metadata say; null.
 */
export const licenceOf = ({ stream, metadata }: Pick<RecordedEvent, 'stream' | 'metadata'>): string | null => {
  const named = stream.slice(stream.indexOf('-') + 1, stream.indexOf('~'));
  return named === metadata.licenceId ? named : null;
};

/** Events of a licence's history in log order, in pages; `after` exclusive, `to` inclusive. */
export async function* licenceHistory(
  eventStore: Pick<EventStore, 'readLicence'>,
  licenceId: string,
  { after = 0, to, page = 500 }: { readonly after?: Position; readonly to?: Position; readonly page?: number } = {},
): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
  let from = after;
  for (;;) {
    const range = { after: from, limit: page, ...(to === undefined ? {} : { to }) };
    const found = await eventStore.readLicence(licenceId, range);
    const own = found.filter((event) => licenceOf(event) === licenceId);
    if (own.length > 0) yield own;
    if (found.length < page) return;
    from = found.at(-1)?.position ?? from;
  }
}
