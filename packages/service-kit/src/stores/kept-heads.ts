/** Where the last seals are kept beside the seals themselves: with the credentials, and with the checkpoint of the read models. */
import type { Credentials } from '@zakup/credentials/credentials';
import { CorruptDocument, type JsonObject, type ReadStore } from '@zakup/read-store/read-store';
import type { SealHead, SealHeads } from '@zakup/seals/seal-heads';

/** In the credential store. */
export const credentialHeads = (
  credentials: Pick<Credentials, 'sealHeads' | 'noteSealHead' | 'forgetSealHeads'>,
  where: string,
): SealHeads => ({
  where,
  all: () => credentials.sealHeads(),
  note: (head) => credentials.noteSealHead(head),
  forget: () => credentials.forgetSealHeads(),
});

/** Licence ids begin with two hex digits: as many notices, so that one that is written is small. */
const shards = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'));

interface Shard {
  readonly heads: readonly SealHead[];
}

/** Whoever has the file may have written anything. */
const isShard = (stored: Shard | null | undefined): boolean =>
  stored === null ||
  stored === undefined ||
  (Array.isArray(stored.heads) &&
    stored.heads.every(
      (head: SealHead | null) =>
        typeof head?.licenceId === 'string' && Number.isSafeInteger(head.number) && typeof head.hash === 'string',
    ));

/** Beside the checkpoint of the read models, under notices whose names begin with `name`. Throws `CorruptDocument` for one that is something else. */
export const checkpointHeads = (
  readStore: Pick<ReadStore, 'notice' | 'noticesOf' | 'note'>,
  where: string,
  name = 'seal_heads',
): SealHeads => {
  const kept = new Map<string, ReadonlyMap<string, SealHead>>();
  const noticeOf = (prefix: string): string => `${name}/${prefix}`;
  const keep = (prefix: string, stored: JsonObject | null | undefined): ReadonlyMap<string, SealHead> => {
    const shard = stored as unknown as Shard | null | undefined;
    if (!isShard(shard)) throw new CorruptDocument(where, 'notices', noticeOf(prefix), '');
    const heads = new Map((shard?.heads ?? []).map((head) => [head.licenceId, head]));
    kept.set(prefix, heads);
    return heads;
  };
  const shardOf = async (prefix: string): Promise<ReadonlyMap<string, SealHead>> => {
    const known = kept.get(prefix);
    return known ?? keep(prefix, await readStore.notice(noticeOf(prefix)));
  };
  const write = async (prefix: string, heads: ReadonlyMap<string, SealHead>): Promise<void> => {
    // What is stored then is not known when it fails.
    kept.delete(prefix);
    await readStore.note(noticeOf(prefix), { heads: [...heads.values()] } as unknown as JsonObject);
    kept.set(prefix, heads);
  };
  return {
    where,
    async all() {
      kept.clear();
      const stored = await readStore.noticesOf(shards.map(noticeOf));
      // What was noted meanwhile is newer than what was read.
      const heads = shards.map((prefix) => kept.get(prefix) ?? keep(prefix, stored.get(noticeOf(prefix))));
      return heads.flatMap((ofShard) => [...ofShard.values()]);
    },
    async note(head) {
      const prefix = head.licenceId.slice(0, 2);
      const heads = await shardOf(prefix);
      if (head.number <= (heads.get(head.licenceId)?.number ?? 0)) return;
      await write(prefix, new Map([...heads, [head.licenceId, head]]));
    },
    async forget() {
      for (const prefix of shards) if ((await shardOf(prefix)).size > 0) await write(prefix, new Map());
    },
  };
};
