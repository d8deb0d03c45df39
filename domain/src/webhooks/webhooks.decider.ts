import { accept, type Decider, reject, rejectField } from '../decider.ts';
import { messages } from '../messages.ts';
import type { WebhookCommand } from './commands.ts';
import type { WebhookEvent, WebhookEvents } from './events.ts';
import type { LicenceWebhook, LicenceWebhooks } from './state.ts';

/** Webhooks of one licence. */
export const mostWebhooks = 20;
/** Told of everything. */
export const everyEvent = '*';

export interface WebhookFacts {
  /** Whether there is a type of this name in the event catalogue. */
  readonly isEventType: (name: string) => boolean;
  /** Whether the licence has this campaign, and has not deleted it. */
  readonly hasCampaign: boolean;
}

const wrongEvents = (events: WebhookEvents, { isEventType }: WebhookFacts): boolean =>
  events.length === 0 ||
  new Set(events).size < events.length ||
  !events.every((name) => name === everyEvent || isEventType(name));

/** Decides and folds the webhooks of a licence (WEBHOOK-1). */
export const webhooksDecider: Decider<LicenceWebhooks, WebhookCommand, WebhookEvent, WebhookFacts> = {
  category: 'webhooks',

  decide(command, state, facts) {
    if (command.type === 'CreateWebhook') {
      const { webhookId, host, events, campaignId } = command;
      if (wrongEvents(events, facts)) return rejectField('/events', messages.webhookEventsInvalid);
      if (campaignId !== null && !facts.hasCampaign) return rejectField('/campaignId', messages.campaignNotFound);
      if ((state?.webhooks.length ?? 0) >= mostWebhooks) return reject('CONFLICT', messages.tooManyWebhooks);
      return accept({ type: 'WebhookCreated', data: { webhookId, host, events, campaignId } });
    }
    const { webhookId } = command;
    const webhook = webhookIn(state, webhookId);
    if (webhook === null) return reject('NOT_FOUND', messages.webhookNotFound);
    const { host } = webhook;
    switch (command.type) {
      case 'ChangeWebhook': {
        const { events, campaignId, status } = command;
        if (wrongEvents(events, facts)) return rejectField('/events', messages.webhookEventsInvalid);
        if (campaignId !== null && campaignId !== webhook.campaignId && !facts.hasCampaign)
          return rejectField('/campaignId', messages.campaignNotFound);
        const isSame =
          command.isSameAddress &&
          events.join() === webhook.events.join() &&
          campaignId === webhook.campaignId &&
          status === webhook.status;
        return isSame
          ? accept()
          : accept({ type: 'WebhookChanged', data: { webhookId, host: command.host, events, campaignId, status } });
      }
      case 'FailWebhook':
        return webhook.status === 'active'
          ? accept({ type: 'WebhookFailed', data: { webhookId, host, reason: command.reason } })
          : accept();
      case 'ReplayWebhook':
        return accept({ type: 'WebhookReplayed', data: { webhookId, host, after: command.after } });
      case 'ResendDelivery':
        return accept({ type: 'WebhookResent', data: { webhookId, host, position: command.position } });
      case 'DeleteWebhook':
        return accept({ type: 'WebhookDeleted', data: { webhookId, host } });
    }
  },

  evolve(state, event, { actorId }) {
    const webhooks = state?.webhooks ?? [];
    const withOne = (change: (webhook: LicenceWebhook) => LicenceWebhook): LicenceWebhooks => ({
      webhooks: webhooks.map((webhook) => (webhook.id === event.data.webhookId ? change(webhook) : webhook)),
    });
    switch (event.type) {
      case 'WebhookCreated': {
        const { webhookId: id, host, events, campaignId } = event.data;
        return { webhooks: [...webhooks, { id, host, events, campaignId, status: 'active', createdBy: actorId }] };
      }
      case 'WebhookChanged': {
        const { host, events, campaignId, status } = event.data;
        return withOne((webhook) => ({ ...webhook, host, events, campaignId, status }));
      }
      case 'WebhookFailed':
        return withOne((webhook) => ({ ...webhook, status: 'failing' }));
      case 'WebhookReplayed':
      case 'WebhookResent':
        return { webhooks };
      case 'WebhookDeleted':
        return { webhooks: webhooks.filter(({ id }) => id !== event.data.webhookId) };
    }
  },

  changedFields: () => [],
  fields: () => ({}),
};

/** A webhook that the licence has; null = none of this id, or no longer. */
export const webhookIn = (state: LicenceWebhooks | null, webhookId: string): LicenceWebhook | null =>
  state?.webhooks.find(({ id }) => id === webhookId) ?? null;
