import { describe, expect, it } from 'vitest';
import { accept, reject, rejectField } from '../decider.ts';
import { messages } from '../messages.ts';
import { kopecks } from '../money.ts';
import { given } from '../testing/given.ts';
import type { PlacementFacts } from './commands.ts';
import { noCreative, type PlacementEvent } from './events.ts';
import { placementDecider } from './placement.decider.ts';

const placement = given(placementDecider);
const data = {
  campaignId: 'c-1',
  buyerId: 'u-1',
  contractorId: 'k-1',
  creativeId: noCreative,
  category: 'Мемы',
  format: '1/24',
  price: kopecks(150_050),
  date: '2030-11-21',
  paymentStatus: 'unpaid',
} as const;
const added: PlacementEvent = { type: 'PlacementAdded', data };
const paid: PlacementEvent = { type: 'PlacementMarkedPaid', data: {} };
const unpaid: PlacementEvent = { type: 'PlacementMarkedUnpaid', data: {} };
const removed: PlacementEvent = { type: 'PlacementRemoved', data: {} };
const facts: PlacementFacts = {
  campaign: { status: 'ACTIVE', deleted: false },
  buyer: { role: 'MEDIA_BUYER', isActive: true },
  creative: { isActive: true },
};
const add = { type: 'AddPlacement', ...data } as const;

