import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { noCreative } from '@zakup/domain/placement/events';
import type { Entry } from '../outbox/entry.ts';

/** A placement of which the server knows nothing yet, before anything is decided of it. */
export const newPlacement = ({ target, issuedAt }: Entry): PlacementWire => {
  const at = new Date(issuedAt).toISOString();
  return {
    id: target.id,
    revision: 0,
    createdAt: at,
    updatedAt: at,
    campaignId: '',
    buyerId: '',
    contractorId: '',
    creativeId: noCreative,
    category: '',
    format: '',
    price: 0,
    leads: 0,
    costPerLead: 0,
    date: '',
    paymentStatus: 'unpaid',
    status: 'PENDING',
    comment: '',
    postUrl: null,
  };
};
