import type { CampaignRow, EmployeeRow, PlacementRow } from '@zakup/contracts/read-models';
import type { AnyEvent } from '@zakup/domain/catalog';
import type { Participant } from '@zakup/domain/campaign/events';
import type { RecordedEvent } from '@zakup/event-store/event-store';
import { counts, grouped, naiveEarnings, sums } from '@zakup/projections/testing/random-history';

type Terms = Pick<EmployeeRow, 'salaryType' | 'salaryRate' | 'performanceThreshold'>;
type Placement = Omit<PlacementRow, 'createdAt' | 'updatedAt'>;

interface Campaign {
  readonly name: string;
  readonly totalBudget: number;
  readonly participants: readonly Participant[];
  readonly deleted: boolean;
}

const types = [
  'LicenceIssued',
  'LicenceSettingsChanged',
  'EmployeeCreated',
  'EmployeeTermsChanged',
  'ContractorCreated',
  'CampaignCreated',
  'CampaignBudgetChanged',
  'CampaignDeleted',
  'CampaignRestored',
  'CampaignParticipantSet',
  'PlacementAdded',
  'PlacementPriceChanged',
  'PlacementLeadsRecorded',
  'PlacementContractorChanged',
  'PlacementBuyerChanged',
  'PlacementDateChanged',
  'PlacementMarkedPaid',
  'PlacementMarkedUnpaid',
  'PlacementRemoved',
  'PlacementRestored',
] as const;

/** The events that the test makes; others are not told here. */
type Told = Extract<AnyEvent, { type: (typeof types)[number] }>;

/** A licence by its events, told once more in the plainest way: rows are changed where they stand, and every sum is added up anew. */
export const plainLicence = () => {
  const placements = new Map<string, Placement>();
  const campaigns = new Map<string, Campaign>();
  const people = new Map<string, Terms>();
  const contractors = new Set<string>();
  let countZeroLeads = true;

  const change = (id: string, revision: number, more: Partial<Placement>): void => {
    const row = placements.get(id);
    if (row !== undefined) placements.set(id, { ...row, ...more, revision });
  };
  const plan = (id: string, more: Partial<Campaign>): void => {
    const campaign = campaigns.get(id);
    if (campaign !== undefined) campaigns.set(id, { ...campaign, ...more });
  };

  const apply = (recorded: RecordedEvent): void => {
    const id = recorded.stream.slice(recorded.stream.indexOf('~') + 1);
    const { revision } = recorded;
    if (!(types as readonly string[]).includes(recorded.type)) throw new Error(`${recorded.type} is not told here`);
    const event = { type: recorded.type, data: recorded.data } as unknown as Told;
    switch (event.type) {
      case 'PlacementAdded':
        placements.set(id, {
          comment: '',
          postUrl: null,
          ...event.data,
          id,
          revision,
          leads: 0,
          status: 'PENDING',
          removed: false,
        });
        break;
      case 'PlacementPriceChanged':
      case 'PlacementLeadsRecorded':
      case 'PlacementContractorChanged':
      case 'PlacementBuyerChanged':
      case 'PlacementDateChanged':
        change(id, revision, event.data);
        break;
      case 'PlacementMarkedPaid':
      case 'PlacementMarkedUnpaid':
        change(id, revision, { paymentStatus: event.type === 'PlacementMarkedPaid' ? 'paid' : 'unpaid' });
        break;
      case 'PlacementRemoved':
      case 'PlacementRestored':
        change(id, revision, { removed: event.type === 'PlacementRemoved' });
        break;
      case 'CampaignCreated':
        campaigns.set(id, { ...event.data, deleted: false });
        break;
      case 'CampaignBudgetChanged':
        plan(id, event.data);
        break;
      case 'CampaignDeleted':
      case 'CampaignRestored':
        plan(id, { deleted: event.type === 'CampaignDeleted' });
        break;
      case 'CampaignParticipantSet': {
        const { participant } = event.data;
        const others = (campaigns.get(id)?.participants ?? []).filter(({ userId }) => userId !== participant.userId);
        plan(id, { participants: [...others, participant] });
        break;
      }
      case 'EmployeeCreated':
        people.set(id, event.data);
        break;
      case 'EmployeeTermsChanged':
        people.set(id, { ...(people.get(id) as Terms), ...event.data });
        break;
      case 'ContractorCreated':
        contractors.add(id);
        break;
      case 'LicenceSettingsChanged':
        countZeroLeads = event.data.countZeroLeads ?? countZeroLeads;
        break;
      case 'LicenceIssued':
        break;
    }
  };

  /** Everything that readers may see, in an order of its own. */
  const told = () => {
    const rows = [...placements.values()].filter(({ removed }) => !removed) as PlacementRow[];
    const shown = [...campaigns].filter(([, { deleted }]) => !deleted).sort(([a], [b]) => (a < b ? -1 : 1));
    const names = new Set(shown.map(([id]) => id));
    const byCampaign = new Map<string, PlacementRow[]>(shown.map(([id]) => [id, []]));
    const byContractor = new Map<string, PlacementRow[]>([...contractors].sort().map((id) => [id, []]));
    for (const row of rows) {
      byCampaign.get(row.campaignId)?.push(row);
      if (names.has(row.campaignId)) byContractor.get(row.contractorId)?.push(row);
    }
    return {
      placements: rows.sort((a, b) => (a.id < b.id ? -1 : 1)),
      campaigns: shown.map(([id, { totalBudget }]) => {
        const own = byCampaign.get(id) ?? [];
        return {
          id,
          totalBudget,
          paid: sums(own.filter(({ paymentStatus }) => paymentStatus === 'paid')).spent,
          total: sums(own),
          byBuyer: grouped(own, ({ buyerId }) => buyerId),
          byContractor: grouped(own, ({ contractorId }) => contractorId),
          byDay: grouped(own, ({ date }) => date),
        };
      }),
      contractors: [...byContractor].map(([id, own]) => ({
        id,
        ...sums(own),
        days: counts(own, ({ date }) => date),
        campaigns: counts(own, ({ campaignId }) => campaignId),
      })),
      earnings: shown.flatMap(([id, campaign]) =>
        [...people]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .flatMap(([userId, terms]) => {
            const own = (byCampaign.get(id) ?? []).filter(({ buyerId }) => buyerId === userId);
            if (own.length === 0 && !campaign.participants.some((one) => one.userId === userId)) return [];
            const row = campaign as unknown as CampaignRow;
            const person = terms as unknown as EmployeeRow;
            return [{ id: `${id}:${userId}`, ...naiveEarnings(row, person, own, userId, countZeroLeads) }];
          }),
      ),
    };
  };

  return { apply, told };
};

export type PlainLicence = ReturnType<ReturnType<typeof plainLicence>['told']>;
