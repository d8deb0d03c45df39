export interface ContractorChanges {
  readonly contact?: { readonly nick: string; readonly adminUsername: string };
  readonly channelName?: string;
  readonly category?: string;
  readonly isActive?: boolean;
}

export type ContractorCommand =
  | {
      readonly type: 'CreateContractor';
      /** Canonical, lower case, without `@`. */
      readonly nick: string;
      /** `@` + the nick as spelled. */
      readonly adminUsername: string;
      readonly channelName: string;
      readonly category: string;
      readonly automatic: boolean;
    }
  | { readonly type: 'ChangeContractor'; readonly changes: ContractorChanges }
  | {
      readonly type: 'AddNote';
      readonly noteId: string;
      readonly note: string;
      readonly authorName: string;
      /** Who wrote it, and when, of a note that comes back; absent = the one who gives the command, now. */
      readonly written?: { readonly authorId: string; readonly createdAt: string };
    }
  | { readonly type: 'RemoveNote'; readonly noteId: string };

export interface ContractorFacts {
  /** Who gives the command; used by `RemoveNote` only. */
  readonly actor: { readonly id: string; readonly role: string };
}
