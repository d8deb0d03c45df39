import { randomUUID } from 'node:crypto';
import { streamOf, valueHash } from '@zakup/command/pipeline/ids';
import type { AnyEvent } from '@zakup/domain/catalog';
import { kopecks } from '@zakup/domain/money';
import type { EventStore, EventToAppend, StreamWrite } from '@zakup/event-store/event-store';
import { type SeededLicence, seedLicence, systemEvent } from './seeded-licence.ts';

const licences = 20;
const placementsPerAppend = 80;
const appendsAtOnce = 4;

const lifeOfPlacement = (at: {
  readonly campaignId: string;
  readonly buyerId: string;
  readonly contractorId: string;
  readonly creativeId: string;
  readonly number: number;
}): readonly AnyEvent[] => [
  {
    type: 'PlacementAdded',
    data: {
      campaignId: at.campaignId,
      buyerId: at.buyerId,
      contractorId: at.contractorId,
      creativeId: at.creativeId,
      category: 'Юмор',
      format: '1/24',
      price: kopecks(100_000 + (at.number % 1000) * 100),
      date: `2026-03-${String(1 + (at.number % 28)).padStart(2, '0')}`,
      paymentStatus: 'unpaid',
    },
  },
  { type: 'PlacementLeadsRecorded', data: { leads: at.number % 50 } },
  { type: 'PlacementMarkedPaid', data: {} },
  { type: 'PlacementPriceChanged', data: { price: kopecks(90_000 + (at.number % 1000) * 100) } },
  { type: 'PlacementStatusChanged', data: { status: 'PUBLISHED' } },
];

/** Placements of several licences that are made for it, five events each. */
export const placementLives = async (eventStore: EventStore, count: number = licences) => {
  const seeded: SeededLicence[] = [];
  for (let index = 0; index < count; index += 1) {
    const licenceId = `${index.toString(16).padStart(2, '0')}long`;
    seeded.push(await seedLicence(eventStore, { licenceId, buyers: 5, contractors: 30 }));
  }
  let number = 0;
  const writeOf = (): StreamWrite => {
    const licence = seeded[Math.floor(number / placementsPerAppend) % count];
    if (licence === undefined) throw new Error('No licence');
    const { licenceId, campaignId, creativeId, buyers, nicks } = licence;
    const life = lifeOfPlacement({
      campaignId,
      creativeId,
      buyerId: buyers[number % buyers.length] ?? '',
      contractorId: valueHash(nicks[number % nicks.length] ?? '').slice(0, 24),
      number,
    });
    number += 1;
    const [first, ...rest] = life.map((event) => systemEvent(licenceId, event));
    return {
      stream: streamOf('placement', licenceId, randomUUID().replaceAll('-', '').slice(0, 24)),
      expectedRevision: 'no_stream',
      events: [first, ...rest] as [EventToAppend, ...EventToAppend[]],
    };
  };
  return {
    licences: seeded,
    next: (writes: number): [StreamWrite, ...StreamWrite[]] =>
      Array.from({ length: writes }, writeOf) as [StreamWrite, ...StreamWrite[]],
  };
};

/**
 * Appends placements of several licences, five events each, until the log's head is at `events` or so many seconds are over. Resolves with
 * the licences.
 */
export const fillLog = async (
  eventStore: EventStore,
  events: number,
  mostSeconds: number,
  count: number = licences,
): Promise<readonly SeededLicence[]> => {
  const until = performance.now() + mostSeconds * 1000;
  const lives = await placementLives(eventStore, count);
  while ((await eventStore.head()) < events && performance.now() < until) {
    await Promise.all(Array.from({ length: appendsAtOnce }, () => eventStore.append(lives.next(placementsPerAppend))));
  }
  return lives.licences;
};
