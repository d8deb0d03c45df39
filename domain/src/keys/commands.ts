import type { KeyAccess } from './events.ts';

export type KeyCommand =
  | {
      readonly type: 'CreateKey';
      readonly keyId: string;
      readonly name: string;
      readonly access: KeyAccess;
      /** UTC instant, ISO 8601; null = never. */
      readonly expiresAt: string | null;
      /** UTC instant of the command, ISO 8601. */
      readonly now: string;
    }
  | { readonly type: 'DeleteKey'; readonly keyId: string };