describe('placement', () => {
  it('PL-1 is added pending with 0 leads', () => {
    expect(placement().when(add, facts)).toEqual(accept(added));
    expect(placement(added).state).toMatchObject({ status: 'PENDING', leads: 0, paymentStatus: 'unpaid' });
    expect(placement(added).when(add, facts)).toEqual(reject('DUPLICATE', messages.placementExists));
  });

  it('PL-2 has an active media buyer or team lead for a buyer', () => {
    const refused = rejectField('/buyerId', 'Выберите байера');
    for (const buyer of [null, { role: 'CEO', isActive: true }, { role: 'MEDIA_BUYER', isActive: false }]) {
      expect(placement().when(add, { ...facts, buyer })).toEqual(refused);
      const change = { type: 'ChangePlacement', changes: { buyerId: 'u-2' } } as const;
      expect(placement(added).when(change, { ...facts, buyer })).toEqual(refused);
    }
    expect(placement().when(add, { ...facts, buyer: { role: 'TEAM_LEAD', isActive: true } }).kind).toBe('accepted');
  });

  it('PL-3 in a completed campaign is not changed by any command', () => {
    const completed: PlacementFacts = { ...facts, campaign: { status: 'COMPLETED', deleted: false } };
    const refused = reject('CAMPAIGN_COMPLETED', messages.campaignCompleted);
    expect(placement().when(add, completed)).toEqual(refused);
    for (const command of [
      { type: 'ChangePlacement', changes: { leads: 1 } },
      { type: 'SetPayment', paymentStatus: 'toggle' },
      { type: 'RemovePlacement' },
    ] as const)
      expect(placement(added).when(command, completed)).toEqual(refused);
    expect(placement(added, removed).when({ type: 'RestorePlacement' }, completed)).toEqual(refused);
  });

  it('PL-1683 has no comment and no address of a post until they are said, and none again when they are emptied', () => {
    expect(placement(added).state).toMatchObject({ comment: '', postUrl: null });
    expect(placement().when({ ...add, comment: '', postUrl: null }, facts)).toEqual(accept(added));
    const said = { comment: 'Первая строка\nвторая', postUrl: 'https://t.me/some/17' };
    expect(placement().when({ ...add, ...said }, facts)).toEqual(
      accept({ type: 'PlacementAdded', data: { ...data, ...said } }),
    );
    const commented: PlacementEvent = { type: 'PlacementCommentChanged', data: { comment: said.comment } };
    const linked: PlacementEvent = { type: 'PlacementPostUrlChanged', data: { postUrl: said.postUrl } };
    expect(placement(added).when({ type: 'ChangePlacement', changes: said }, facts)).toEqual(
      accept<PlacementEvent>(commented, linked),
    );
    expect(placement(added, commented, linked).state).toMatchObject(said);
    expect(placement(added, commented, linked).when({ type: 'ChangePlacement', changes: said }, facts)).toEqual(
      accept(),
    );
    expect(
      placement(added, commented, linked).when(
        { type: 'ChangePlacement', changes: { comment: '', postUrl: null } },
        facts,
      ),
    ).toEqual(
      accept<PlacementEvent>(
        { type: 'PlacementCommentChanged', data: { comment: '' } },
        { type: 'PlacementPostUrlChanged', data: { postUrl: null } },
      ),
    );
  });

  it('PL-4 of a deleted or unknown campaign is not found', () => {
    for (const campaign of [null, { status: 'ACTIVE', deleted: true } as const]) {
      expect(placement().when(add, { ...facts, campaign })).toEqual(reject('NOT_FOUND', messages.campaignNotFound));
      expect(placement(added).when({ type: 'RemovePlacement' }, { ...facts, campaign })).toEqual(
        reject('NOT_FOUND', messages.placementNotFound),
      );
    }
  });

  it('PL-5 needs no creative, but an unknown one is not found', () => {
    const unknown = { ...facts, creative: null };
    const missing = reject('NOT_FOUND', messages.creativeNotFound);
    expect(placement().when(add, unknown).kind).toBe('accepted');
    expect(placement().when({ ...add, creativeId: 'r-1' }, unknown)).toEqual(missing);
    const change = { type: 'ChangePlacement', changes: { creativeId: 'r-1' } } as const;
    expect(placement(added).when(change, unknown)).toEqual(missing);
  });

  it('PL-10 takes no deactivated creative, but keeps the one it has', () => {
    const inactive = { ...facts, creative: { isActive: false } };
    const missing = reject('NOT_FOUND', messages.creativeNotFound);
    expect(placement().when({ ...add, creativeId: 'r-1' }, inactive)).toEqual(missing);
    const change = { type: 'ChangePlacement', changes: { creativeId: 'r-1' } } as const;
    expect(placement(added).when(change, inactive)).toEqual(missing);
    const chosen: PlacementEvent = { type: 'PlacementCreativeChanged', data: { creativeId: 'r-1' } };
    expect(placement(added, chosen).when(change, inactive)).toEqual(accept());
  });

  it('PL-6 changes by one event a member and appends nothing for what is already there', () => {
    const changes = {
      date: '2030-11-22',
      contractorId: 'k-2',
      price: kopecks(1),
      leads: 3,
      creativeId: 'r-1',
      category: 'Юмор',
      format: '1/48',
      buyerId: 'u-2',
      status: 'DONE',
    } as const;
    const decision = placement(added).when({ type: 'ChangePlacement', changes }, facts);
    expect(decision.kind === 'accepted' && decision.events.map(({ type }) => type)).toEqual([
      'PlacementDateChanged',
      'PlacementContractorChanged',
      'PlacementPriceChanged',
      'PlacementLeadsRecorded',
      'PlacementCreativeChanged',
      'PlacementCategoryChanged',
      'PlacementFormatChanged',
      'PlacementBuyerChanged',
      'PlacementStatusChanged',
    ]);
    const { campaignId: _, paymentStatus: __, ...same } = data;
    expect(placement(added).when({ type: 'ChangePlacement', changes: same }, facts)).toEqual(accept());
  });

  it('PL-7 toggles between paid and unpaid; setting what it is appends nothing', () => {
    const set = (paymentStatus: 'paid' | 'unpaid' | 'toggle') => ({ type: 'SetPayment', paymentStatus }) as const;
    expect(placement(added).when(set('toggle'), facts)).toEqual(accept(paid));
    expect(placement(added, paid).when(set('toggle'), facts)).toEqual(accept(unpaid));
    expect(placement(added, paid).when(set('paid'), facts)).toEqual(accept());
  });

  it('PL-8 removed is not found until restored; restoring what lives appends nothing', () => {
    const missing = reject('NOT_FOUND', messages.placementNotFound);
    expect(placement(added).when({ type: 'RemovePlacement' }, facts)).toEqual(accept(removed));
    expect(placement(added, removed).when({ type: 'RemovePlacement' }, facts)).toEqual(missing);
    expect(placement(added, removed).when({ type: 'RestorePlacement' }, facts)).toEqual(
      accept({ type: 'PlacementRestored', data: {} }),
    );
    expect(placement(added).when({ type: 'RestorePlacement' }, facts)).toEqual(accept());
    expect(placement().when({ type: 'RestorePlacement' }, facts)).toEqual(missing);
  });

  it('PL-9 tells its fields in roubles', () => {
    const { state } = placement(added);
    expect(state && placementDecider.fields(state)).toMatchObject({ price: 1500.5, deleted: false });
  });
});
