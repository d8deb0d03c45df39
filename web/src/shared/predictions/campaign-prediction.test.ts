import type { CampaignWire } from '@zakup/contracts/wire-entities';
import { describe, expect, it } from 'vitest';
import type { Entry, EntryState } from '../outbox/entry.ts';
import { predictedStatus } from './campaign-prediction.ts';

const campaign = (status: CampaignWire['status']) => ({ id: 'c', revision: 2, status, totalBudget: 1 }) as CampaignWire;
const reopening = (state: EntryState): Entry => ({
  id: 'e',
  order: 1,
  issuedAt: 0,
  attempted: false,
  target: { kind: 'campaign', id: 'c' },
  method: 'POST',
  path: '/api/campaigns/c/reopen',
  body: {},
  baseRevision: null,
  label: '',
  scope: 'workspace',
  state,
});

describe('prediction of a campaign', () => {
  it('PRD-12 reopening makes a completed one active and leaves a draft as it is; refused, it says nothing', () => {
    const pending = [reopening({ kind: 'pending' })];
    expect(predictedStatus(campaign('COMPLETED'), pending)).toBe('ACTIVE');
    expect(predictedStatus(campaign('DRAFT'), pending)).toBe('DRAFT');
    expect(predictedStatus(campaign('COMPLETED'), [reopening({ kind: 'rejected', code: 'X', reason: '' })])).toBe(
      'COMPLETED',
    );
    expect(predictedStatus(campaign('COMPLETED'), [])).toBe('COMPLETED');
  });
});
