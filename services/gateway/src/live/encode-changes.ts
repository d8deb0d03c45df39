import { patchBetween } from '@zakup/contracts/patch';
import type { Change, PatchedChange } from '@zakup/contracts/socket';
import { type Encoded, encodedChanges } from './outgoing.ts';
import type { AuthorOf } from './change-authors.ts';
import type { Read } from './scope-read.ts';
import { keyOf } from './scope-reader.ts';
import type { Sent, SentShelf } from './patch-base-cache.ts';
import { changesFor, isToldByPosition, type StoredChange, variantOf, type View } from './view.ts';

/** A changed document as JSON. */
interface Written {
  readonly whole: () => string;
  /** What changed since `base`, where that is known and shorter. */
  readonly patch: { readonly text: string; readonly base: number } | null;
  /** What is known of it from now on; null = not to be patched. */
  readonly sent: Sent | null;
}

/** A patch so many times shorter than the document is not compared with its text, which would have to be written first. */
const clearlyShorter = 8;

const written = (change: Change, known: Sent | undefined, isKept: boolean): Written => {
  let text: string | null = null;
  const whole = (): string => {
    text ??= JSON.stringify(change);
    return text;
  };
  if (!isKept) return { whole, patch: null, sent: null };
  const { kind, id, position, doc, by } = change;
  const measuredAnew = (): Sent => ({ position, doc, size: whole().length, measured: whole().length });
  if (known === undefined) return { whole, patch: null, sent: measuredAnew() };
  const { position: base } = known;
  const difference = patchBetween(known.doc, doc);
  const patched: PatchedChange = { kind, id, position, base, patch: difference, ...(by !== undefined && { by }) };
  const patch = JSON.stringify(patched);
  const size = known.size + patch.length;
  const isClear = patch.length * clearlyShorter < known.size && size < 2 * known.measured;
  const sent = isClear ? { position, doc, size, measured: known.measured } : measuredAnew();
  return { whole, patch: patch.length < sent.size ? { text: patch, base } : null, sent };
};

/** One message, as those get it who cannot take patches now, and as the others do. */
export interface WrittenMessage {
  readonly whole: () => Encoded;
  readonly patched: () => Encoded;
  /** Whose subscription began at this position or after it was not sent all that the patches are of; infinite where there are none. */
  readonly oldestBase: number;
}

const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

/** What views have to have in common to be shown the same of these kinds. */
export const sameFor = (view: View, kinds: ReadonlySet<string>): string =>
  [...kinds].map((kind) => variantOf(view, kind)).join('|');

export const kindsOf = (docs: readonly StoredChange[]): ReadonlySet<string> => new Set(docs.map(({ doc }) => doc.kind));

/**
 * What changed in a scope, presented once for each variant in which a document is shown, and written once. `shelf`: what the documents were
 * before; without `patching` nobody takes patches. `authorOf`: whose hands it was.
 */
export const encodeChanges = ({
  scope,
  read,
  shelf,
  patching,
  authorOf,
  now,
}: {
  readonly scope: string;
  readonly read: Read;
  readonly shelf: SentShelf;
  readonly patching: boolean;
  readonly authorOf: AuthorOf;
  readonly now: string;
}) => {
  const { docs, position } = read;
  // What is newer than the position may come once more, in another order: of that nothing can be said but whole.
  const isPatching = patching && docs.every((change) => change.position <= position);
  const made = new Map<string, { readonly name: string; readonly variant: string; readonly written: Written }[]>();

  const writtenFor = (view: View, stored: StoredChange, index: number): readonly { readonly written: Written }[] => {
    const variant = variantOf(view, stored.doc.kind);
    const key = `${index} ${variant}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const name = keyOf(stored);
    const by = authorOf(stored);
    const all = changesFor(view, [stored], now).map((shownChange) => {
      const change = by === null ? shownChange : { ...shownChange, by };
      const shown = `${change.kind} ${variant}`;
      const isKept = isPatching && change.doc !== null && isToldByPosition(change.kind);
      return { name, variant: shown, written: written(change, shelf.get(name, shown), isKept) };
    });
    made.set(key, all);
    return all;
  };

  return {
    /** Null when the view is shown nothing of it. */
    messageFor(view: View): WrittenMessage | null {
      const changes = docs.flatMap((stored, index) => writtenFor(view, stored, index)).map((one) => one.written);
      if (changes.length === 0) return null;
      const encode = (texts: readonly string[]): Encoded =>
        encodedChanges({ scope, position, docs: texts, last: true });
      const whole = once(() => encode(changes.map((change) => change.whole())));
      const bases = changes.flatMap(({ patch }) => (patch === null ? [] : [patch.base]));
      if (bases.length === 0) return { whole, patched: whole, oldestBase: Number.POSITIVE_INFINITY };
      const patched = once(() => encode(changes.map((change) => change.patch?.text ?? change.whole())));
      return { whole, patched, oldestBase: Math.min(...bases) };
    },

    /** Puts on the shelf what the documents are now; called once all messages were made. */
    remember(): void {
      for (const stored of docs) shelf.drop(keyOf(stored));
      for (const all of made.values())
        for (const { name, variant, written: one } of all) if (one.sent !== null) shelf.put(name, variant, one.sent);
    },
  };
};
