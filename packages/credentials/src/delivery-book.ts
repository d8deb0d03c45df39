import type { DeliveryRow, Tables, WebhookRow, WritableTables } from './tables.ts';

/** A UTC instant in milliseconds. */
type Millis = number;

/** One try to deliver something. */
export interface DeliveryTry {
  readonly at: Millis;
  /** Of the answer; null = there was none. */
  readonly status: number | null;
  readonly ms: number;
  /** Why there was no answer that counts; null = there was one. */
  readonly error: string | null;
}

export type WebhookStatus = 'active' | 'paused' | 'failing';

/** An address that is told of events. */
export interface StoredWebhook {
  readonly id: string;
  readonly licenceId: string;
  readonly createdBy: string;
  readonly createdAt: Millis;
  /** Hidden by the caller, as the secret is. */
  readonly url: string;
  readonly secret: string;
  readonly events: readonly string[];
  readonly campaignId: string | null;
  readonly status: WebhookStatus;
  /** Position of the last event about it that counts here: an earlier one changes nothing any more. */
  readonly version: number;
  /** What lies behind it in the log was not looked at. */
  readonly position: number;
  /** Deliveries that are not done. */
  readonly waiting: number;
  readonly lastDelivery: (DeliveryTry & { readonly position: number; readonly type: string }) | null;
}

/** What a webhook was told, or is to be told, of one event. */
export interface Delivery {
  readonly webhookId: string;
  /** Of the event. */
  readonly position: number;
  readonly eventId: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  /** `<kind>:<id>`: events of one are told one after another. */
  readonly entity: string;
  /** The latest, oldest first. */
  readonly tries: readonly DeliveryTry[];
  /** Tries that failed since it began, or began anew. */
  readonly failures: number;
  /** When that was; null = it was not tried since. */
  readonly since: Millis | null;
  /** When it is tried next; null = it is done. */
  readonly due: Millis | null;
}

/** The tries of a delivery that are kept. */
const triesKept = 20;

/** Webhooks and where each of them is: what cannot be made anew of the log. */
export interface DeliveryBook {
  /** False = there is one of this id already, which stays as it is. */
  add(webhook: Omit<StoredWebhook, 'waiting' | 'lastDelivery'>): Promise<boolean>;
  /** Of a licence, oldest first. */
  ofLicence(licenceId: string): Promise<readonly StoredWebhook[]>;
  /** Null = the licence has none of this id. */
  webhook(licenceId: string, id: string): Promise<StoredWebhook | null>;
  ofStatus(status: WebhookStatus): Promise<readonly StoredWebhook[]>;
  /** As an event at `version` says, unless a later one was there before. With `anew`, what waits is due at that instant, and its three days begin anew. */
  change(
    id: string,
    version: number,
    change: Partial<Pick<StoredWebhook, 'url' | 'events' | 'campaignId' | 'status'>> & { readonly anew?: Millis },
  ): Promise<void>;
  /** Looks at the log from there on once more; what waits behind it is told in its turn. Unless a later event was there before. */
  replay(id: string, version: number, after: number): Promise<void>;
  /** The delivery is due now, whatever became of it. Unless a later event was there before. */
  resend(delivery: Omit<Delivery, 'tries' | 'failures' | 'since' | 'due'>, version: number, now: Millis): Promise<void>;
  /** With all that is kept of its deliveries. False = the licence has none of this id. */
  remove(licenceId: string, id: string): Promise<boolean>;

  /** The log was looked at up to `position`, and these were found; `forget` are positions of deliveries that are kept no longer. False = it is another webhook by now, and nothing was noted. */
  enqueue(
    webhook: Pick<StoredWebhook, 'id' | 'version'>,
    found: {
      readonly position: number;
      readonly deliveries: readonly Omit<Delivery, 'tries' | 'failures' | 'since'>[];
      readonly forget: readonly number[];
    },
  ): Promise<boolean>;
  /** What came of tries. Of a delivery that is no longer there nothing is kept. */
  settle(
    outcomes: readonly {
      readonly webhookId: string;
      readonly position: number;
      readonly tried: DeliveryTry;
      readonly since: Millis;
      readonly due: Millis | null;
    }[],
  ): Promise<void>;
  /** All that is kept of a webhook's deliveries, in log order. */
  deliveries(webhookId: string): Promise<readonly Delivery[]>;
  counts(): Promise<{ readonly active: number; readonly failing: number; readonly waiting: number }>;
}

/** Key of a row: webhook and position. */
export const deliveryKey = (webhookId: string, position: number): string =>
  `${webhookId}~${String(position).padStart(16, '0')}`;

const webhookOf = ({ events, lastDelivery, ...row }: WebhookRow): StoredWebhook => ({
  ...row,
  events: JSON.parse(events) as readonly string[],
  lastDelivery: lastDelivery === null ? null : (JSON.parse(lastDelivery) as StoredWebhook['lastDelivery']),
});

const rowOf = ({ events, lastDelivery, ...webhook }: StoredWebhook): WebhookRow => ({
  ...webhook,
  events: JSON.stringify(events),
  lastDelivery: lastDelivery === null ? null : JSON.stringify(lastDelivery),
});

const deliveryOf = (row: DeliveryRow): Delivery => ({
  webhookId: row.webhookId,
  position: row.position,
  eventId: row.eventId,
  stream: row.stream,
  revision: row.revision,
  type: row.type,
  entity: row.entity,
  tries: JSON.parse(row.tries) as readonly DeliveryTry[],
  failures: row.failures,
  since: row.since,
  due: row.due,
});

