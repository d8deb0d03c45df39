import type { WebhookEvents } from './events.ts';

export type WebhookCommand =
  | {
      readonly type: 'CreateWebhook';
      readonly webhookId: string;
      /** Of its address, in lower case, with the port where one is named. */
      readonly host: string;
      readonly events: WebhookEvents;
      readonly campaignId: string | null;
    }
  | {
      readonly type: 'ChangeWebhook';
      readonly webhookId: string;
      readonly host: string;
      /** Whether the whole address stays, of which the log knows the host alone. */
      readonly isSameAddress: boolean;
      readonly events: WebhookEvents;
      readonly campaignId: string | null;
      readonly status: 'active' | 'paused';
    }
  | { readonly type: 'FailWebhook'; readonly webhookId: string; readonly reason: 'unanswered' | 'rights' }
  | { readonly type: 'ReplayWebhook'; readonly webhookId: string; readonly after: number }
  | { readonly type: 'ResendDelivery'; readonly webhookId: string; readonly position: number }
  | { readonly type: 'DeleteWebhook'; readonly webhookId: string };
