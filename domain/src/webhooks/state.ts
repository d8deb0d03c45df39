import type { WebhookEvents } from './events.ts';

export interface LicenceWebhook {
  readonly id: string;
  readonly host: string;
  readonly events: WebhookEvents;
  readonly campaignId: string | null;
  readonly status: 'active' | 'paused' | 'failing';
  /** Who made it: it is told what they may see. */
  readonly createdBy: string;
}

/** The webhooks of a licence, in the order in which they were made. */
export interface LicenceWebhooks {
  readonly webhooks: readonly LicenceWebhook[];
}
