import { historyId } from '@zakup/contracts/history';
import { declaredFields } from '@zakup/contracts/read-models';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import { type JsonObject, type ReadStore, ReadStoreUnavailable } from '@zakup/read-store/read-store';
import { describe, expect, it } from 'vitest';
import { historyRow } from '../testing/rows.ts';
import { lastActivity } from './last-activity.ts';

const licenceId = '0a-licence';
const instant = (minute: number): string => new Date(Date.UTC(2026, 10, 21, 9, minute)).toISOString();

/** The history of a licence in which these acted one minute after the other. */
const historyOf = async (actors: readonly string[]): Promise<ReadStore> => {
  const readStore = inMemoryReadStore({ declared: declaredFields });
  const docs = actors.map((actorId, index) => {
    const data = historyRow({ entity: 'user:u1', actorId, at: instant(index) }) as unknown as JsonObject;
    const fields = { kind: 'history', licenceId, scopes: [], left: [], deleted: false } as const;
    return { ...fields, id: historyId(index + 1), position: index + 1, data };
  });
  await readStore.commit({ docs, checkpoint: { partition: 'all', position: actors.length, fence: 1 } });
  return readStore;
};

/** When a licence was last used; `used`: the last use of an open session. */
const lastOf = async (readStore: Pick<ReadStore, 'scanIndex'>, used: string | null = null): Promise<string | null> => {
  const credentials = { lastUse: async () => (used === null ? null : Date.parse(used)) };
  const found = await lastActivity({ readStore, credentials, now: () => Date.parse(instant(59)) }, licenceId);
  return found === null ? null : new Date(found).toISOString();
};

const activity = async (actors: readonly string[], used?: string): Promise<string | null> =>
  lastOf(await historyOf(actors), used);

describe('when somebody of a team was last there', () => {
  it('ADM-3415 the last use of an open session or the last thing that a person did, whichever is later', async () => {
    expect(await activity(['owner', 'u1'])).toBe(instant(1));
    expect(await activity(['owner', 'u1'], instant(7))).toBe(instant(7));
    expect(await activity(['owner', 'u1'], instant(0))).toBe(instant(1));
    expect(await activity([], instant(3))).toBe(instant(3));
  });

  it('ADM-3428 neither the administration nor a process counts, however often they acted since', async () => {
    expect(await activity([])).toBeNull();
    expect(await activity(['admin', 'system'])).toBeNull();
    expect(await activity(['admin', 'owner', ...Array.from({ length: 45 }, () => 'system')])).toBe(instant(1));
  });

  it('ADM-3490 where a person acted last, one entry is read, else twenty more at a time', async () => {
    const asked = async (actors: readonly string[]): Promise<readonly number[]> => {
      const readStore = await historyOf(actors);
      const limits: number[] = [];
      const scanIndex: ReadStore['scanIndex'] = (kind, walk) => {
        limits.push(walk.limit);
        return readStore.scanIndex(kind, walk);
      };
      await lastOf({ scanIndex });
      return limits;
    };
    expect(await asked(['system', 'owner'])).toEqual([1]);
    expect(await asked(['owner', 'system', 'admin'])).toEqual([1, 20]);
    expect(await asked(Array.from({ length: 58 }, () => 'system'))).toEqual([1, 20, 20, 20]);
    expect(await asked([])).toEqual([1]);
  });

  it('ADM-3491 of a history that cannot be read the sessions alone tell, and nothing fails', async () => {
    const readStore = { scanIndex: () => Promise.reject(new ReadStoreUnavailable('A document is damaged')) };
    expect(await lastOf(readStore)).toBeNull();
    expect(await lastOf(readStore, instant(7))).toBe(instant(7));
  });
});
