import type { DomainEvent, NoData } from '../decider.ts';

export type ChannelEvent =
  | DomainEvent<'ChannelCreated', { readonly name: string; readonly avatar: string | null }>
  | DomainEvent<'ChannelRenamed', { readonly name: string }>
  | DomainEvent<'ChannelAvatarChanged', { readonly avatar: string | null }>
  | DomainEvent<'ChannelDeleted', NoData>
  | DomainEvent<'ChannelRestored', NoData>
  | DomainEvent<'CampaignAttachedToChannel', { readonly campaignId: string }>
  | DomainEvent<'CampaignDetachedFromChannel', { readonly campaignId: string }>;
