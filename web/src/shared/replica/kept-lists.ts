import type { DocKind } from '@zakup/contracts/wire-entities';
import { keepItem } from '../storage/keep-item.ts';
import type { Replica } from './replica.ts';

/** Local keys of the lists that this browser keeps; the same that another licence or the owner clears. */
const kindOf = {
  users: 'user',
  channels: 'channel',
  campaigns: 'campaign',
  creatives: 'creative',
  contractors: 'contractor',
} as const satisfies Readonly<Record<string, DocKind>>;
const keys = Object.keys(kindOf) as readonly (keyof typeof kindOf)[];

/** Characters of one list: a larger one would take the place of everything else that a browser keeps. */
const sizeLimit = 1_000_000;

interface Kept {
  /** Whose eyes the list is for: rights differ within a team. */
  readonly of: string;
  /** UTC instant. */
  readonly savedAt: string;
  readonly list: readonly { readonly id: string }[];
}

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' &&
  value !== null &&
  'of' in value &&
  'savedAt' in value &&
  typeof value.savedAt === 'string' &&
  'list' in value &&
  Array.isArray(value.list);

const readKept = (storage: Storage, key: string): Kept | null => {
  try {
    const value: unknown = JSON.parse(storage.getItem(key) ?? 'null');
    return isKept(value) ? value : null;
  } catch {
    return null;
  }
};

export interface KeptLists {
  /** UTC instant of the oldest of them. */
  readonly savedAt: string;
  readonly docs: readonly { readonly kind: DocKind; readonly id: string; readonly doc: object }[];
}

/** The lists that this browser kept for the person; null = none. */
export const readKeptLists = (storage: Storage, personId: string): KeptLists | null => {
  const found = keys.flatMap((key) => {
    const kept = readKept(storage, key);
    return kept?.of === personId ? [{ kind: kindOf[key], kept }] : [];
  });
  const [savedAt] = found.map(({ kept }) => kept.savedAt).sort();
  if (savedAt === undefined) return null;
  return { savedAt, docs: found.flatMap(({ kind, kept }) => kept.list.map((doc) => ({ kind, id: doc.id, doc }))) };
};

/** Keeps the lists as they are for the next start; what has no room is not kept. */
export const keepLists = (storage: Storage, personId: string, replica: Replica, savedAt: string): void => {
  for (const key of keys) {
    const kept: Kept = { of: personId, savedAt, list: replica.all(kindOf[key], 'workspace') };
    const text = JSON.stringify(kept);
    storage.removeItem(key);
    if (text.length > sizeLimit) continue;
    // The browser's room is full: the next start asks the server alone.
    if (!keepItem(storage, key, text)) return;
  }
};
