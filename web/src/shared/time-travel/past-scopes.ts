import type {
  CampaignWire,
  ChannelWire,
  ContractorWire,
  CreativeWire,
  DocKind,
  EarningsWire,
  LicenseWire,
  NoteWire,
  PersonWire,
  PlacementWire,
  UserWire,
} from '@zakup/contracts/wire-entities';
import type { contractorCardData, reportData } from '@zakup/contracts/calls/replies';
import type { z } from 'zod';
import type { ApiClient, Query } from '../api/api-client.ts';
import { ApiProblem } from '../api/api-problem.ts';
import type { Replica } from '../replica/replica.ts';

/** A document as the live channel would bring it. */
export type PastDoc = readonly [kind: DocKind, doc: { readonly id: string }];

export interface PastScope {
  readonly docs: readonly PastDoc[];
  /** Of the event that the answers are of; null where nothing was asked. */
  readonly position: number | null;
  /** The UTC instant of that event; null where the answers do not say it. */
  readonly instant: string | null;
}

export interface PastReads {
  readonly api: Pick<ApiClient, 'get'>;
  /** A position, or a time with its zone. */
  readonly at: string;
  readonly signal: AbortSignal;
  /** What has no past: how the licence stands, by which rights are. */
  readonly now: Pick<Replica, 'all'>;
}

const pageSize = 500;
const everything = { includeInactive: true };

const docs = (kind: DocKind, list: readonly { readonly id: string }[]): readonly PastDoc[] =>
  list.map((doc) => [kind, doc]);

const peopleDocs = (users: readonly (UserWire | PersonWire)[]): readonly PastDoc[] =>
  users.flatMap((one): readonly PastDoc[] => {
    const { id, revision, name, role, isActive } = one;
    const open: UserWire = { id, revision, name, role, isActive };
    const shown: PastDoc = ['user', open];
    return 'email' in one ? [shown, ['person', one]] : [shown];
  });

/** Earnings that the person may not see are simply not there, as in the live channel. */
const unlessDenied = async <Data>(asked: Promise<Data>, otherwise: Data): Promise<Data> => {
  try {
    return await asked;
  } catch (thrown) {
    if (thrown instanceof ApiProblem && thrown.code === 'ACCESS_DENIED') return otherwise;
    throw thrown;
  }
};

/** Everything that a scope of the live channel holds, as it was. Rejects with what the reads reject with. */
export const readScope = async (scope: string, { api, at, signal, now }: PastReads): Promise<PastScope> => {
  const get = <Data>(path: string, query: Query = {}) => api.get<Data>(path, { query: { ...query, at }, signal });
  const [kind = '', id = ''] = scope.split(':');

  const placementsOf = async (): Promise<readonly PlacementWire[]> => {
    const all: PlacementWire[] = [];
    for (let page = 1; ; page += 1) {
      const { data } = await get<{ placements: readonly PlacementWire[]; total: number }>(
        `/api/campaigns/${id}/placements`,
        { page, pageSize },
      );
      all.push(...data.placements);
      if (data.placements.length < pageSize) return all;
    }
  };

  /** The licence as it stands now, with the price of a lead of then. */
  const licencesThen = async (): Promise<readonly LicenseWire[]> => {
    const licences = now.all('license');
    if (licences.length === 0) return licences;
    const asked = get<{ value: number }>('/api/license/lineage', { figure: 'leadValue', pageSize: 1 });
    const leadValue = await unlessDenied(
      asked.then(({ data }) => data.value),
      null,
    );
    return leadValue === null
      ? licences
      : licences.map((licence) => ({ ...licence, settings: { ...licence.settings, leadValue } }));
  };

  switch (kind) {
    case 'workspace': {
      const [channels, campaigns, creatives, contractors, users, licences] = await Promise.all([
        get<{ channels: readonly ChannelWire[] }>('/api/channels'),
        get<{ campaigns: readonly CampaignWire[] }>('/api/campaigns'),
        get<{ creatives: readonly CreativeWire[] }>('/api/creatives', everything),
        get<{ contractors: readonly ContractorWire[] }>('/api/contractors', everything),
        get<{ users: readonly (UserWire | PersonWire)[] }>('/api/users', everything),
        licencesThen(),
      ]);
      return {
        position: channels.position,
        instant: channels.at ?? null,
        docs: [
          ...docs('license', licences),
          ...docs('channel', channels.data.channels),
          ...docs('campaign', campaigns.data.campaigns),
          ...docs('creative', creatives.data.creatives),
          ...docs('contractor', contractors.data.contractors),
          ...peopleDocs(users.data.users),
        ],
      };
    }
    case 'campaign': {
      const [analytics, earnings, placements] = await Promise.all([
        get<z.infer<typeof reportData>>(`/api/campaigns/${id}/analytics`),
        unlessDenied(
          get<{ earnings: readonly EarningsWire[] }>(`/api/campaigns/${id}/earnings`).then(({ data }) => data.earnings),
          [],
        ),
        placementsOf(),
      ]);
      return {
        position: analytics.position,
        instant: analytics.at ?? null,
        docs: [['analytics', analytics.data], ...docs('earnings', earnings), ...docs('placement', placements)],
      };
    }
    case 'contractor': {
      const {
        data,
        position,
        at: instant = null,
      } = await get<z.infer<typeof contractorCardData>>(`/api/contractors/${id}`);
      // With the names of campaign and channel in them, which a placement of the live channel does not have.
      const placements = data.history.map(({ placementId, ...line }) => ({ ...line, id: placementId }));
      const notes: readonly NoteWire[] = data.notes;
      return {
        position,
        instant,
        docs: [['contractor', data.contractor], ...docs('placement', placements), ...docs('note', notes)],
      };
    }
    // Of one's own record there is nothing that has a past and is not in the lists.
    default:
      return { position: null, instant: null, docs: [] };
  }
};
