import type { Kopecks } from '@zakup/domain/money';
import type { Placement } from '@zakup/domain/placement/state';
import type { Person } from '@zakup/domain/permissions';

/** Somebody or something that rows name. */
export interface Named {
  readonly id: string;
  readonly name: string;
  /** Whether rows may choose it now. */
  readonly isOpen: boolean;
}

/** A living placement of the campaign. */
export type KnownPlacement = Placement & { readonly id: string };

/** What rows are judged by: everything as it is when the import begins. */
export interface ImportReferences {
  readonly person: Person;
  /** All people; open = they buy. */
  readonly people: readonly Named[];
  readonly creatives: readonly Named[];
  readonly placements: ReadonlyMap<string, KnownPlacement>;
  /** Ids among those of the file whose placement of this campaign was removed. */
  readonly removed: ReadonlySet<string>;
  /** The contractor whom a nick names, in lower case and without `@`; undefined = nobody yet. */
  readonly contractorByNick: (nick: string) => string | undefined;
  /** In whom a merged contractor lives on, or the contractor. */
  readonly receiver: (contractorId: string) => string;
  /** `YYYY-MM-DD`. */
  readonly today: string;
}

/** Two placements of which this is equal are taken for one. */
export const duplicateKey = (date: string, contractorId: string, price: Kopecks, buyerId: string): string =>
  `${date} ${contractorId} ${price} ${buyerId}`;
