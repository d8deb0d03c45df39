import type { Collection } from 'mongodb';
import type { ReadStore } from '../read-store.ts';
import type { WhileOpen } from './open-store.ts';
import type { StoredNotice } from './stored.ts';

/** What is noted under a name, beside all contents. */
export type Notices = Pick<ReadStore, 'notice' | 'noticesOf' | 'note'>;

export const noticesIn = (notices: Collection<StoredNotice>, answer: WhileOpen['answer']): Notices => ({
  notice: (name) => answer(async () => (await notices.findOne({ _id: name }))?.data ?? null),

  noticesOf: (names) =>
    answer(async () => {
      const found = await notices.find({ _id: { $in: [...names] } }).toArray();
      return new Map(found.map(({ _id: name, data }) => [name, data]));
    }),

  note: (name, data) =>
    answer(async () => {
      await notices.replaceOne({ _id: name }, { data }, { upsert: true });
    }),
});
