import type { Participant } from '@zakup/domain/campaign/events';
import { catalogEntry, decodeEvent } from '@zakup/domain/catalog';
import { may, type Person } from '@zakup/domain/permissions';
import type { HistoryView } from './history.ts';

type Data = Readonly<Record<string, unknown>>;

/** Whether the person sees what others earn, and by which terms. */
export const seesOthersEarnings = (person: Person): boolean => may(person, 'earnings.read', { userId: '' }).allowed;

/** What of a history the person is shown. */
export const historyViewOf = (person: Person): HistoryView => ({
  people: may(person, 'people.read').allowed,
  termsOf: seesOthersEarnings(person) ? null : person.userId,
});

const withoutTerms = (participant: Participant, view: HistoryView): Data =>
  view.termsOf === null || view.termsOf === participant.userId
    ? { ...participant }
    : { ...participant, salaryType: null, salaryRate: null, cplThreshold: null };

/** The data of an event as this viewer may see it: what they may not is null. */
export const shownData = ({ type, data }: { readonly type: string; readonly data: Data }, view: HistoryView): Data => {
  const personal = view.people ? [] : (catalogEntry(type)?.personal ?? []);
  const shown: Data = {
    ...data,
    ...Object.fromEntries(personal.flatMap((name) => (Object.hasOwn(data, name) ? [[name, null]] : []))),
  };
  const { participant, participants } = shown as { participant?: Participant; participants?: readonly Participant[] };
  return {
    ...shown,
    ...(participant !== undefined && { participant: withoutTerms(participant, view) }),
    ...(participants !== undefined && { participants: participants.map((one) => withoutTerms(one, view)) }),
  };
};

/** Whether a stream is the campaign's own or that of one of its placements, by its first event; undefined = it has none. */
export const isOfCampaign = (
  campaignId: string,
  first:
    | {
        readonly stream: string;
        readonly type: string;
        readonly data: Data;
        readonly metadata: { readonly schemaVersion: number };
      }
    | undefined,
): boolean => {
  if (first === undefined) return false;
  const { type, data, metadata } = first;
  const decoded = decodeEvent({ type, data, schemaVersion: metadata.schemaVersion });
  if (decoded.kind !== 'event') return false;
  const { event } = decoded;
  if (event.type === 'PlacementAdded') return event.data.campaignId === campaignId;
  return event.type === 'CampaignCreated' && first.stream.endsWith(`~${campaignId}`);
};
