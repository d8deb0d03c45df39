import { once } from 'node:events';
import { connect } from 'node:net';
import type { ImportWire } from '@zakup/contracts/imports';
import type { ProblemBody } from '@zakup/contracts/problems';
import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { call, type Envelope, Refused, type SignedIn } from './api.ts';

/** A table of additions whose prices are 1 to `rows`, so that each row is known again. */
export const pricedRows = (rows: number): string =>
  `Дата;Ник;Цена;Приход;Тематика\n${Array.from({ length: rows }, (_, row) => `01.02.2026;@import${row % 30};${row + 1};${row % 9};Юмор\n`).join('')}`;

export interface ImportRequest {
  readonly address: string;
  readonly by: SignedIn;
  readonly campaignId: string;
  readonly file: string;
  /** Id of the import. */
  readonly key: string;
}

/** Sends the file once; throws `Refused` for anything but a success, what `fetch` throws where nobody answers. */
export const sendImport = async ({
  address,
  by,
  campaignId,
  file,
  key,
}: ImportRequest): Promise<Envelope<{ import: ImportWire }>> => {
  const response = await fetch(`${address}/api/campaigns/${campaignId}/import`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${by.token}`, 'Idempotency-Key': key },
    body: file,
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Refused('POST import', response, answer as ProblemBody);
  return answer as Envelope<{ import: ImportWire }>;
};

/** Sends so many bytes of the file and hangs up: whether the request was whole is up to `bytes`, its answer is never read. */
export const hangUpAfter = async (
  { address, by, campaignId, file, key }: ImportRequest,
  bytes: number,
): Promise<void> => {
  const { hostname, port } = new URL(address);
  const body = Buffer.from(file);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const head = [
    `POST /api/campaigns/${campaignId}/import HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Authorization: Bearer ${by.token}`,
    `Idempotency-Key: ${key}`,
    `Content-Length: ${body.length}`,
    'Connection: close',
  ].join('\r\n');
  socket.write(`${head}\r\n\r\n`);
  await new Promise<void>((resolve) => {
    socket.write(body.subarray(0, bytes), () => resolve());
  });
  socket.destroy();
};

/** `after`: position that the answer is at least of. */
export const readImport = async (address: string, by: SignedIn, id: string, after = 0): Promise<ImportWire> =>
  (await call<{ import: ImportWire }>(address, 'GET', `/imports/${id}?after=${after}`, undefined, { token: by.token }))
    .data.import;

/** Prices of all living placements of a campaign, smallest first. */
export const pricesIn = async (
  address: string,
  by: SignedIn,
  campaignId: string,
  after: number,
): Promise<readonly number[]> => {
  const prices: number[] = [];
  for (let page = 1; ; page += 1) {
    const path = `/campaigns/${campaignId}/placements?pageSize=500&page=${page}&after=${after}`;
    const { data } = await call<{ placements: PlacementWire[]; total: number }>(address, 'GET', path, undefined, {
      token: by.token,
    });
    prices.push(...data.placements.map(({ price }) => price));
    if (data.placements.length === 0 || prices.length >= data.total) return prices.toSorted((a, b) => a - b);
  }
};
