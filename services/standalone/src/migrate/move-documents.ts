import { hash } from 'node:crypto';
import { deliveryKey } from '@zakup/credentials/delivery-book';
import { type Rows, type Tables, tableShapes } from '@zakup/credentials/tables';
import { canonicalText, type Json } from '@zakup/seals/canonical';
import { noFreshSalt, type SealStore, type StoredSeal } from '@zakup/seals/seal-store';
import type { MovedPlaces } from './moved-places.ts';

const tableNames = Object.keys(tableShapes) as readonly (keyof Rows)[];
/** Rows of one transaction. */
const atOnce = 200;

type AnyRow = Rows[keyof Rows];

/** Places of the log that rows name: of last seals, and of how far webhooks have come. */
export async function* placesInCredentials(source: Tables): AsyncGenerator<number, void, undefined> {
  for (const { position } of await source.sealHeads.all()) yield position;
  for (const { position, version, lastDelivery } of await source.webhooks.all()) {
    yield* [position, version];
    if (lastDelivery !== null) yield (JSON.parse(lastDelivery) as Placed).position;
  }
  for (const { position } of await source.deliveries.all()) yield position;
}

interface Placed {
  readonly position: number;
}

const movedWebhook = (row: Rows['webhooks'], places: MovedPlaces): Rows['webhooks'] => {
  const last = row.lastDelivery === null ? null : (JSON.parse(row.lastDelivery) as Placed);
  return {
    ...row,
    position: places.upTo(row.position),
    version: places.upTo(row.version),
    lastDelivery: last === null ? null : JSON.stringify({ ...last, position: places.upTo(last.position) }),
  };
};

/** A delivery of an event that the log has lost is not carried: there is nothing to tell. */
const isCarried = (name: keyof Rows, row: AnyRow, places: MovedPlaces): boolean =>
  name !== 'deliveries' || places.has((row as Rows['deliveries']).position);

const movedDelivery = (row: Rows['deliveries'], places: MovedPlaces): Rows['deliveries'] => {
  const position = places.of(row.position);
  return { ...row, position, key: deliveryKey(row.webhookId, position) };
};

/** As the row is to stand in the other store: some name places of the log. */
const movedRow = (name: keyof Rows, row: AnyRow, places: MovedPlaces): AnyRow => {
  if (name === 'sealHeads') return { ...row, position: places.of((row as Rows['sealHeads']).position) };
  if (name === 'webhooks') return movedWebhook(row as Rows['webhooks'], places);
  if (name === 'deliveries') return movedDelivery(row as Rows['deliveries'], places);
  return { ...row };
};

const textOf = (name: keyof Rows, row: AnyRow): string =>
  canonicalText(
    Object.fromEntries(
      tableShapes[name].columns.map((column: string) => [column, (row as unknown as Record<string, Json>)[column]]),
    ),
  );

/** Number of rows and a hash over them, whatever order they come in. */
const tableText = (name: keyof Rows, rows: readonly AnyRow[]): string =>
  `${rows.length} ${hash(
    'sha256',
    rows
      .map((row) => textOf(name, row))
      .toSorted()
      .join('\n'),
    'hex',
  )}`;

/** Whether nobody has written anything there. */
export const holdsCredentials = async (tables: Tables): Promise<boolean> => {
  for (const name of tableNames) if ((await tables[name].all()).length > 0) return true;
  return false;
};

/** Copies every row. Done again it writes the same rows once more. Resolves with how many there are. */
export const moveCredentials = async (
  source: Tables,
  target: Tables,
  places: MovedPlaces,
  onStep: (step: string) => void,
): Promise<number> => {
  let count = 0;
  for (const name of tableNames) {
    const all = (await source[name].all()) as readonly AnyRow[];
    const rows = all.filter((row) => isCarried(name, row, places));
    for (let from = 0; from < rows.length; from += atOnce) {
      const some = rows.slice(from, from + atOnce).map((row) => movedRow(name, row, places));
      await target.transaction(async (inside) => {
        for (const row of some) await inside[name].put(row as never);
      });
      onStep('credentials');
    }
    count += rows.length;
  }
  return count;
};

