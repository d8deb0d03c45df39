import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { team } from '../support/api.ts';
import { type Installation, oneProcess } from '../support/editions.ts';
import { begunIn, type Entry, judge, write } from '../support/journal.ts';
import { type LiveClient, liveClient } from '../support/live-client.ts';
import { printedChance } from '../support/seeded.ts';

const kills = inject('isDeep') ? 20 : 3;
const writers = 6;
/** Milliseconds after which a life that does no work is over: it only ends what hangs. */
const hung = 60_000;
/** Commands begun in one life; all lives together stay within the 500 changes that a session may send again at once. */
const mostPerLife = 16;
/** Commands begun in the first life at least: each writer has had one acknowledged by then. */
const leastAtFirst = 2 * writers;

describe('kill -9', () => {
  let zakup: Installation;
  let watcher: LiveClient | undefined;

  beforeEach(async () => {
    zakup = await oneProcess.install();
    await zakup.start();
  });

  afterEach(async () => {
    watcher?.close();
    await zakup.remove();
  });

  test(`KILL-1 ${kills} times while ${writers} writers write: nothing acknowledged is missing or doubled, totals equal rows, a watcher catches up by itself`, async () => {
    const chance = printedChance('KILL-1');
    const { address } = zakup;
    const crew = await team(address);
    watcher = await liveClient(address, crew.buyers[1].token);
    await watcher.subscribe(`campaign:${crew.campaign.id}`);
    const journal: Entry[] = [];

    for (let round = 0; round < kills; round += 1) {
      const stopped = new AbortController();
      const allowance = { left: Number.POSITIVE_INFINITY };
      const options = { address, crew, chance, signal: stopped.signal, allowance };
      const writing = Array.from({ length: writers }, () => write(options, journal));
      // The kill follows the work and no clock; the clock only ends what hangs.
      const ends = AbortSignal.timeout(hung);
      const begun = chance.between(round === 0 ? leastAtFirst : 1, mostPerLife + 1);
      await Promise.race([begunIn(journal, journal.length + begun, ends), ...writing]);
      await zakup.kill();
      stopped.abort();
      await Promise.all(writing);
      await zakup.start();
    }

    await judge(address, crew, journal, [watcher]);
    expect(journal.filter(({ acknowledged }) => acknowledged !== null).length).toBeGreaterThanOrEqual(writers);
  });
});
