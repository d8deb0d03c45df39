import type { SearchHit } from '@zakup/contracts/calls/replies';
import type {
  CampaignRow,
  ChannelRow,
  ContractorRow,
  CreativeRow,
  PlacementRow,
  RowByKind,
} from '@zakup/contracts/read-models';
import { showDateWithYear } from '@zakup/domain/calendar';
import { nicksOf } from '@zakup/domain/contractor/nicks';
import { formatRoubles } from '@zakup/domain/money';
import { campaignStatusLabels, creativeTypeLabels, roleLabels, showCampaignName } from '@zakup/domain/topics';
import { createYielder } from '@zakup/async/yielder';
import { sortYielding } from '@zakup/async/sort-yielding';
import type { DocumentReader } from '@zakup/read-store/read-store';
import { aliasesOf } from '../read-models/aliases.ts';
import { mapYielding } from '@zakup/async/map-yielding';
import { dataOf, rowsOf } from '../read-models/rows.ts';
import { compareNames } from '../read-models/placement-names.ts';
import { scoreOf, wantedWords, wordsOf } from './search-words.ts';

interface Scored {
  readonly hit: SearchHit;
  readonly score: number;
}

/** Contractors whose placements are looked at. */
const placedContractors = 3;

const nowhere = { campaignId: null, channelId: null, contractorId: null } as const;
const active = { where: { isActive: true } } as const;

const newestFirst = (a: PlacementRow, b: PlacementRow): number =>
  a.date === b.date ? (a.createdAt < b.createdAt ? 1 : -1) : a.date < b.date ? 1 : -1;

/** Rows of a licence that are searched, and by what. */
interface SearchWorld {
  readonly documents: DocumentReader;
  readonly licenceId: string;
  readonly limit: number;
  readonly wanted: ReturnType<typeof wantedWords>;
  readonly channelNames: ReadonlyMap<string, string>;
  readonly campaignById: ReadonlyMap<string, CampaignRow>;
}

type Wanted = Pick<SearchWorld, 'wanted'>;

const scored = (
  { wanted }: Wanted,
  hit: SearchHit,
  titles: readonly string[],
  others: readonly string[] = [],
): Scored => ({
  hit,
  score: scoreOf({ title: titles.flatMap(wordsOf), others: others.flatMap(wordsOf) }, wanted),
});

const best = (all: readonly Scored[]): Promise<readonly Scored[]> =>
  sortYielding(
    all.filter(({ score }) => score > 0),
    (a, b) => b.score - a.score || compareNames(a.hit.title, b.hit.title) || (a.hit.id < b.hit.id ? -1 : 1),
    createYielder(),
  );

const campaignHit = (world: SearchWorld, { id, name, channelId, status }: CampaignRow): Scored => {
  const channel = world.channelNames.get(channelId) ?? '';
  const subtitle = [channel, campaignStatusLabels[status]].filter((part) => part !== '').join(' · ');
  const hit = { ...nowhere, kind: 'campaign', id, title: showCampaignName(name), subtitle, campaignId: id } as const;
  return scored(world, { ...hit, channelId }, [name], [channel]);
};

const channelHit = (world: Wanted, { id, name }: ChannelRow): Scored =>
  scored(world, { ...nowhere, kind: 'channel', id, title: name, subtitle: 'Канал', channelId: id }, [name]);

const contractorHit = (world: Wanted, row: ContractorRow): Scored =>
  scored(
    world,
    {
      ...nowhere,
      kind: 'contractor',
      id: row.id,
      title: row.adminUsername,
      // What was named by itself has the name of a campaign.
      subtitle: row.automatic ? showCampaignName(row.channelName) : row.channelName,
      contractorId: row.id,
    },
    [row.adminUsername, ...nicksOf(row)],
    [row.channelName],
  );

const creativeHit = (world: Wanted, { id, name, abbreviation, type }: CreativeRow): Scored => {
  const subtitle = creativeTypeLabels[type];
  return scored(world, { ...nowhere, kind: 'creative', id, title: name, subtitle }, [name, abbreviation]);
};

