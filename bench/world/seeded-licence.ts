import { randomUUID } from 'node:crypto';
import { streamOf, valueHash } from '@zakup/command/pipeline/ids';
import type { Credentials } from '@zakup/credentials/credentials';
import type { AnyEvent } from '@zakup/domain/catalog';
import { kopecks } from '@zakup/domain/money';
import { reservationStream } from '@zakup/domain/reservation/reservation-stream';
import type { EventStore, EventToAppend } from '@zakup/event-store/event-store';

/** A licence with one campaign, a creative, contractors and buyers, written as events. */
export interface SeededLicence {
  readonly licenceId: string;
  readonly campaignId: string;
  readonly creativeId: string;
  readonly buyers: readonly string[];
  readonly nicks: readonly string[];
}

const day = 86_400_000;

/** An event of the system, ready to append. */
export const systemEvent = (licenceId: string, { type, data }: AnyEvent): EventToAppend => ({
  id: randomUUID(),
  type,
  data,
  metadata: {
    licenceId,
    actorId: 'system',
    source: 'system',
    commandId: randomUUID(),
    requestHash: valueHash(type).padEnd(64, '0'),
    at: new Date().toISOString(),
    schemaVersion: 1,
  },
});

/** Appends the licence's events. */
export const seedLicence = async (
  eventStore: EventStore,
  {
    licenceId,
    buyers,
    contractors,
  }: { readonly licenceId: string; readonly buyers: number; readonly contractors: number },
): Promise<SeededLicence> => {
  const put = (stream: string, event: AnyEvent) =>
    eventStore.append([{ stream, expectedRevision: 'any', events: [systemEvent(licenceId, event)] }]);
  const seeded = {
    licenceId,
    campaignId: `${licenceId}campaign`,
    creativeId: `${licenceId}creative`,
    buyers: Array.from({ length: buyers }, (_, index) => `${licenceId}buyer${index}`),
    nicks: Array.from({ length: contractors }, (_, index) => `channel_${licenceId}_${index}`),
  };
  await put(streamOf('licence', licenceId, licenceId), {
    type: 'LicenceIssued',
    data: {
      licenseKey: `LICENSE-${licenceId}`,
      teamName: 'Team',
      ownerName: 'Owner',
      ownerEmail: 'owner@example.org',
      ownerTelegram: '@owner',
      expiresAt: new Date(Date.now() + 365 * day).toISOString(),
      features: ['campaigns', 'placements', 'reports'],
      maxConcurrentSessions: 10_000,
    },
  });
  await put(streamOf('licence', licenceId, licenceId), {
    type: 'LicenceActivated',
    data: { ownerId: seeded.buyers[0] ?? '', ceoLoginCode: 'CEO' },
  });
  await put(streamOf('channel', licenceId, `${licenceId}channel`), {
    type: 'ChannelCreated',
    data: { name: 'Channel', avatar: null },
  });
  await put(streamOf('campaign', licenceId, seeded.campaignId), {
    type: 'CampaignCreated',
    data: {
      name: 'Campaign',
      channelId: `${licenceId}channel`,
      totalBudget: kopecks(100_000_000),
      status: 'ACTIVE',
      startDate: null,
      endDate: null,
      participants: [],
    },
  });
  await put(streamOf('creative', licenceId, seeded.creativeId), {
    type: 'CreativeCreated',
    data: { name: 'Creative', abbreviation: 'CR', type: 'TEXT_ONLY', notes: '' },
  });
  for (const [index, id] of seeded.buyers.entries())
    await put(streamOf('employee', licenceId, id), {
      type: 'EmployeeCreated',
      data: {
        name: `Buyer ${index}`,
        email: `buyer${index}@example.org`,
        role: 'MEDIA_BUYER',
        authCode: `CODE${index}`,
        permissions: null,
        isOwner: false,
        salaryType: null,
        salaryRate: null,
        performanceThreshold: null,
      },
    });
  for (const nick of seeded.nicks) {
    const id = valueHash(nick).slice(0, 24);
    await put(reservationStream('nick', licenceId, valueHash(nick)), {
      type: 'ValueClaimed',
      data: { holder: { licenceId, id } },
    });
    await put(streamOf('contractor', licenceId, id), {
      type: 'ContractorCreated',
      data: { nick, adminUsername: `@${nick}`, channelName: 'Channel', category: 'Юмор', automatic: true },
    });
  }
  return seeded;
};

/** A signed-in person. */
export interface Caller {
  readonly userId: string;
  readonly sessionId: string;
  readonly licenceId: string;
  readonly role: string;
  readonly passwordChangeOnly: boolean;
}

/** Opens sessions, one per caller, the buyers in turn. */
export const openCallers = (credentials: Credentials, { licenceId, buyers }: SeededLicence, count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, index): Promise<Caller> => {
      const sessionId = randomUUID();
      const userId = buyers[index % buyers.length] ?? '';
      const now = Date.now();
      const opened = await credentials.openSession(
        {
          id: sessionId,
          userId,
          licenceId,
          via: 'employee',
          passwordChangeOnly: false,
          createdAt: now,
          expiresAt: now + day,
          userAgent: '',
        },
        { maxConcurrentSessions: count, endOldest: false },
      );
      if (opened.kind !== 'opened') throw new Error('A bench session was refused');
      return { userId, sessionId, licenceId, role: 'MEDIA_BUYER', passwordChangeOnly: false };
    }),
  );
