import { randomUUID } from 'node:crypto';
import {
  changeWebhookRequest,
  createWebhookRequest,
  replayWebhookRequest,
} from '@zakup/contracts/requests/webhook.requests';
import { parsePosition } from '@zakup/contracts/position';
import { presentTry, presentWebhook } from '@zakup/contracts/to-wire';
import type { WebhookWire } from '@zakup/contracts/wire-entities';
import type { StoredWebhook } from '@zakup/credentials/delivery-book';
import { campaignDecider } from '@zakup/domain/campaign/campaign.decider';
import { catalogEntry } from '@zakup/domain/catalog';
import { messages } from '@zakup/domain/messages';
import { may } from '@zakup/domain/permissions';
import type { WebhookEvent } from '@zakup/domain/webhooks/events';
import type { LicenceWebhooks } from '@zakup/domain/webhooks/state';
import { webhookIn, webhooksDecider } from '@zakup/domain/webhooks/webhooks.decider';
import { Router } from 'express';
import { z } from 'zod';
import { bodyRoute, type Outcome, refuse } from '../auth/body-route.ts';
import type { CommandDeps } from '../deps.ts';
import { authenticate, authOf } from '../pipeline/authenticate.ts';
import { decideOn } from '../pipeline/decide-on.ts';
import { streamOf } from '../pipeline/ids.ts';
import { denied, parseBody, unknownParameters } from '../pipeline/requests.ts';
import { loadPerson, type TenantCommand, tenantRoute } from '../pipeline/tenant-command.ts';
import type { TenantContext } from '../pipeline/tenant-context.ts';
import { postDelivery } from './post-delivery.ts';
import { checkedAddresses, PrivateAddress } from './private-addresses.ts';
import { entityOfEvent, tellsOf } from './told-event.ts';
import { hideWebhook, showWebhook } from '@zakup/credentials/webhook-secrets';

type WebhookRoute = TenantCommand<LicenceWebhooks, WebhookEvent>;

/** What the secret begins with. */
const secretPrefix = 'whsec_';
const secretBytes = 32;
/** Milliseconds that a name may take to be looked up before the webhook is taken as it is. */
const lookUpPatience = 2_000;

/** The addresses that are told of events (WEBHOOK-1). */
export const webhookRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  router.post('/webhooks', tenantRoute(deps, createWebhook(deps)));
  router.put('/webhooks/:id', tenantRoute(deps, changeWebhook(deps)));
  router.delete('/webhooks/:id', tenantRoute(deps, deleteWebhook(deps)));
  router.post('/webhooks/:id/replay', tenantRoute(deps, replayWebhook(deps)));
  router.post('/webhooks/:id/deliveries/:position/resend', tenantRoute(deps, resendDelivery(deps)));
  router.post(
    '/webhooks/:id/test',
    authenticate(deps),
    bodyRoute(z.unknown(), (_body, request, response) => testWebhook(deps, authOf(response), request.params['id'])),
  );
  return router;
};

const hostOf = (url: string): string => new URL(url).host;

const isEventType = (name: string): boolean => catalogEntry(name) !== null;

/** A private address is refused at once; a name that is not known yet is not: each try looks it up anew. */
const privateProblem = async ({ webhooks }: CommandDeps, url: string) => {
  const { allowPrivate, resolve } = webhooks;
  const patience = new Promise<null>((end) => {
    setTimeout(() => end(null), lookUpPatience).unref();
  });
  const looked = checkedAddresses(new URL(url), { allowPrivate, resolve }).then(
    () => null,
    (error: unknown) => (error instanceof PrivateAddress ? messages.webhookAddressPrivate : null),
  );
  const detail = await Promise.race([looked, patience]);
  if (detail === null) return null;
  return { code: 'VALIDATION_FAILED', message: detail, errors: [{ pointer: '/url', detail }] } as const;
};

