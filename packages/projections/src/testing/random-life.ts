import * as fc from 'fast-check';
import { licenceId, testLog } from './given.ts';
import { attempt, type Attempt, everything, lastAttempt, streams } from './random-commands.ts';

const lastAttempts = 20;

/** One history of random commands, always the same of the same seed, and which of the attempts were taken. */
export const randomLife = async (seed: number, attempts: number) => {
  const { eventStore, append, appendBy } = testLog();
  const known = streams();
  const taken: Attempt[] = [];
  const undone = new Set<string>();
  // Some of them begin without a licence, so that one can be issued.
  for (const fact of everything.filter(([category]) => seed % 4 > 0 || category !== 'licence')) {
    known.begin(fact);
    await append(fact);
  }
  const last = fc.sample(lastAttempt, { seed, numRuns: lastAttempts });
  for (const one of [...fc.sample(attempt, { seed, numRuns: attempts }), ...last]) {
    const facts = known.take(one);
    if (facts === null) continue;
    taken.push(one);
    if (one.kind === 'undo') for (const [category] of facts) undone.add(category);
    await appendBy(one.by, ...facts);
  }
  return { eventStore, events: await eventStore.readLicence(licenceId), taken, undone };
};
