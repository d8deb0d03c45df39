import type { HistoryRow } from '@zakup/contracts/history';
import { may, type Person } from '@zakup/domain/permissions';
import type { ReadContext } from '../http/read-context.ts';
import { type CampaignMoments, campaignMoments } from './campaign-moments.ts';
import { movedFigures, movedOfPeople, noCampaign, withStep } from './campaign-sums.ts';
import { commandRuns } from './command-runs.ts';
import { Unreadable } from './stream-states.ts';

/** Campaigns of one command that are told of. */
const mostCampaigns = 10;

const toldOf = async (person: Person, campaign: readonly [string, string | null], moments: CampaignMoments) => {
  const [id, name] = campaign;
  const sums = await moments.sumsOf(id);
  const from = sums[0] ?? noCampaign;
  let to = from;
  for (let index = 0; index < sums.length; index += 2)
    to = withStep(to, sums[index] ?? noCampaign, sums[index + 1] ?? noCampaign);
  const people = movedOfPeople(from, to, (userId) => may(person, 'earnings.read', { userId }).allowed);
  return {
    id,
    name,
    figures: movedFigures(from, to),
    people: await Promise.all(people.map(async (one) => ({ ...one, name: await moments.nameOf(one.userId) }))),
  };
};

type Told = Awaited<ReturnType<typeof toldOf>>;

const nothingMoved = ({ figures, people }: Told): boolean => figures.length === 0 && people.length === 0;

/**
 * Which figures of its campaigns a command moved: what they were directly before its first event, and what its own events
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
  // Of each stretch: directly before it, and after it.
  const positions = runs.flatMap(({ first, last }) => [first - 1, last]);
  const moments = campaignMoments({ deps, licenceId: person.licence.id, positions, waiting });
  const moved: Told[] = [];
  try {
    for (const campaign of told) moved.push(await toldOf(person, campaign, moments));
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
