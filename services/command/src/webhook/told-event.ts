import { historyViewOf, isOfCampaign, shownData } from '@zakup/contracts/shown-event';
import type { StoredWebhook } from '@zakup/credentials/delivery-book';
import { catalogEntry } from '@zakup/domain/catalog';
import { categoryOf } from '@zakup/domain/entities';
import type { Person } from '@zakup/domain/permissions';
import { everyEvent } from '@zakup/domain/webhooks/webhooks.decider';
import type { EventStore, RecordedEvent } from '@zakup/event-store/event-store';

/** What the history names the entities of these streams; the others' events are nobody's to read. */
const kindOf: Readonly<Record<string, string>> = {
  campaign: 'campaign',
  placement: 'placement',
  contractor: 'contractor',
  channel: 'channel',
  creative: 'creative',
  employee: 'user',
  access: 'user',
  licence: 'license',
  activation: 'license',
  keys: 'license',
  webhooks: 'license',
};

export interface ToldEntity {
  readonly kind: string;
  readonly id: string;
}

/** Of which entity the history tells the event; null = of none. */
export const entityOfEvent = ({ stream }: Pick<RecordedEvent, 'stream'>): ToldEntity | null => {
  const category = categoryOf(stream);
  const kind = category === null ? undefined : kindOf[category];
  return kind === undefined ? null : { kind, id: stream.slice(stream.indexOf('~') + 1) };
};

/** Of a licence that lets its people no longer in nothing is sent. */
export const isSilent = ({ licence: { status } }: Pick<Person, 'licence'>): boolean =>
  status === 'suspended' || status === 'closed';

/** Whether the webhook tells of an event: of one of its types that the audit lists, and where it is a campaign's, of what its events are. */
export const tellsOf = async (
  { events, campaignId }: Pick<StoredWebhook, 'events' | 'campaignId'>,
  event: RecordedEvent,
  eventStore: Pick<EventStore, 'read'>,
): Promise<boolean> => {
  const entity = entityOfEvent(event);
  if (entity === null || !(events.includes(everyEvent) || events.includes(event.type))) return false;
  if (campaignId === null) return true;
  if (entity.kind !== 'campaign' && entity.kind !== 'placement') return false;
  if (entity.kind === 'campaign' && entity.id !== campaignId) return false;
  const first = event.revision === 0 ? event : (await eventStore.read(event.stream, { from: 0, to: 0 }))[0];
  return isOfCampaign(campaignId, first);
};

/** What is sent of an event to who sees of it what this person does; never what opens something (WEBHOOK-2). */
export const toldEvent = (
  event: RecordedEvent,
  person: Person,
  actorName: string | null,
): Readonly<Record<string, unknown>> => {
  const { id, position, type, metadata } = event;
  const { at, licenceId, actorId } = metadata;
  const codes = catalogEntry(type)?.codes ?? [];
  const hidden = codes.flatMap((name) => (Object.hasOwn(event.data, name) ? [[name, null]] : []));
  return {
    id,
    position,
    type,
    at,
    licenceId,
    actor: { id: actorId, name: actorName },
    entity: entityOfEvent(event),
    data: { ...shownData(event, historyViewOf(person)), ...(Object.fromEntries(hidden) as object) },
  };
};
