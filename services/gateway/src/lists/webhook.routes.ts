import { deliveriesQuery } from '@zakup/contracts/requests/webhook.requests';
import { presentDelivery, presentWebhook } from '@zakup/contracts/to-wire';
import type { Delivery } from '@zakup/credentials/delivery-book';
import { showWebhook } from '@zakup/credentials/webhook-secrets';
import { messages } from '@zakup/domain/messages';
import { may } from '@zakup/domain/permissions';
import { Router } from 'express';
import type { GatewayDeps } from '../deps.ts';
import { noQuery } from '../http/asked-query.ts';
import { nothingToFind, readRoute } from '../http/read-route.ts';

/** When it is tried next: one that waits for an earlier one of its entity is not tried before that. */
const nextOf = (delivery: Delivery, all: readonly Delivery[]): number | null => {
  if (delivery.due === null) return null;
  const before = all.filter(
    ({ entity, position, due }) => due !== null && entity === delivery.entity && position < delivery.position,
  );
  return Math.max(delivery.due, ...before.map(({ due }) => due ?? 0));
};

/** The addresses that are told of events, and what they were told, which the owner alone sees (WEBHOOK-1). */
export const webhookRoutes = (deps: GatewayDeps): Router => {
  const router = Router();
  const { codes } = deps;
  // A thread that only makes answers has none to ask.
  const book = () => deps.credentials.webhooks;

  router.get(
    '/webhooks',
    readRoute(deps, {
      ...nothingToFind,
      closedToKeys: true,
      may: (person) => may(person, 'webhooks.manage'),
      query: noQuery,
      answer: async ({ person }) => {
        const stored = await book().ofLicence(person.licence.id);
        return { data: { webhooks: stored.map((one) => presentWebhook(showWebhook(codes, one))) } };
      },
    }),
  );

  router.get(
    '/webhooks/:id/deliveries',
    readRoute(deps, {
      closedToKeys: true,
      may: (person) => may(person, 'webhooks.manage'),
      find: ({ params, person }) => book().webhook(person.licence.id, params['id'] ?? ''),
      missing: messages.webhookNotFound,
      query: deliveriesQuery,
      answer: async (_, { id }, { cursor = Number.POSITIVE_INFINITY, limit }) => {
        const all = await book().deliveries(id);
        const listed = all.filter(({ position }) => position < cursor).toReversed();
        const page = listed.slice(0, limit);
        const last = page.at(-1);
        const next = last === undefined || page.length === listed.length ? null : String(last.position);
        return { data: { deliveries: page.map((one) => presentDelivery({ ...one, next: nextOf(one, all) })), next } };
      },
    }),
  );

  return router;
};
