import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { team } from '../support/api.ts';
import { type Installation, oneProcess } from '../support/editions.ts';
import { begunIn, type Entry, judge, nicks, write } from '../support/journal.ts';
import { type LiveClient, liveClient } from '../support/live-client.ts';
import { printedChance } from '../support/seeded.ts';

const kills = 20;
const writers = 6;
/** Longest life of a process under load, in milliseconds; the moment is random. */
const longestLife = 700;
/** Commands begun in one life; all lives together stay within the 500 changes that a session may send again at once. */
const mostPerLife = 16;

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
      const ends = AbortSignal.timeout(chance.between(20, longestLife));
      await Promise.race([begunIn(journal, journal.length + chance.between(1, mostPerLife), ends), ...writing]);
      await zakup.kill();
      stopped.abort();
      await Promise.all(writing);
      await zakup.start();
    }

    await judge(address, crew, journal, [watcher]);
    expect(watcher.docs('contractor')).toHaveLength(nicks.length);
    expect(journal.filter(({ acknowledged }) => acknowledged !== null).length).toBeGreaterThan(kills);
  });
});
