import { randomUUID } from 'node:crypto';
import type { ImportWire } from '@zakup/contracts/imports';
import { messages } from '@zakup/domain/messages';
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { call, type Team, team } from '../support/api.ts';
import { type Installation, oneProcess } from '../support/editions.ts';
import {
  hangUpAfter,
  type ImportRequest,
  pricedRows,
  pricesIn,
  readImport,
  sendImport,
} from '../support/import-client.ts';
import { printedChance } from '../support/seeded.ts';

const patience = { timeout: 240_000, interval: 20 };

describe(`an import in ${oneProcess.name}`, { timeout: 900_000 }, () => {
  /** Twenty parts, else two. */
  const rows = inject('isDeep') ? 5_000 : 500;
  const all = Array.from({ length: rows }, (_, row) => row + 1);
  let zakup: Installation;
  let crew: Team;

  beforeEach(async () => {
    zakup = await oneProcess.install();
    await zakup.start();
    crew = await team(zakup.address);
  });
  afterEach(() => zakup.remove());

  const request = (): ImportRequest => ({
    address: zakup.address,
    by: crew.buyers[0],
    campaignId: crew.campaign.id,
    file: pricedRows(rows),
    key: randomUUID(),
  });
  /** The import once it is as wanted; not yet answered counts as not yet. */
  const once = (key: string, wanted: (found: ImportWire) => boolean): Promise<ImportWire> =>
    vi.waitFor(async () => {
      const found = await readImport(zakup.address, crew.buyers[0], key);
      if (!wanted(found)) throw new Error(`${found.status} ${found.done}`);
      return found;
    }, patience);
  /** Sent until it is answered, as a client does that was not told. */
  const delivered = (sent: ImportRequest) => vi.waitFor(() => sendImport(sent), patience);
  const killAndStart = async (): Promise<void> => {
    await zakup.kill();
    await zakup.start();
  };
  /** Once the read models have come to a position. */
  const pricesAt = (position: number): Promise<readonly number[]> =>
    vi.waitFor(() => pricesIn(zakup.address, crew.buyers[0], crew.campaign.id, position), patience);
  const pricesAfter = ({ position }: ImportWire): Promise<readonly number[]> => pricesAt(position ?? 0);

  test('IMP-2100 killed while it is sent and whenever it has come further, goes on by itself: no row is missing or there twice, and undo takes all of it', async () => {
    const chance = printedChance('IMP-2100');
    const sent = request();
    const unanswered = sendImport(sent).catch(() => null);
    await new Promise((resolve) => setTimeout(resolve, chance.between(0, 120)));
    await killAndStart();
    await unanswered;
    const begun = await delivered(sent);
    expect(begun.data.import).toMatchObject({ id: sent.key, total: rows });

    let done = -1;
    let kills = 0;
    for (;;) {
      const found = await once(sent.key, ({ status, done: now }) => status !== 'running' || now > done);
      if (found.status !== 'running') break;
      ({ done } = found);
      await new Promise((resolve) => setTimeout(resolve, chance.between(0, 60)));
      await killAndStart();
      kills += 1;
    }
    expect(kills).toBeGreaterThan(0);

    const ended = await once(sent.key, ({ status }) => status !== 'running');
    expect(ended).toMatchObject({ status: 'done', added: rows, done: rows, failed: 0, skipped: 0 });
    expect(await pricesAfter(ended)).toEqual(all);
    const { data } = await call<{ summary: { spentBudget: number } }>(
      zakup.address,
      'GET',
      `/campaigns/${crew.campaign.id}/analytics`,
      undefined,
      { token: crew.buyers[0].token },
    );
    expect(data.summary.spentBudget).toBe((rows * (rows + 1)) / 2);
    expect((await delivered(sent)).position).toBe(begun.position);
    expect(await pricesAfter(ended)).toEqual(all);

    const undone = await call(zakup.address, 'POST', '/undo', { commandId: sent.key }, { token: crew.buyers[0].token });
    let back = -1;
    for (;;) {
      const { undo } = await once(
        sent.key,
        (found) => found.undo?.status === 'done' || (found.undo?.done ?? -1) > back,
      );
      if (undo?.status === 'done') break;
      back = undo?.done ?? 0;
      await killAndStart();
    }
    const taken = await once(sent.key, ({ undo }) => undo?.status === 'done');
    expect(taken.undo).toMatchObject({ total: rows, done: rows, kept: 0 });
    expect(await pricesAt(Math.max(undone.position, taken.position ?? 0))).toEqual([]);
  });

  test('IMP-2101 of a client who hangs up is written when the file was whole, and not begun when it was not', async () => {
    const half = request();
    await hangUpAfter(half, Buffer.byteLength(half.file) - 1);
    const whole = { ...request(), file: pricedRows(40) };
    await hangUpAfter(whole, Buffer.byteLength(whole.file));
    const ended = await vi.waitFor(() => once(whole.key, ({ status }) => status === 'done'), patience);
    expect(ended).toMatchObject({ added: 40, failed: 0 });
    expect((await delivered(whole)).data.import).toMatchObject({ id: whole.key, total: 40 });
    expect(await pricesAfter(ended)).toEqual(all.slice(0, 40));
    await expect(readImport(zakup.address, crew.buyers[0], half.key)).rejects.toThrow(messages.importNotFound);
  });
});
