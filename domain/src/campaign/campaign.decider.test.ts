import { describe, expect, it } from 'vitest';
import { accept, reject, rejectField, rejectFields } from '../decider.ts';
import { messages } from '../messages.ts';
import { kopecks } from '../money.ts';
import { given } from '../testing/given.ts';
import { campaignDecider } from './campaign.decider.ts';
import type { CampaignEvent, Participant } from './events.ts';
import type { Campaign } from './state.ts';

const campaign = given(campaignDecider);
const participant = (userId: string, budget = 0): Participant => ({
  userId,
  budget: kopecks(budget),
  salaryType: null,
  salaryRate: null,
  cplThreshold: null,
});
const data = {
  name: 'Весна',
  channelId: 'h-1',
  totalBudget: kopecks(1000),
  startDate: null,
  endDate: null,
  participants: [participant('a', 1), participant('b', 2)],
};
const created: CampaignEvent = { type: 'CampaignCreated', data: { ...data, status: 'DRAFT' } };
const activated: CampaignEvent = { type: 'CampaignActivated', data: {} };
const completed: CampaignEvent = { type: 'CampaignCompleted', data: {} };
const reopened: CampaignEvent = { type: 'CampaignReopened', data: {} };
const deleted: CampaignEvent = { type: 'CampaignDeleted', data: {} };
const restored: CampaignEvent = { type: 'CampaignRestored', data: {} };
const facts = { channel: { deleted: false }, knownPeople: ['a', 'b', 'c'] };

