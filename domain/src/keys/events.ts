import type { DomainEvent } from '../decider.ts';

/** `read`: what is asked for with GET alone. */
export type KeyAccess = 'read' | 'write';

/** Keys of a licence, never their secrets. Stream `keys-<licenceId>~<licenceId>`. */
export type KeyEvent =
  /** `expiresAt`: UTC instant, ISO 8601; null = never. */
  | DomainEvent<
      'KeyCreated',
      { readonly keyId: string; readonly name: string; readonly access: KeyAccess; readonly expiresAt: string | null }
    >
  /** `name`: as it was, so that the history says which. */
  | DomainEvent<'KeyDeleted', { readonly keyId: string; readonly name: string }>;
