import type { ReadDocument, ReadStore } from '@zakup/read-store/read-store';

/** Every present document of a licence, private ones too, but for what the projector notes for itself. */
export const storedOf = async (readStore: ReadStore, licenceId: string): Promise<readonly ReadDocument[]> => {
  const found: ReadDocument[] = [];
  for (;;) {
    const last = found.at(-1);
    const page = await readStore.scan(licenceId, { limit: 500, ...(last === undefined ? {} : { after: last }) });
    for (const { doc } of page) if (doc !== null) found.push(doc);
    if (page.length < 500) return found.filter(({ kind }) => kind !== 'parked');
  }
};