describe('campaign', () => {
  it('CA-1 is created as a draft unless said otherwise', () => {
    expect(campaign().when({ type: 'CreateCampaign', ...data }, facts)).toEqual(accept(created));
    expect(campaign().when({ type: 'CreateCampaign', ...data, status: 'ACTIVE' }, facts)).toEqual(
      accept({ type: 'CampaignCreated', data: { ...data, status: 'ACTIVE' } }),
    );
    expect(campaign(created).when({ type: 'CreateCampaign', ...data }, facts)).toEqual(
      reject('DUPLICATE', messages.alreadyExists),
    );
  });

  it('CA-2 needs a channel that is there', () => {
    const missing = reject('NOT_FOUND', messages.channelNotFound);
    for (const channel of [null, { deleted: true }]) {
      expect(campaign().when({ type: 'CreateCampaign', ...data }, { ...facts, channel })).toEqual(missing);
      const move = { type: 'ChangeCampaign', changes: { channelId: 'h-2' } } as const;
      expect(campaign(created).when(move, { ...facts, channel })).toEqual(missing);
      const stay = { type: 'ChangeCampaign', changes: { channelId: 'h-1' } } as const;
      expect(campaign(created).when(stay, { ...facts, channel })).toEqual(accept());
    }
  });

  it('CA-3 tells all that is wrong with it', () => {
    const wrong = { ...data, name: ' ', totalBudget: kopecks(-1), participants: [participant('x')] };
    expect(campaign().when({ type: 'CreateCampaign', ...wrong }, facts)).toEqual(
      rejectFields(
        { pointer: '/name', detail: messages.nameInvalid },
        { pointer: '/totalBudget', detail: messages.budgetInvalid },
        { pointer: '/participants', detail: messages.employeeNotFound },
      ),
    );
  });

  it('CA-4 changes by one event a fact; dates carry only what changed', () => {
    const changes = {
      name: 'Лето',
      channelId: 'h-2',
      totalBudget: kopecks(5),
      startDate: null,
      endDate: '2030-05-31',
      status: 'ACTIVE',
      participants: { set: [participant('a', 1), participant('c', 3)], remove: ['b', 'unknown'] },
    } as const;
    expect(campaign(created).when({ type: 'ChangeCampaign', changes }, facts)).toEqual(
      accept<CampaignEvent>(
        { type: 'CampaignRenamed', data: { name: 'Лето' } },
        { type: 'CampaignMovedToChannel', data: { channelId: 'h-2' } },
        { type: 'CampaignBudgetChanged', data: { totalBudget: kopecks(5) } },
        { type: 'CampaignDatesChanged', data: { endDate: '2030-05-31' } },
        { type: 'CampaignParticipantRemoved', data: { userId: 'b' } },
        { type: 'CampaignParticipantSet', data: { participant: participant('c', 3) } },
        activated,
      ),
    );
  });

  it('ACL-7 may end before it begins: each date is a field of its own, and nothing is computed from them', () => {
    const wrong = { ...data, startDate: '2026-12-31', endDate: '2026-12-01' };
    expect(campaign().when({ type: 'CreateCampaign', ...wrong }, facts).kind).toBe('accepted');
    const move = { type: 'ChangeCampaign', changes: { startDate: '2026-12-31' } } as const;
    const begun: CampaignEvent = { type: 'CampaignCreated', data: { ...data, endDate: '2026-12-01', status: 'DRAFT' } };
    expect(campaign(begun).when(move, facts).kind).toBe('accepted');
  });

  it('CA-5 holds one entry a person, the latest; budgets above the total are no error', () => {
    const set = [participant('a', 5), participant('a', 999_999)];
    const changed = campaign(created).when(
      { type: 'ChangeCampaign', changes: { participants: { set, remove: ['a'] } } },
      facts,
    );
    expect(changed).toEqual(
      accept({ type: 'CampaignParticipantSet', data: { participant: participant('a', 999_999) } }),
    );
    const after = campaign(created, {
      type: 'CampaignParticipantSet',
      data: { participant: participant('a', 999_999) },
    });
    expect(after.state?.participants.map(({ userId }) => userId)).toEqual(['a', 'b']);
  });

  it('CA-6 is completed and reopened, by its own commands and by status alike', () => {
    expect(campaign(created).when({ type: 'CompleteCampaign' }, facts)).toEqual(accept(completed));
    expect(campaign(created, completed).when({ type: 'CompleteCampaign' }, facts)).toEqual(accept());
    expect(campaign(created, completed).when({ type: 'ReopenCampaign' }, facts)).toEqual(accept(reopened));
    expect(campaign(created, activated).when({ type: 'ReopenCampaign' }, facts)).toEqual(accept());
    const status = (wanted: 'DRAFT' | 'ACTIVE' | 'COMPLETED') =>
      ({ type: 'ChangeCampaign', changes: { status: wanted } }) as const;
    expect(campaign(created, activated).when(status('COMPLETED'), facts)).toEqual(accept(completed));
    expect(campaign(created, completed).when(status('ACTIVE'), facts)).toEqual(accept(reopened));
    expect(campaign(created).when(status('DRAFT'), facts)).toEqual(accept());
    expect(campaign(created, completed).when(status('DRAFT'), facts)).toEqual(
      rejectField('/status', messages.campaignNotBackToDraft),
    );
  });

  it('CA-1510 knows by whom and when it was completed, also when it began so, until it is opened again', () => {
    const of = (...events: CampaignEvent[]): Campaign['completion'] => campaign(...events).state?.completion ?? null;
    const somebody = { at: expect.any(String), by: expect.any(String) };
    expect(of(created, activated)).toBeNull();
    expect(of(created, completed)).toEqual(somebody);
    expect(of(created, completed, deleted, restored)).toEqual(somebody);
    expect(of({ type: 'CampaignCreated', data: { ...data, status: 'COMPLETED' } })).toEqual(somebody);
    expect(of(created, completed, reopened)).toBeNull();
    const recorded = { at: '2026-11-21T11:20:00.000Z', actorId: 'olga', revision: 1 };
    const state = campaignDecider.evolve(campaign(created).state, completed, recorded);
    expect(state.completion).toEqual({ at: recorded.at, by: 'olga' });
    expect(campaignDecider.fields(state)).not.toHaveProperty('completion');
  });

  it('CA-7 that is completed keeps its own fields changeable', () => {
    const rename = { type: 'ChangeCampaign', changes: { name: 'Лето' } } as const;
    expect(campaign(created, completed).when(rename, facts).kind).toBe('accepted');
  });

  it('CA-8 deleted is not found until restored; restoring what lives appends nothing', () => {
    const missing = reject('NOT_FOUND', messages.campaignNotFound);
    expect(campaign(created).when({ type: 'DeleteCampaign' }, facts)).toEqual(accept(deleted));
    expect(campaign(created, deleted).when({ type: 'DeleteCampaign' }, facts)).toEqual(missing);
    expect(campaign(created, deleted).when({ type: 'CompleteCampaign' }, facts)).toEqual(missing);
    expect(campaign().when({ type: 'RestoreCampaign' }, facts)).toEqual(missing);
    expect(campaign(created).when({ type: 'RestoreCampaign' }, facts)).toEqual(accept());
    expect(campaign(created, deleted).when({ type: 'RestoreCampaign' }, facts)).toEqual(
      accept({ type: 'CampaignRestored', data: {} }),
    );
  });

  it('CA-9 is not restored into a channel that is gone', () => {
    const gone = { ...facts, channel: { deleted: true } };
    expect(campaign(created, deleted).when({ type: 'RestoreCampaign' }, gone)).toEqual(
      reject('CONFLICT', messages.channelDeleted),
    );
  });
});
