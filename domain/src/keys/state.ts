import type { KeyAccess } from './events.ts';

export interface LicenceKey {
  readonly id: string;
  readonly name: string;
  readonly access: KeyAccess;
  /** UTC instants, ISO 8601. */
  readonly createdAt: string;
  /** Null = never. */
  readonly expiresAt: string | null;
  readonly deleted: boolean;
}

/** All keys that a licence ever had, in the order in which they were made: what one did stays under its name. */
export interface LicenceKeys {
  readonly keys: readonly LicenceKey[];
}
