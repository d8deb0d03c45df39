import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { team } from '../support/api.ts';
import { type Installation, type Part, threeProcesses } from '../support/editions.ts';
import { readModelsAndFold } from '../support/fold-from-scratch.ts';
import { begunIn, type Entry, judge, nicks, write } from '../support/journal.ts';
import { type LiveClient, liveClient } from '../support/live-client.ts';
import { printedChance } from '../support/seeded.ts';

const edition = threeProcesses();
const isDeep = inject('isDeep');
/** How often each part is killed. */
const rounds = isDeep ? 4 : 1;
/** Stand-ins that end and begin again are met by AWAY-4, too. */
const killed = isDeep ? 'each service and each stand-in' : 'each service';
const writers = 4;
/** Commands from one kill to the next; all together stay within the 500 changes that a session may send again at once. */
const perKill = 16;
/** Longest wait between the chosen command and the kill, in milliseconds: from its beginning to well behind its answer. */
const longestWait = 30;

describe(`kill -9 in ${edition.name}`, { timeout: 600_000 }, () => {
  let zakup: Installation;
  let watchers: LiveClient[] = [];

  beforeEach(async () => {
    zakup = await edition.install();
    await zakup.start();
  });

  afterEach(async () => {
    for (const watcher of watchers.splice(0)) watcher.close();
    await zakup.remove();
    await edition.end();
  });

  test(`KILL-2 of ${killed} in random order, ${rounds} of each, while ${writers} writers write: nothing acknowledged is missing or doubled, totals equal rows, watchers and read models are at one state with the log`, async () => {
    const chance = printedChance('KILL-2');
    const { address } = zakup;
    const crew = await team(address);
    watchers = await Promise.all([crew.owner, ...crew.buyers].map(({ token }) => liveClient(address, token)));
    for (const watcher of watchers) await watcher.subscribe(`campaign:${crew.campaign.id}`);
    const journal: Entry[] = [];
    const victims: Part[] = [...zakup.services, ...(isDeep ? zakup.standIns : [])];
    const stopped = new AbortController();
    const signal = stopped.signal;

    for (const victim of Array.from({ length: rounds }, () => chance.shuffled(victims)).flat()) {
      const allowance = { left: perKill };
      const options = { address, crew, chance, signal, allowance };
      const chosen = journal.length + chance.between(1, perKill);
      const writing = Promise.all(Array.from({ length: writers }, () => write(options, journal)));
      await begunIn(journal, chosen, AbortSignal.any([signal, whenOver(writing)]));
      // No wait for anything: the kill may meet any moment of the command.
      await new Promise((resolve) => setTimeout(resolve, chance.between(0, longestWait)));
      await zakup.kill(victim);
      await zakup.start({ part: victim });
      await writing;
    }

    const position = await judge(address, crew, journal, watchers);
    expect(watchers[0]?.docs('contractor')).toHaveLength(nicks.length);
    expect(journal.every(({ acknowledged }) => acknowledged !== null)).toBe(true);
    expect(position).toBeGreaterThan(0);
    const { stored, folded } = await readModelsAndFold(zakup.settings);
    expect(stored['placement']).toHaveLength(journal.filter(({ method }) => method === 'POST').length);
    expect(stored).toEqual(folded);
  });
});

/** Aborts when the work is over, however it ended. */
const whenOver = (work: Promise<unknown>): AbortSignal => {
  const over = new AbortController();
  work.then(
    () => over.abort(),
    () => over.abort(),
  );
  return over.signal;
};
