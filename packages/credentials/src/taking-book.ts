import type { RandomBytes } from './codes.ts';
import type { Credentials, Millis, ToldTaking } from './credentials.ts';
import type { TakingRow, Tables } from './tables.ts';

const minute = 60_000;
const longest = 15 * minute;
/** How long whoever tells of one has, before another may. */
const claimedFor = 30_000;
const mostNamed = 5;

type Takings = Pick<Credentials, 'noteTaking' | 'takingsToTell' | 'takingTold'>;

const uuidOf = (bytes: Uint8Array): string => {
  const hex = Buffer.from(bytes).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const namesIn = (list: string): readonly string[] => JSON.parse(list) as string[];

/** One more than is told, so that it can be said that there were more. */
const withName = (list: string, name: string): string => {
  const names = namesIn(list);
  return name === '' || names.includes(name) || names.length > mostNamed ? list : JSON.stringify([...names, name]);
};

const toldOf = ({ key, licenceId, userId, what, since, until, count, names, networks }: TakingRow): ToldTaking => ({
  id: key,
  licenceId,
  userId,
  what,
  since,
  until,
  count,
  names: namesIn(names).slice(0, mostNamed),
  moreNames: namesIn(names).length > mostNamed,
  networks: namesIn(networks).slice(0, mostNamed),
  moreNetworks: namesIn(networks).length > mostNamed,
});

/** Under a colon what is still counted, one for each person and kind; else, under an id of its own, what is to be told. */
const isCounted = ({ key }: TakingRow): boolean => key.includes(':');

/** Also when the clock was put back meanwhile. */
const isDue = (row: TakingRow, now: Millis): boolean => row.due <= now || row.due > now + longest;

/** What people took along, until it is in the log: told at once, then ever more seldom while they go on. */
export const takingBook = (tables: Tables, random: RandomBytes): Takings => ({
  noteTaking: ({ licenceId, userId, what, name, network }, now) =>
    tables.transaction(async ({ takings }) => {
      const key = `${what}:${licenceId}:${userId}`;
      const none = { since: now, count: 0, names: '[]', networks: '[]' };
      const row = (await takings.get(key)) ?? { key, licenceId, userId, what, due: now, pause: minute, ...none };
      await takings.put({
        ...row,
        since: row.count === 0 ? now : row.since,
        until: now,
        count: row.count + 1,
        names: withName(row.names, name),
        networks: withName(row.networks, network),
      });
    }),

  takingsToTell: async (now) => {
    if (!(await tables.takings.all()).some((row) => isDue(row, now))) return [];
    return tables.transaction(async ({ takings }) => {
      const due = (await takings.all()).filter((row) => isDue(row, now));
      const told: ToldTaking[] = [];
      for (const row of due) {
        if (row.count === 0) {
          await takings.remove(row.key);
          continue;
        }
        const claimed = { ...row, key: isCounted(row) ? uuidOf(random(16)) : row.key, due: now + claimedFor };
        await takings.put(claimed);
        told.push(toldOf(claimed));
        if (!isCounted(row)) continue;
        const none = { count: 0, names: '[]', networks: '[]' };
        await takings.put({ ...row, ...none, due: now + row.pause, pause: Math.min(row.pause * 2, longest) });
      }
      return told;
    });
  },

  takingTold: (id) => tables.transaction(({ takings }) => takings.remove(id)),
});
