import { randomUUID } from 'node:crypto';
import type { SeededLicence } from './seeded-licence.ts';

/** A request as a client would send it. */
export interface WantedRequest {
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly key: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The mix of the figures of commands: a placement with a contractor that is known, then a new price for it, and so on. */
export const placementRequests = (licence: SeededLicence, userId: string, seed: number) => {
  let count = seed;
  return (placementId: string | null): WantedRequest => {
    count += 1;
    const key = randomUUID();
    if (placementId !== null)
      return {
        method: 'PATCH',
        path: `/placements/${placementId}`,
        key,
        body: { baseRevision: 0, price: 1000 + (count % 900) + 0.5 },
      };
    return {
      method: 'POST',
      path: '/placements',
      key,
      body: {
        campaignId: licence.campaignId,
        contractor: `@${licence.nicks[count % licence.nicks.length] ?? ''}`,
        buyerId: userId,
        category: 'Юмор',
        date: '2026-03-01',
        format: '1/24',
        price: 1000 + (count % 900),
        creativeId: licence.creativeId,
        paymentStatus: 'unpaid',
      },
    };
  };
};
