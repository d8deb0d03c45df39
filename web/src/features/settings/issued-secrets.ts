import { shownOnce } from './shown-once.ts';

/** What opens the door to a person, right after it was made. */
export interface IssuedSecret {
  readonly userId: string;
  readonly name: string;
  readonly authCode: string | null;
  readonly temporaryPassword: string | null;
  /** UTC instant. */
  readonly validUntil: string;
}

export const useIssuedSecrets = shownOnce(({ userId }: IssuedSecret) => userId);
