import { streamOf, valueHash } from '@zakup/command/pipeline/ids';
import type { AnyEvent } from '@zakup/domain/catalog';
import { kopecks, toRoubles } from '@zakup/domain/money';
import { reservationStream } from '@zakup/domain/reservation/reservation-stream';
import type { EventStore, EventToAppend, StreamWrite } from '@zakup/event-store/event-store';
import { systemEvent } from './seeded-licence.ts';

/** Rows of the campaign. Fewer for a first look: `BENCH_ROWS=20000`. */
export const rowCount = Number(process.env['BENCH_ROWS'] ?? 100_000);
const contractorCount = 2_000;
const buyerCount = 20;
const perAppend = 500;

const topics = ['Юмор', 'Кулинария', 'Сад и дача', 'Новости', 'Авто'];
const formats = ['1/24', '2/48', '3/72'];

/** A campaign to fill, of a licence that exists. */
export interface CampaignToFill {
  readonly licenceId: string;
  readonly campaignId: string;
  readonly creativeId: string;
  readonly creativeName: string;
}

/** A row as a table shows it; `price` in roubles. */
export interface TableRow {
  readonly id: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly nick: string;
  readonly price: number;
  readonly leads: number;
  readonly creative: string;
  readonly topic: string;
  readonly format: string;
  readonly buyer: string;
  readonly paid: boolean;
}

/** Id of the placement with this number. */
export const placementIdOf = (number: number): string => valueHash(`placement ${number}`).slice(0, 24);

const nickOf = (number: number): string => `channel_${number % contractorCount}`;
const contractorIdOf = (number: number): string => valueHash(nickOf(number)).slice(0, 24);
const buyerOf = (licenceId: string, number: number) => ({
  id: `${licenceId}buyer${number % buyerCount}`,
  name: `Покупатель ${number % buyerCount}`,
});

const factsOf = (number: number) => ({
  contractor: number * 7,
  topic: topics[number % topics.length] ?? '',
  format: formats[number % formats.length] ?? '',
  price: kopecks(100_000 + (number % 1000) * 100),
  leads: number % 3 === 0 ? 0 : number % 50,
  date: `2026-${String(1 + (number % 9)).padStart(2, '0')}-${String(1 + ((number * 11) % 28)).padStart(2, '0')}`,
  paid: number % 4 === 0,
});

/** The rows of a filled campaign in the order in which its table begins: by date, then by creation. */
export const tableRows = ({ licenceId, creativeName }: CampaignToFill): readonly TableRow[] =>
  Array.from({ length: rowCount }, (_, number): TableRow => {
    const { contractor, price, ...facts } = factsOf(number);
    return {
      ...facts,
      id: placementIdOf(number),
      nick: `@${nickOf(contractor)}`,
      price: toRoubles(price),
      creative: creativeName,
      buyer: buyerOf(licenceId, number).name,
    };
  }).toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));

const peopleAndContractors = async (eventStore: EventStore, licenceId: string): Promise<void> => {
  const put = (stream: string, event: AnyEvent) =>
    eventStore.append([{ stream, expectedRevision: 'any', events: [systemEvent(licenceId, event)] }]);
  for (let number = 0; number < buyerCount; number += 1) {
    const { id, name } = buyerOf(licenceId, number);
    await put(streamOf('employee', licenceId, id), {
      type: 'EmployeeCreated',
      data: {
        name,
        email: `buyer${number}@example.org`,
        role: 'MEDIA_BUYER',
        authCode: `CODE${number}`,
        permissions: null,
        isOwner: false,
        salaryType: 'budget',
        salaryRate: 10,
        performanceThreshold: null,
      },
    });
  }
  for (let number = 0; number < contractorCount; number += 1) {
    const [nick, id] = [nickOf(number), contractorIdOf(number)];
    await put(reservationStream('nick', licenceId, valueHash(nick)), {
      type: 'ValueClaimed',
      data: { holder: { licenceId, id } },
    });
    await put(streamOf('contractor', licenceId, id), {
      type: 'ContractorCreated',
      data: { nick, adminUsername: `@${nick}`, channelName: `Канал ${number}`, category: 'Юмор', automatic: true },
    });
  }
};

const writeOf = ({ licenceId, campaignId, creativeId }: CampaignToFill, number: number): StreamWrite => {
  const { contractor, topic, format, price, leads, date, paid } = factsOf(number);
  const added = systemEvent(licenceId, {
    type: 'PlacementAdded',
    data: {
      campaignId,
      buyerId: buyerOf(licenceId, number).id,
      contractorId: contractorIdOf(contractor),
      creativeId,
      category: topic,
      format,
      price,
      date,
      paymentStatus: paid ? 'paid' : 'unpaid',
    },
  });
  const events: readonly [EventToAppend, ...EventToAppend[]] =
    leads === 0 ? [added] : [added, systemEvent(licenceId, { type: 'PlacementLeadsRecorded', data: { leads } })];
  return { stream: streamOf('placement', licenceId, placementIdOf(number)), expectedRevision: 'no_stream', events };
};

/** Appends 20 buyers, 2,000 contractors and 100,000 placements to a campaign. */
export const fillCampaign = async (eventStore: EventStore, campaign: CampaignToFill): Promise<void> => {
  await peopleAndContractors(eventStore, campaign.licenceId);
  for (let from = 0; from < rowCount; from += perAppend) {
    const [first, ...rest] = Array.from({ length: perAppend }, (_, index) => writeOf(campaign, from + index));
    if (first === undefined) throw new Error('There is nothing to append');
    await eventStore.append([first, ...rest]);
  }
};
