import { isDeepStrictEqual } from 'node:util';
import type { RecordedEvent } from '@zakup/event-store/event-store';
import type { ReadDocument } from '@zakup/read-store/read-store';
import type { DocumentKind } from '../../documents.ts';
import { allEarnings } from './earnings.ts';
import { type EntityName, nothing, type Step, stepsOf, type World } from './entities.ts';
import { entryOf } from './history.ts';
import { importsOf } from './imports.ts';
import { inboxesOf, slotsOf } from './notifications.ts';
import { savedViewsOf } from './views.ts';
import { analyticsOf, contractorTotalsOf, creativeTotalsOf, usesOf } from './sums.ts';

/** Every document that a history comes to, recomputed from its events alone. */

/** What a document says and in which scopes it is. */
interface Said {
  readonly data: object;
  readonly scopes: readonly string[];
}
type Documents = Readonly<Record<string, Said>>;

interface Life {
  readonly steps: readonly Step[];
  /** At the end. */
  readonly world: World;
}

const each = <Row>(rows: readonly Row[], idOf: (row: Row) => string, said: (row: Row) => Said): Documents =>
  Object.fromEntries(rows.map((row) => [idOf(row), said(row)]));

const isHidden = (kind: EntityName, row: object): boolean => {
  const { removed, deleted, mergedInto } = row as { removed?: boolean; deleted?: boolean; mergedInto?: string };
  return kind === 'placement' ? removed === true : kind === 'contractor' ? mergedInto !== undefined : deleted === true;
};

const scopesOf: { readonly [Name in EntityName]: (row: World[Name][string], world: World) => readonly string[] } = {
  license: () => ['workspace'],
  user: ({ id }) => ['workspace', `person:${id}`],
  channel: () => ['workspace'],
  campaign: ({ id }) => ['workspace', `campaign:${id}`],
  creative: () => ['workspace'],
  contractor: ({ id }, world) => [
    'workspace',
    `contractor:${id}`,
    ...Object.keys(contractorTotalsOf(world, id).campaigns).map((campaignId) => `campaign:${campaignId}`),
  ],
  placement: ({ campaignId, contractorId }) => [`campaign:${campaignId}`, `contractor:${contractorId}`],
};

/** A row with the sums that stand in it. */
const withSums = (kind: EntityName, row: World[EntityName][string], world: World): object => {
  if (kind === 'contractor') return { ...row, totals: contractorTotalsOf(world, row.id) };
  return kind === 'creative' ? { ...row, totals: creativeTotalsOf(world, row.id) } : row;
};

/** Rows that are there to be seen, or those that are kept though they are not. */
const rowsOf =
  (kind: EntityName, hidden: boolean) =>
  ({ world }: Life): Documents =>
    each(
      Object.values<World[EntityName][string]>(world[kind]).filter((row) => isHidden(kind, row) === hidden),
      ({ id }) => id,
      (row) => ({
        data: withSums(kind, row, world),
        scopes: hidden ? [] : (scopesOf[kind] as (row: object, world: World) => readonly string[])(row, world),
      }),
    );

const analytics =
  (hidden: boolean) =>
  ({ world }: Life): Documents =>
    each(
      Object.values(world.campaign).filter(({ deleted }) => deleted === hidden),
      ({ id }) => id,
      (campaign) => ({ data: analyticsOf(world, campaign), scopes: hidden ? [] : [`campaign:${campaign.id}`] }),
    );

const earnings =
  (hidden: boolean) =>
  ({ steps, world }: Life): Documents =>
    each(
      Object.entries(allEarnings(steps)).filter(([, { campaignId }]) => world.campaign[campaignId]?.deleted === hidden),
      ([id]) => id,
      ([, data]) => ({ data, scopes: hidden ? [] : [`campaign:${data.campaignId}`, `person:${data.userId}`] }),
    );

const notes = ({ world }: Life): Documents =>
  each(
    Object.values(world.contractor)
      .filter(({ mergedInto }) => mergedInto === undefined)
      .flatMap((contractor) => contractor.notes.map((note) => ({ ...note, contractorId: contractor.id }))),
    ({ id }) => id,
    (data) => ({ data, scopes: [`contractor:${data.contractorId}`] }),
  );

const notifications = ({ steps }: Life): Documents =>
  each(
    [...inboxesOf(steps).values()].flatMap((inbox) => Object.entries(slotsOf(inbox))),
    ([id]) => id,
    ([, data]) => ({ data, scopes: [`person:${data.personId}`] }),
  );

