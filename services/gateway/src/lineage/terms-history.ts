import type { Participant } from '@zakup/domain/campaign/events';
import { paysAlike, type PersonTerms, resolveTerms, schemeOf } from '@zakup/domain/analytics/earnings';
import type { DocumentReader, ReadStore } from '@zakup/read-store/read-store';
import { rowOf } from '../read-models/rows.ts';
import { type EntityHistory, entityHistory, stateBefore, valueBefore } from './entity-history.ts';
import type { Entry } from './newest-first.ts';

export interface TermsHistoryQuery {
  readonly licenceId: string;
  readonly campaignId: string;
  /** Whose earnings it is about. */
  readonly userIds: readonly string[];
  /** Nothing later is looked at. */
  readonly to: number;
}

export interface TermsHistorySources {
  /** Of the moment that is asked for. */
  readonly documents: DocumentReader;
  readonly readStore: Pick<ReadStore, 'scanIndex'>;
}

/** Terms on a card: members of `PersonTerms`, as the history names them. */
const onCard = ['salaryType', 'salaryRate', 'performanceThreshold'] as const;
const readsAtOnce = 8;

const touches = (entry: Entry, fields: readonly string[]): boolean =>
  fields.some((field) => valueBefore(entry, field) !== undefined);

/** Who let placements without leads count in this licence, or no longer. */
export const zeroLeadSwitches = async (
  readStore: Pick<ReadStore, 'scanIndex'>,
  { licenceId, to }: { readonly licenceId: string; readonly to: number },
): Promise<EntityHistory> => {
  const { entries, complete } = await entityHistory(readStore, { licenceId, kind: 'license', id: licenceId, to });
  return { entries: entries.filter((entry) => typeof valueBefore(entry, 'countZeroLeads') === 'boolean'), complete };
};

/**
 * What moved somebody's earnings in a campaign from outside of it: changes of a card by which the person was paid there then, and the switch
 * for placements without leads where they could count (NUM-10 to NUM-13). Changes of the participation are the campaign's own.
 */
export const termsHistory = async (
  { documents, readStore }: TermsHistorySources,
  { licenceId, campaignId, userIds, to }: TermsHistoryQuery,
): Promise<EntityHistory> => {
  const historyOf = (kind: 'campaign' | 'user', id: string) => entityHistory(readStore, { licenceId, kind, id, to });
  const participants = (await rowOf(documents, 'campaign', campaignId, licenceId))?.participants ?? [];
  const campaign = await historyOf('campaign', campaignId);
  const switches = await zeroLeadSwitches(readStore, { licenceId, to });
  const began = campaign.complete ? (campaign.entries.at(-1)?.position ?? 0) : 0;

  const ofPerson = async (userId: string): Promise<EntityHistory> => {
    const field = `participants/${userId}`;
    const participation = campaign.entries.filter((entry) => touches(entry, [field]));
    const cardHistory = await historyOf('user', userId);
    const card = cardHistory.entries.filter((entry) => touches(entry, onCard));
    // Before somebody came into the campaign nothing was earned there.
    const first = participation.at(-1);
    const joined = first !== undefined && valueBefore(first, field) === null ? first.position : began;

    let participant: Participant | null = participants.find((one) => one.userId === userId) ?? null;
    let person: PersonTerms | null = await rowOf(documents, 'user', userId, licenceId);
    const moves = (entry: Entry): boolean => {
      const after = resolveTerms(participant, person);
      if (participation.includes(entry)) {
        participant = valueBefore(entry, field) as Participant | null;
        return false;
      }
      if (!card.includes(entry)) return schemeOf(after) === 'result';
      person = person === null ? null : stateBefore(person, entry);
      return !paysAlike(resolveTerms(participant, person), after);
    };
    const entries = [...participation, ...card, ...switches.entries]
      .toSorted((a, b) => b.position - a.position)
      .filter((entry) => moves(entry) && entry.position > joined);
    return { entries, complete: cardHistory.complete };
  };

  const people: EntityHistory[] = [];
  for (let from = 0; from < userIds.length; from += readsAtOnce)
    people.push(...(await Promise.all(userIds.slice(from, from + readsAtOnce).map(ofPerson))));
  const byPosition = new Map(people.flatMap(({ entries }) => entries.map((entry) => [entry.position, entry])));
  return {
    entries: [...byPosition.values()].toSorted((a, b) => b.position - a.position),
    complete: campaign.complete && switches.complete && people.every(({ complete }) => complete),
  };
};
