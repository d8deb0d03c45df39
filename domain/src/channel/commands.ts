export interface ChannelChanges {
  readonly name?: string;
  readonly avatar?: string | null;
}

export type ChannelCommand =
  | { readonly type: 'CreateChannel'; readonly name: string; readonly avatar: string | null }
  | { readonly type: 'ChangeChannel'; readonly changes: ChannelChanges }
  | { readonly type: 'DeleteChannel' }
  | { readonly type: 'RestoreChannel' }
  | { readonly type: 'AttachCampaign'; readonly campaignId: string }
  | { readonly type: 'DetachCampaign'; readonly campaignId: string };

export interface ChannelFacts {
  /** Names of the campaigns that the channel has, for the text that refuses `DeleteChannel`; whether it has any, it knows itself. */
  readonly campaignNames: readonly string[];
}
