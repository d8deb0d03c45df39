export interface Channel {
  readonly name: string;
  /** Address of a picture; `null` = none. */
  readonly avatar: string | null;
  readonly deleted: boolean;
}