const inboxes = ({ steps }: Life): Documents =>
  each(
    [...inboxesOf(steps)],
    ([id]) => id,
    ([, { notices: all, last }]) => ({ data: { told: all.length, last }, scopes: [] }),
  );

/** There from the first merge on. */
const aliases = ({ steps, world }: Life): Documents => {
  const first = steps.find(({ one: { event } }) => event.type === 'ContractorMerged');
  if (first === undefined) return {};
  const mergedInto: Record<string, string> = {};
  for (const { id, mergedInto: into } of Object.values(world.contractor)) if (into !== undefined) mergedInto[id] = into;
  return { [first.one.meta.licenceId]: { data: { mergedInto }, scopes: [] } };
};

const history = ({ steps }: Life): Documents =>
  each(
    steps.flatMap((step) => {
      const entry = entryOf(step);
      return entry === null ? [] : [[String(step.one.position).padStart(16, '0'), entry] as const];
    }),
    ([id]) => id,
    ([, data]) => ({ data, scopes: [] }),
  );

const never = (): Documents => ({});

/** A kind without its line does not compile. */
const naive: { readonly [Kind in DocumentKind]: (life: Life) => Documents } = {
  license: rowsOf('license', false),
  user: rowsOf('user', false),
  channel: rowsOf('channel', false),
  campaign: rowsOf('campaign', false),
  creative: rowsOf('creative', false),
  contractor: rowsOf('contractor', false),
  placement: rowsOf('placement', false),
  note: notes,
  analytics: analytics(false),
  earnings: earnings(false),
  notification: notifications,
  inbox: inboxes,
  aliases,
  history,
  contractor_use: ({ world }) =>
    each(
      Object.entries(usesOf(world)),
      ([id]) => id,
      ([, data]) => ({ data, scopes: [] }),
    ),
  removed_license: never,
  removed_user: never,
  removed_creative: never,
  removed_channel: rowsOf('channel', true),
  removed_campaign: rowsOf('campaign', true),
  removed_contractor: rowsOf('contractor', true),
  removed_placement: rowsOf('placement', true),
  removed_analytics: analytics(true),
  removed_earnings: earnings(true),
  import: ({ steps }) =>
    each(
      [...importsOf(steps).values()],
      ({ licenceId, data }) => `${licenceId}~${data.id}`,
      ({ inMe, data }) => ({ data, scopes: inMe ? [`person:${data.by}`] : [] }),
    ),
  view: ({ steps }) =>
    each(
      [...savedViewsOf(steps).values()],
      ({ id }) => id,
      ({ owner, ...data }) => ({ data, scopes: [data.shared ? 'workspace' : `person:${owner}`] }),
    ),
  // Every event of these histories can be folded.
  parked: never,
};

export const documentKinds = Object.keys(naive) as readonly DocumentKind[];

/** The order of fields in an entry of history means nothing, nor that of scopes; what is undefined is not there. */
const plainly = (kind: string, { data, scopes }: Said): unknown => {
  const { changes, ...others } = data as { readonly changes?: readonly { readonly field: string }[] };
  const inOrder =
    kind === 'history' ? { ...others, changes: changes?.toSorted((a, b) => (a.field < b.field ? -1 : 1)) } : data;
  return JSON.parse(JSON.stringify({ data: inOrder, scopes: scopes.toSorted() }));
};

/** By `<kind>/<id>`. */
export const naiveDocuments = (events: readonly RecordedEvent[]): ReadonlyMap<string, unknown> => {
  const steps = stepsOf(events);
  const life = { steps, world: steps.at(-1)?.after ?? nothing };
  return new Map(
    documentKinds.flatMap((kind) =>
      Object.entries(naive[kind](life)).map(([id, said]) => [`${kind}/${id}`, plainly(kind, said)] as const),
    ),
  );
};

/** A document that does not say what it should; null = there is none. */
export interface Difference {
  readonly document: string;
  readonly stored: unknown;
  readonly recomputed: unknown;
}

/** What these present documents, of whatever kinds, say otherwise than the events of their licence do. */
export const differences = (
  documents: readonly ReadDocument[],
  events: readonly RecordedEvent[],
): readonly Difference[] => {
  const expected = naiveDocuments(events);
  const found = new Map(
    documents.map(({ kind, id, data, scopes }) => [`${kind}/${id}`, plainly(kind, { data: data ?? {}, scopes })]),
  );
  return [...new Set([...expected.keys(), ...found.keys()])]
    .map((document) => ({
      document,
      stored: found.get(document) ?? null,
      recomputed: expected.get(document) ?? null,
    }))
    .filter((one) => !isDeepStrictEqual(one.stored, one.recomputed));
};