const personHit = (world: Wanted, { id, name, role }: RowByKind['user']): Scored => {
  const subtitle = roleLabels[role];
  return scored(world, { ...nowhere, kind: 'person', id, title: name, subtitle }, [name], [subtitle]);
};

/** Placements of one contractor that was found; `parts`: ids of the contractors that were merged into it, its own among them. */
const placementsOf = async (
  { documents, licenceId, limit, campaignById }: SearchWorld,
  { hit: { id, title }, score }: Scored,
  parts: readonly string[],
): Promise<Scored[]> => {
  const pages = await Promise.all(
    parts.map((contractorId) =>
      documents.query('placement', {
        licenceId,
        where: { contractorId },
        sort: [{ field: 'date', direction: 'desc' }],
        // Those of a deleted campaign are still there, and do not count.
        limit: 4 * limit,
      }),
    ),
  );
  const rows = pages.flatMap(({ docs }) => docs.map((doc) => dataOf('placement', doc))).sort(newestFirst);
  return rows.flatMap((row) => {
    const campaign = campaignById.get(row.campaignId);
    if (campaign === undefined) return [];
    const subtitle = `${showDateWithYear(row.date)} · ${showCampaignName(campaign.name)} · ${formatRoubles(row.price)}`;
    const leads = { campaignId: campaign.id, channelId: campaign.channelId, contractorId: id };
    return [{ score, hit: { kind: 'placement', id: row.id, title, subtitle, ...leads } }];
  });
};

const foundPlacements = async (
  world: SearchWorld,
  contractors: readonly ContractorRow[],
  found: readonly Scored[],
): Promise<readonly Scored[]> => {
  // Only those who are found by their nick: a channel's name says little of its placements.
  const nicks = new Set<string>();
  await mapYielding(contractors, (row) => {
    if (scoreOf({ title: nicksOf(row).flatMap(wordsOf), others: [] }, world.wanted) > 0) nicks.add(row.id);
  });
  const { parts } = await aliasesOf(world.documents, world.licenceId);
  const placed = found.filter(({ hit }) => nicks.has(hit.id)).slice(0, placedContractors);
  return (await Promise.all(placed.map((one) => placementsOf(world, one, parts(one.hit.id))))).flat();
};

/** What is found by words in one licence, best first, at most `limit` of each kind. Placements are found through their contractors. */
export const search = async (
  documents: DocumentReader,
  licenceId: string,
  { q, limit }: { readonly q: string; readonly limit: number },
): Promise<readonly SearchHit[]> => {
  const wanted = wantedWords(q);
  if (wanted.length === 0) return [];
  const [campaigns, channels, contractors, creatives, people] = await Promise.all([
    rowsOf(documents, 'campaign', licenceId),
    rowsOf(documents, 'channel', licenceId),
    rowsOf(documents, 'contractor', licenceId, active),
    rowsOf(documents, 'creative', licenceId, active),
    rowsOf(documents, 'user', licenceId, active),
  ]);
  const world: SearchWorld = {
    documents,
    licenceId,
    limit,
    wanted,
    channelNames: new Map(channels.map(({ id, name }) => [id, name])),
    campaignById: new Map(campaigns.map((row) => [row.id, row])),
  };
  const found = await best(await mapYielding(contractors, (row) => contractorHit(world, row)));
  const placements = await foundPlacements(world, contractors, found);
  const kinds: readonly (readonly Scored[])[] = [
    await best(campaigns.map((row) => campaignHit(world, row))),
    await best(channels.map((row) => channelHit(world, row))),
    found,
    await best(creatives.map((row) => creativeHit(world, row))),
    await best(people.map((row) => personHit(world, row))),
    placements,
  ];
  // Of equal ones, the kinds in this order; placements stand behind the contractor that they were found through.
  return kinds
    .flatMap((ofKind) => ofKind.slice(0, limit))
    .toSorted((a, b) => b.score - a.score)
    .map(({ hit }) => hit);
};
