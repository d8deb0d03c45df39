import {
  changeWebhookRequest,
  createWebhookRequest,
  deliveriesQuery,
  replayWebhookRequest,
} from '../requests/webhook.requests.ts';
import { callsOf, change, read, unkeyed } from './call.ts';
import * as replies from './replies.ts';

export const webhookCalls = callsOf('Вебхуки', {
  'GET /webhooks': read(['webhooks.manage'], {
    closedToKeys: true,
    summary: 'Вебхуки лицензии, старые сначала, без секретов; только владельцу',
    data: replies.webhooksData,
  }),
  'POST /webhooks': change(['webhooks.manage'], {
    closedToKeys: true,
    summary: 'Новый вебхук: события отправляются по адресу; секрет для подписи показывается один раз; только владельцу',
    body: createWebhookRequest,
    data: replies.createdWebhookData,
    problems: ['CONFLICT'],
  }),
  'PUT /webhooks/{id}': change(['webhooks.manage'], {
    closedToKeys: true,
    summary: 'Изменить вебхук, приостановить его или включить снова; только владельцу',
    body: changeWebhookRequest,
    data: replies.webhookData,
  }),
  'DELETE /webhooks/{id}': change(['webhooks.manage'], {
    closedToKeys: true,
    summary: 'Удалить вебхук: больше ничего не отправляется; только владельцу',
  }),
  'GET /webhooks/{id}/deliveries': read(['webhooks.manage'], {
    closedToKeys: true,
    summary: 'Отправки вебхука, новые сначала, последние 500; только владельцу',
    query: deliveriesQuery,
    data: replies.deliveriesData,
  }),
  'POST /webhooks/{id}/deliveries/{position}/resend': change(['webhooks.manage'], {
    closedToKeys: true,
    summary: 'Отправить событие ещё раз; только владельцу',
  }),
  'POST /webhooks/{id}/replay': change(['webhooks.manage'], {
    closedToKeys: true,
    summary: 'Отправить заново все события после позиции; только владельцу',
    body: replayWebhookRequest,
  }),
  'POST /webhooks/{id}/test': unkeyed('person', {
    summary: 'Отправить пробное сообщение сейчас и сказать, что ответил адрес; только владельцу',
    rights: ['webhooks.manage'],
    data: replies.webhookTestData,
    problems: ['LICENSE_INACTIVE', 'NOT_FOUND', 'RATE_LIMITED'],
  }),
});