const factsOf = async ({ session }: TenantContext, campaignId: string | null) => {
  const campaign = campaignId === null ? null : (await session.load(campaignDecider, campaignId)).state;
  return { isEventType, hasCampaign: campaign !== null && !campaign.deleted };
};

const currentOf = async ({ cache }: CommandDeps, licenceId: string) =>
  (await cache.load(webhooksDecider, streamOf(webhooksDecider.category, licenceId, licenceId), true)).state;

const wireOf = ({ codes }: CommandDeps['cache'], stored: StoredWebhook): WebhookWire =>
  presentWebhook(showWebhook(codes, stored));

/**
 * The secret is made once the webhook is in the log. Should the process end in between, the same command sent again makes it; one that was
 * told is never told twice, and a webhook that was deleted since gets none. It tells of what comes after it.
 */
const createWebhook = (deps: CommandDeps) => (): WebhookRoute => {
  const { cache, credentials, random } = deps;
  let webhookId = '';
  let url = '';
  return {
    closedToKeys: true,
    target: ({ licenceId, newId, body }) => {
      webhookId = newId('webhook');
      const given = createWebhookRequest.safeParse(body);
      if (given.success) ({ url } = given.data);
      return { entity: webhooksDecider, id: licenceId };
    },

    async decide(context, id) {
      const refused = denied(may(context.person, 'webhooks.manage'));
      if (refused !== null) return refused;
      const parsed = parseBody(createWebhookRequest, context.body);
      if (parsed.kind === 'refused') return parsed.problem;
      const { events, campaignId = null } = parsed.body;
      const problem = await privateProblem(deps, url);
      if (problem !== null) return problem;
      const command = { type: 'CreateWebhook', webhookId, host: hostOf(url), events, campaignId } as const;
      return decideOn(context, webhooksDecider, id, command, await factsOf(context, campaignId));
    },

    async answer(done, licenceId, { session: { userId } }) {
      const made = webhookIn(done.target.state, webhookId);
      if (made === null) throw new Error(`Webhook ${webhookId} is not in the stream it was written to`);
      const { events, campaignId } = made;
      const { position } = done;
      const secret = `${secretPrefix}${Buffer.from(random(secretBytes)).toString('base64url')}`;
      const plain = {
        id: webhookId,
        licenceId,
        createdBy: userId,
        createdAt: Date.parse(done.target.updatedAt),
        url,
        secret,
        events,
        campaignId,
        status: 'active' as const,
        version: position,
        position,
      };
      const isThere = webhookIn(await currentOf(deps, licenceId), webhookId) !== null;
      const added = isThere && (await credentials.webhooks.add(hideWebhook(cache.codes, plain)));
      deps.webhooks.changed(licenceId);
      const stored = await credentials.webhooks.webhook(licenceId, webhookId);
      const webhook = stored === null ? presentWebhook({ ...plain, lastDelivery: null }) : wireOf(cache, stored);
      return added ? { webhook, secret } : { webhook };
    },
  };
};

const knownWebhook = async ({ session }: TenantContext, licenceId: string, webhookId: string) => {
  const { state } = await session.load(webhooksDecider, licenceId);
  return webhookIn(state, webhookId);
};

const notFound = { code: 'NOT_FOUND', message: messages.webhookNotFound } as const;

