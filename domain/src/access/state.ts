export interface Access {
  /** UTC instant, ISO 8601; null = never. */
  readonly signedInAt: string | null;
  /** Since then. */
  readonly refusedTries: number;
}
