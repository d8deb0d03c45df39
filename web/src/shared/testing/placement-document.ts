import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { noCreative } from '@zakup/domain/placement/events';

/** A placement as the server answers it, in which only what a test says matters. */
export const placementDocument = (of: Partial<PlacementWire> = {}): PlacementWire => ({
  id: 'p1',
  revision: 1,
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
  campaignId: 'c',
  buyerId: 'anna',
  contractorId: 'k1',
  creativeId: noCreative,
  category: 'Кулинария',
  format: '1/24',
  price: 1000,
  leads: 10,
  costPerLead: 100,
  date: '2026-11-20',
  paymentStatus: 'unpaid',
  status: 'PENDING',
  comment: '',
  postUrl: null,
  ...of,
});