const deliveryRow = ({ tries, ...delivery }: Delivery): DeliveryRow => ({
  key: deliveryKey(delivery.webhookId, delivery.position),
  ...delivery,
  tries: JSON.stringify(tries),
});

const byPosition = (a: Delivery, b: Delivery): number => a.position - b.position;

export const deliveryBook = (tables: Tables): DeliveryBook => {
  /** Changes it by an event of the log, in the order of the log. */
  const asOf = (
    id: string,
    version: number,
    change: (webhook: StoredWebhook, inside: WritableTables) => Promise<StoredWebhook>,
  ): Promise<void> =>
    tables.transaction(async (inside) => {
      const row = await inside.webhooks.get(id);
      if (row === undefined || row.version >= version) return;
      await inside.webhooks.put(rowOf({ ...(await change(webhookOf(row), inside)), version }));
    });

  const openIn = async (inside: WritableTables, id: string): Promise<readonly DeliveryRow[]> =>
    (await inside.deliveries.by('webhookId', id)).filter(({ due }) => due !== null);

  const ofStatus = async (status: WebhookStatus): Promise<readonly StoredWebhook[]> =>
    (await tables.webhooks.by('status', status)).map(webhookOf);

  return {
    add: (webhook) =>
      tables.transaction(async ({ webhooks }) => {
        if ((await webhooks.get(webhook.id)) !== undefined) return false;
        await webhooks.put(rowOf({ ...webhook, waiting: 0, lastDelivery: null }));
        return true;
      }),

    ofLicence: async (licenceId) =>
      (await tables.webhooks.by('licenceId', licenceId))
        .map(webhookOf)
        .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)),

    webhook: async (licenceId, id) => {
      const row = await tables.webhooks.get(id);
      return row === undefined || row.licenceId !== licenceId ? null : webhookOf(row);
    },

    ofStatus,

    change: (id, version, { anew, ...changes }) =>
      asOf(id, version, async (webhook, inside) => {
        if (anew !== undefined)
          for (const row of await openIn(inside, id))
            await inside.deliveries.put({ ...row, due: anew, since: null, failures: 0 });
        return { ...webhook, ...changes };
      }),

    replay: (id, version, after) =>
      asOf(id, version, async (webhook, inside) => {
        const open = await openIn(inside, id);
        const behind = open.filter(({ position }) => position > after);
        // They are found again in their turn.
        for (const { key } of behind) await inside.deliveries.remove(key);
        return { ...webhook, position: after, waiting: open.length - behind.length };
      }),

    resend: (delivery, version, now) =>
      asOf(delivery.webhookId, version, async (webhook, inside) => {
        const before = await inside.deliveries.get(deliveryKey(delivery.webhookId, delivery.position));
        const fresh: Delivery = { ...delivery, tries: [], failures: 0, since: null, due: now };
        await inside.deliveries.put(
          before === undefined ? deliveryRow(fresh) : { ...before, failures: 0, since: null, due: now },
        );
        const isMore = before === undefined || before.due === null;
        return { ...webhook, waiting: webhook.waiting + (isMore ? 1 : 0) };
      }),

    remove: (licenceId, id) =>
      tables.transaction(async ({ webhooks, deliveries }) => {
        const row = await webhooks.get(id);
        if (row === undefined || row.licenceId !== licenceId) return false;
        await deliveries.removeBy('webhookId', id);
        await webhooks.remove(id);
        return true;
      }),

    enqueue: ({ id, version }, { position, deliveries: found, forget }) =>
      tables.transaction(async ({ webhooks, deliveries }) => {
        const row = await webhooks.get(id);
        if (row === undefined || row.version !== version) return false;
        let more = 0;
        for (const delivery of found) {
          const before = await deliveries.get(deliveryKey(id, delivery.position));
          if (before?.due === undefined || before.due === null) more += 1;
          const tries = before === undefined ? [] : deliveryOf(before).tries;
          await deliveries.put(deliveryRow({ ...delivery, tries, failures: 0, since: null }));
        }
        for (const gone of forget) await deliveries.remove(deliveryKey(id, gone));
        await webhooks.put({ ...row, position, waiting: row.waiting + more });
        return true;
      }),

    settle: (outcomes) =>
      tables.transaction(async ({ webhooks, deliveries }) => {
        for (const { webhookId, position, tried, since, due } of outcomes) {
          const row = await deliveries.get(deliveryKey(webhookId, position));
          const webhook = await webhooks.get(webhookId);
          if (row === undefined || webhook === undefined) continue;
          const tries = [...deliveryOf(row).tries, tried].slice(-triesKept);
          const failures = due === null ? row.failures : row.failures + 1;
          await deliveries.put({ ...row, tries: JSON.stringify(tries), failures, since, due });
          await webhooks.put({
            ...webhook,
            waiting: webhook.waiting - (row.due !== null && due === null ? 1 : 0),
            lastDelivery: JSON.stringify({ ...tried, position, type: row.type }),
          });
        }
      }),

    deliveries: async (webhookId) =>
      (await tables.deliveries.by('webhookId', webhookId)).map(deliveryOf).toSorted(byPosition),

    counts: async () => {
      const [active, failing, paused] = await Promise.all([
        ofStatus('active'),
        ofStatus('failing'),
        ofStatus('paused'),
      ]);
      const waiting = [...active, ...failing, ...paused].reduce((sum, one) => sum + one.waiting, 0);
      return { active: active.length, failing: failing.length, waiting };
    },
  };
};
