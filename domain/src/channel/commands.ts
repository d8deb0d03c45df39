export interface ChannelChanges {
  readonly name?: string;
  readonly avatar?: string | null;
}

export type ChannelCommand =
  | { readonly type: 'CreateChannel'; readonly name: string; readonly avatar: string | null }
  | { readonly type: 'ChangeChannel'; readonly changes: ChannelChanges }
  | { readonly type: 'DeleteChannel' };

export interface ChannelFacts {
  /** Names of the channel's campaigns that are not deleted; used by `DeleteChannel` only. */
  readonly campaigns: readonly string[];
}
