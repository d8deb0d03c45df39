import type { DomainEvent } from '../decider.ts';

/** What a webhook is told of: types of the event catalogue, or `*` for all of them. */
export type WebhookEvents = readonly string[];

/**
 * Webhooks of a licence, by the hosts that they call: their addresses open something to whoever has them, and lie with the secrets.
 * Stream `webhooks-<licenceId>~<licenceId>`.
 */
export type WebhookEvent =
  /** `campaignId`: told of this campaign alone; null = of the whole licence. */
  | DomainEvent<
      'WebhookCreated',
      {
        readonly webhookId: string;
        readonly host: string;
        readonly events: WebhookEvents;
        readonly campaignId: string | null;
      }
    >
  | DomainEvent<
      'WebhookChanged',
      {
        readonly webhookId: string;
        readonly host: string;
        readonly events: WebhookEvents;
        readonly campaignId: string | null;
        readonly status: 'active' | 'paused';
      }
    >
  /** Nothing is told any more until it is switched on again: nobody took it for three days, or its maker may not see it any more. */
  | DomainEvent<
      'WebhookFailed',
      { readonly webhookId: string; readonly host: string; readonly reason: 'unanswered' | 'rights' }
    >
  /** What lies behind the position is told again. */
  | DomainEvent<'WebhookReplayed', { readonly webhookId: string; readonly host: string; readonly after: number }>
  /** The delivery of the event at the position is sent once more. */
  | DomainEvent<'WebhookResent', { readonly webhookId: string; readonly host: string; readonly position: number }>
  | DomainEvent<'WebhookDeleted', { readonly webhookId: string; readonly host: string }>;