const changeWebhook = (deps: CommandDeps) => (): WebhookRoute => {
  const { cache, credentials } = deps;
  let webhookId = '';
  /** Null = it stays as it is. */
  let url: string | null = null;
  return {
    closedToKeys: true,
    target: ({ params, licenceId, body }) => {
      webhookId = params['id'] ?? '';
      url = changeWebhookRequest.safeParse(body).data?.url ?? null;
      return { entity: webhooksDecider, id: licenceId };
    },

    async decide(context, id) {
      const refused = denied(may(context.person, 'webhooks.manage'));
      if (refused !== null) return refused;
      const known = await knownWebhook(context, id, webhookId);
      if (known === null) return notFound;
      const parsed = parseBody(changeWebhookRequest, context.body);
      if (parsed.kind === 'refused') return parsed.problem;
      const { events = known.events, campaignId = known.campaignId } = parsed.body;
      const { status = known.status === 'paused' ? 'paused' : 'active' } = parsed.body;
      const problem = url === null ? null : await privateProblem(deps, url);
      if (problem !== null) return problem;
      const host = url === null ? known.host : hostOf(url);
      const stored = await credentials.webhooks.webhook(id, webhookId);
      const isSameAddress = url === null || (stored !== null && showWebhook(cache.codes, stored).url === url);
      const command = {
        type: 'ChangeWebhook',
        webhookId,
        host,
        isSameAddress,
        events,
        campaignId,
        status,
      } as const;
      return decideOn(context, webhooksDecider, id, command, await factsOf(context, campaignId));
    },

    async answer(done, licenceId) {
      const changed = webhookIn(done.target.state, webhookId);
      if (changed === null) throw new Error(`Webhook ${webhookId} is not in the stream it was written to`);
      const { events, campaignId, status } = changed;
      const before = await credentials.webhooks.webhook(licenceId, webhookId);
      if (before === null) {
        const told = { id: webhookId, url: url ?? '', events, campaignId, status };
        return { webhook: presentWebhook({ ...told, position: done.position, lastDelivery: null }) };
      }
      if (done.appended === 'nothing') return { webhook: wireOf(cache, before) };
      const hidden = url === null ? before : hideWebhook(cache.codes, { ...before, url });
      const anew = status === 'active' ? { anew: deps.now() } : {};
      await credentials.webhooks.change(webhookId, done.position, {
        url: hidden.url,
        events,
        campaignId,
        status,
        ...anew,
      });
      deps.webhooks.changed(licenceId);
      const stored = await credentials.webhooks.webhook(licenceId, webhookId);
      return { webhook: wireOf(cache, stored ?? before) };
    },
  };
};

const deleteWebhook = (deps: CommandDeps) => (): WebhookRoute => {
  let webhookId = '';
  return {
    closedToKeys: true,
    target: ({ params, licenceId }) => {
      webhookId = params['id'] ?? '';
      return { entity: webhooksDecider, id: licenceId };
    },

    async decide(context, id) {
      const refused = denied(may(context.person, 'webhooks.manage'));
      if (refused !== null) return refused;
      if ((await knownWebhook(context, id, webhookId)) === null) return notFound;
      const unknown = unknownParameters(context.query);
      if (unknown !== null) return unknown;
      return decideOn(context, webhooksDecider, id, { type: 'DeleteWebhook', webhookId }, await factsOf(context, null));
    },

    // Should the process end before, whoever is to tell the webhook next finds that it was deleted.
    async answer(_done, licenceId) {
      await deps.credentials.webhooks.remove(licenceId, webhookId);
      deps.webhooks.changed(licenceId);
      return {};
    },
  };
};

const replayWebhook = (deps: CommandDeps) => (): WebhookRoute => {
  let webhookId = '';
  let after = 0;
  return {
    closedToKeys: true,
    target: ({ params, licenceId, body }) => {
      webhookId = params['id'] ?? '';
      const given = replayWebhookRequest.safeParse(body);
      if (given.success) ({ after } = given.data);
      return { entity: webhooksDecider, id: licenceId };
    },

    async decide(context, id) {
      const refused = denied(may(context.person, 'webhooks.manage'));
      if (refused !== null) return refused;
      if ((await knownWebhook(context, id, webhookId)) === null) return notFound;
      const parsed = parseBody(replayWebhookRequest, context.body);
      if (parsed.kind === 'refused') return parsed.problem;
      const command = { type: 'ReplayWebhook', webhookId, after } as const;
      return decideOn(context, webhooksDecider, id, command, await factsOf(context, null));
    },

    async answer(done, licenceId) {
      // Nothing lies behind its own event yet, and more than that cannot be skipped.
      await deps.credentials.webhooks.replay(webhookId, done.position, Math.min(after, done.position));
      deps.webhooks.changed(licenceId);
      return {};
    },
  };
};

