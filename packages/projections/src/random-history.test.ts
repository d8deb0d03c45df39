import { type MergedInto, partsOf, receiverOf } from '@zakup/domain/contractor/aliases';
import type { Changes, ReadStore } from '@zakup/read-store/read-store';
import * as fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { foldAll, licenceId, testLog, testReadStore } from './testing/given.ts';
import {
  beginning,
  buyers,
  campaigns,
  checkTotals,
  contractors,
  factsOf,
  mergedIntoIn,
  newWorld,
  step,
} from './testing/random-history.ts';

/** Where the documents of a scope are: a contractor's also where its parts' are. */
const storedScopes = (mergedInto: MergedInto, scope: string): readonly string[] => {
  if (!scope.startsWith('contractor:')) return [scope];
  const id = scope.slice('contractor:'.length);
  return partsOf(mergedInto, receiverOf(mergedInto, id)).map((part) => `contractor:${part}`);
};

/** What is read of a scope: rows and sums of merged contractors are the receiving one's. */
const readScope = async (readStore: ReadStore, scope: string, since: number | undefined): Promise<Changes> => {
  const mergedInto = await mergedIntoIn(readStore);
  const reads = (after: number | undefined): Promise<readonly Changes[]> => {
    const sinceThen = after === undefined ? {} : { since: after };
    const request = { licenceId, partition: 'all', ...sinceThen };
    return Promise.all(
      storedScopes(mergedInto, scope).map((stored) => readStore.changesSince({ ...request, scope: stored })),
    );
  };
  const first = await reads(since);
  const reset = first.some((one) => one.reset);
  const all = reset ? await reads(undefined) : first;
  const docs = all
    .flatMap((one) => one.docs)
    .toSorted((a, b) => a.position - b.position || Number(b.gone) - Number(a.gone));
  return {
    docs: docs.map(({ doc, ...rest }) => {
      const contractorId = doc.data?.['contractorId'];
      if (doc.kind !== 'placement' || typeof contractorId !== 'string') return { doc, ...rest };
      return { doc: { ...doc, data: { ...doc.data, contractorId: receiverOf(mergedInto, contractorId) } }, ...rest };
    }),
    position: all[0]?.position ?? 0,
    reset,
  };
};

/** A client's copy of one scope, kept by position as the contract says. */
const replica = (scope: string) => {
  let copy = new Map<string, { readonly position: number; readonly data: object | null }>();
  let since: number | undefined;
  const apply = ({ docs, position, reset }: Changes): void => {
    if (reset) copy = new Map();
    for (const { doc, gone, position: at } of docs) {
      const key = `${doc.kind}/${doc.id}`;
      if ((copy.get(key)?.position ?? -1) <= at) copy.set(key, { position: at, data: gone ? null : doc.data });
    }
    since = position;
  };
  return {
    scope,
    async pull(readStore: ReadStore): Promise<void> {
      apply(await readScope(readStore, scope, since));
    },
    present: () => Object.fromEntries([...copy].filter(([, { data }]) => data !== null)),
  };
};

const scopes = [
  'workspace',
  ...campaigns.map((id) => `campaign:${id}`),
  ...contractors.map((id) => `contractor:${id}`),
  ...buyers.map((id) => `person:${id}`),
];

const shown = ['placement', 'contractor', 'campaign', 'analytics', 'earnings', 'note', 'user', 'license'];

describe('any history', () => {
  it('PJ-50 totals equal what the rows alone give, and replicas kept by position equal the scopes', async () => {
    const batches = fc.array(
      fc.record({ steps: fc.array(step, { maxLength: 12 }), maxBatch: fc.integer({ min: 1, max: 9 }) }),
      {
        maxLength: 6,
      },
    );
    await fc.assert(
      fc.asyncProperty(batches, fc.integer({ min: 1, max: 60 }), async (chunks, maxDocs) => {
        const { eventStore, append } = testLog();
        const readStore = testReadStore();
        const world = newWorld();
        const replicas = scopes.map(replica);
        for (const fact of beginning) await append(fact);
        for (const { steps, maxBatch } of chunks) {
          for (const one of steps) await append(...factsOf(world, one));
          await foldAll({ eventStore, readStore, maxBatch, maxDocs });
          await checkTotals(readStore, world);
          for (const copy of replicas) await copy.pull(readStore);
        }
        await foldAll({ eventStore, readStore });
        // Nobody opens a campaign that is deleted; restored, it is sent anew.
        const open = replicas.filter(({ scope }) => !world.deleted.has(scope.slice('campaign:'.length)));
        for (const copy of open) {
          await copy.pull(readStore);
          const fresh = replica(copy.scope);
          await fresh.pull(readStore);
          expect(copy.present()).toEqual(fresh.present());
        }
        const again = testReadStore();
        await foldAll({ eventStore, readStore: again, maxBatch: 1 });
        for (const kind of shown) {
          const [some, one] = await Promise.all([readStore.query(kind, {}), again.query(kind, {})]);
          expect(some.docs).toEqual(one.docs);
        }
      }),
      { numRuns: inject('isDeep') ? 100 : 20 },
    );
  });
});
