import type { HistoryRow } from '@zakup/contracts/history';
import { may, type Person } from '@zakup/domain/permissions';
import type { DocumentReader } from '@zakup/read-store/read-store';
import type { ReadContext } from '../read-route.ts';
import { dataOf } from '../rows.ts';
import { type CampaignSums, campaignSums, movedFigures, movedOfPeople, noSums, withStep } from './campaign-sums.ts';
import { commandRuns, type Run } from './command-runs.ts';

/** Campaigns of one command that are told of. */
const mostCampaigns = 10;

/** Documents of a moment; null where the licence was not there yet. */
type Then = DocumentReader | null;

class Unreadable extends Error {}

interface Step {
  readonly before: Then;
  readonly after: Then;
}

const momentBy = async ({ deps, person, waiting }: ReadContext, position: number): Promise<Then> => {
  const past = await deps.past.at(person.licence.id, { by: 'position', position }, waiting);
  if (past.kind === 'unfoldable') throw new Unreadable(past.reason);
  return past.kind === 'found' ? past.documents : null;
};

const stepOf = async (context: ReadContext, { first, last }: Run): Promise<Step> => ({
  before: await momentBy(context, first - 1),
  after: await momentBy(context, last),
});

const namesIn = async (documents: Then, licenceId: string, ids: readonly string[]): Promise<Map<string, string>> => {
  const docs = ids.length === 0 || documents === null ? [] : await documents.getMany('user', ids);
  return new Map(
    docs
      .filter((doc) => doc.licenceId === licenceId && doc.data !== null)
      .map((doc) => [doc.id, dataOf('user', doc).name]),
  );
};

const toldOf = async (person: Person, campaign: readonly [string, string | null], steps: readonly Step[]) => {
  const [id, name] = campaign;
  const licenceId = person.licence.id;
  const sumsIn = (documents: Then): Promise<CampaignSums> =>
    documents === null ? Promise.resolve(noSums) : campaignSums(documents, licenceId, id);
  const from = await sumsIn(steps[0]?.before ?? null);
  let to = from;
  for (const { before, after } of steps) to = withStep(to, await sumsIn(before), await sumsIn(after));
  const people = movedOfPeople(from, to, (userId) => may(person, 'earnings.read', { userId }).allowed);
  const ids = [...new Set(people.map(({ userId }) => userId))];
  const names = await namesIn(steps.at(-1)?.after ?? null, licenceId, ids);
  return {
    id,
    name,
    figures: movedFigures(from, to),
    people: people.map((one) => ({ ...one, name: names.get(one.userId) ?? '' })),
  };
};

type Told = Awaited<ReturnType<typeof toldOf>>;

const nothingMoved = ({ figures, people }: Told): boolean => figures.length === 0 && people.length === 0;

/**
 * Which figures of its campaigns a command moved, by time travel: what they were directly before its first event, and what its own events
 * made of them. Where others changed the same campaigns in between, its events are taken in the stretches that are its own, and what
 * each stretch moved is added up: a colleague's change is in the figures of before only if it came before. `othersBetween` then tells that
 * those of after were never there like that.
 */
export const commandMoves = async (context: ReadContext, entry: HistoryRow) => {
  const { deps, person, waiting } = context;
  const { campaigns, runs, licenceWide } = await commandRuns(deps.readStore, person.licence.id, entry);
  const untold = { campaigns: [], campaignsLeftOut: campaigns.size, othersBetween: true, licenceWide };
  if (runs === null) return { ...untold, outcome: 'scattered' as const };
  const othersBetween = runs.length > 1;
  const told = [...campaigns].slice(0, mostCampaigns);
  const moved: Told[] = [];
  try {
    const steps: Step[] = [];
    if (told.length > 0) for (const run of runs) steps.push(await stepOf(context, run));
    for (const campaign of told) {
      waiting.throwIfAborted();
      moved.push(await toldOf(person, campaign, steps));
    }
  } catch (error) {
    if (error instanceof Unreadable) return { ...untold, othersBetween, outcome: 'unreadable' as const };
    throw error;
  }
  return {
    outcome: 'told' as const,
    campaigns: moved.filter((one) => !nothingMoved(one)),
    campaignsLeftOut: campaigns.size - told.length,
    othersBetween,
    licenceWide,
  };
};
