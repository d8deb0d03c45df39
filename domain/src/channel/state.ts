export interface Channel {
  readonly name: string;
  /** Address of a picture; `null` = none. */
  readonly avatar: string | null;
  /** Ids of its campaigns that are not deleted, in the order of joining. */
  readonly campaigns: readonly string[];
  readonly deleted: boolean;
}