/** The event at a position of which the webhook tells; null = there is none. */
const toldAt = async (
  { eventStore, credentials }: CommandDeps,
  licenceId: string,
  webhookId: string,
  position: number | null,
) => {
  if (position === null || position === 0) return null;
  const [event] = await eventStore.readLicence(licenceId, { after: position - 1, to: position, limit: 1 });
  const webhook = await credentials.webhooks.webhook(licenceId, webhookId);
  const entity = event === undefined ? null : entityOfEvent(event);
  if (event === undefined || entity === null || webhook === null || event.position !== position) return null;
  if (!(await tellsOf(webhook, event, eventStore))) return null;
  return {
    webhookId,
    position,
    eventId: event.id,
    stream: event.stream,
    revision: event.revision,
    type: event.type,
    entity: `${entity.kind}:${entity.id}`,
  };
};

const resendDelivery = (deps: CommandDeps) => (): WebhookRoute => {
  let webhookId = '';
  let position: number | null = null;
  return {
    closedToKeys: true,
    target: ({ params, licenceId }) => {
      webhookId = params['id'] ?? '';
      position = parsePosition(params['position'] ?? '');
      return { entity: webhooksDecider, id: licenceId };
    },

    async decide(context, id) {
      const refused = denied(may(context.person, 'webhooks.manage'));
      if (refused !== null) return refused;
      if ((await knownWebhook(context, id, webhookId)) === null) return notFound;
      const told = await toldAt(deps, id, webhookId, position);
      if (told === null) return { code: 'NOT_FOUND', message: messages.deliveryNotFound };
      const command = { type: 'ResendDelivery', webhookId, position: told.position } as const;
      return decideOn(context, webhooksDecider, id, command, await factsOf(context, null));
    },

    async answer(done, licenceId) {
      const told = await toldAt(deps, licenceId, webhookId, position);
      if (told !== null) await deps.credentials.webhooks.resend(told, done.position, deps.now());
      deps.webhooks.changed(licenceId);
      return {};
    },
  };
};

/** Sends a message that tells of nothing, now, and says what came of it; nothing of it is kept. */
const testWebhook = async (
  deps: CommandDeps,
  auth: ReturnType<typeof authOf>,
  webhookId: string | string[] | undefined,
): Promise<Outcome> => {
  const { cache, credentials, now, webhooks } = deps;
  const { licenceId, userId } = auth.session;
  const load = {
    load: (entity, id) => cache.load(entity, streamOf(entity.category, licenceId, id), true),
  } satisfies Parameters<typeof loadPerson>[0];
  const person = await loadPerson(load, auth, now());
  if (person === null) return refuse({ code: 'UNAUTHENTICATED', message: messages.sessionExpired });
  const refused = denied(may(person, 'webhooks.manage'));
  if (refused !== null) return refuse(refused);
  const stored = typeof webhookId === 'string' ? await credentials.webhooks.webhook(licenceId, webhookId) : null;
  if (stored === null) return refuse(notFound);
  const taken = webhooks.tests.take(licenceId);
  if (taken.kind === 'limited') {
    const retryAfterSeconds = Math.ceil(taken.retryAfterSeconds);
    return refuse({ code: 'RATE_LIMITED', message: messages.tooManyWebhookTests, retryAfterSeconds });
  }
  const { url, secret } = showWebhook(cache.codes, stored);
  const id = randomUUID();
  const body = JSON.stringify({
    id,
    position: stored.position,
    type: 'ping',
    at: new Date(now()).toISOString(),
    licenceId,
    actor: { id: userId, name: person.name },
    entity: { kind: 'webhook', id: stored.id },
    data: {},
  });
  const { allowPrivate, resolve, patience } = webhooks;
  const { signal } = new AbortController();
  const tried = await postDelivery({ url, secret, id, body }, { now, allowPrivate, resolve, patience, signal });
  return { kind: 'done', data: { delivery: presentTry(tried) } };
};