/** The first table whose rows are not those of the source, in words for the operator. */
export const credentialsDifference = async (
  source: Tables,
  target: Tables,
  places: MovedPlaces,
): Promise<string | null> => {
  for (const name of tableNames) {
    const here = ((await source[name].all()) as readonly AnyRow[])
      .filter((row) => isCarried(name, row, places))
      .map((row) => movedRow(name, row, places));
    const there = (await target[name].all()) as readonly AnyRow[];
    if (tableText(name, here) !== tableText(name, there))
      return `учётные данные, таблица ${name}: в источнике строк ${here.length}, на сервере ${there.length}, или они другие`;
  }
  return null;
};

/** Every seal, licence by licence, by number. */
export async function* allSeals(seals: SealStore): AsyncGenerator<StoredSeal, void, undefined> {
  for (const licenceId of [...(await seals.licences())].toSorted()) {
    for (let after = 0; ; ) {
      const page = await seals.read(licenceId, { after });
      yield* page;
      if (page.length === 0) break;
      after = page.at(-1)?.seal.number ?? after;
    }
  }
}

const noFence = 0;

const movedSeal = (stored: StoredSeal, places: MovedPlaces): StoredSeal => ({
  ...stored,
  position: places.of(stored.position),
});

/** Copies keys, salts and seals as they are; only where their last events stand is told anew. Goes on where it was broken off. */
export const moveSeals = async (
  source: SealStore,
  target: SealStore,
  places: MovedPlaces,
  onStep: (step: string) => void,
): Promise<number> => {
  for (const key of await source.keys()) await target.addKey(key);
  let [count, licence, last] = [0, '', 0];
  for await (const stored of allSeals(source)) {
    const { licenceId, number } = stored.seal;
    if (licenceId !== licence) {
      const salt = await source.saltKey(licenceId, noFreshSalt(licenceId));
      await target.saltKey(licenceId, () => salt);
      licence = licenceId;
      last = (await target.last(licenceId))?.seal.number ?? 0;
      onStep('salt');
    }
    count += 1;
    if (number <= last) continue;
    const added = await target.add(movedSeal(stored, places), noFence);
    if (added.kind !== 'added')
      throw new Error(`Seal ${number} of licence ${licenceId} cannot be added: ${added.kind}`);
    onStep('seal');
  }
  await target.follow(places.upTo(await source.followed()), noFence);
  onStep('followed');
  return count;
};

const sealTexts = async (seals: SealStore, seen: (stored: StoredSeal) => StoredSeal): Promise<readonly string[]> => {
  const texts: string[] = [];
  for await (const stored of allSeals(seals)) texts.push(canonicalText({ ...seen(stored) } as unknown as Json));
  return texts;
};

/** The first thing that differs, in words for the operator. */
export const sealsDifference = async (
  source: SealStore,
  target: SealStore,
  places: MovedPlaces,
): Promise<string | null> => {
  const here = await sealTexts(source, (stored) => movedSeal(stored, places));
  const there = await sealTexts(target, (stored) => stored);
  if (here.length !== there.length) return `печати: в источнике ${here.length}, на сервере ${there.length}`;
  if (here.some((text, index) => text !== there[index])) return 'печати другие';
  for (const licenceId of await source.licences()) {
    const [salt, moved] = [
      await source.saltKey(licenceId, noFreshSalt(licenceId)),
      await target.saltKey(licenceId, noFreshSalt(licenceId)),
    ];
    if (!Buffer.from(salt).equals(Buffer.from(moved))) return `соль печатей лицензии ${licenceId} другая`;
  }
  const keys = new Set((await target.keys()).map(({ fingerprint }) => fingerprint));
  return (await source.keys()).every(({ fingerprint }) => keys.has(fingerprint)) ? null : 'ключи печатей другие';
};
