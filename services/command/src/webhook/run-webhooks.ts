import { sharedSemaphore } from '@zakup/async/semaphore';
import type { StoredWebhook } from '@zakup/credentials/delivery-book';
import type { EventStore } from '@zakup/event-store/event-store';
import type { Lease, Leases } from '@zakup/read-store/leases';
import type { Metrics } from '@zakup/service-kit/metrics';
import { type DeliveringDeps, type WebhookRunner, webhookRunner } from './webhook-runner.ts';

/** Name of the lease under which webhooks are told. */
export const webhooksLease = 'webhooks/all';

/** Deliveries that are on the way at once: of all webhooks together, and of one licence, whose receivers may all be slow. */
const connectionsAtOnce = { ofAll: 64, ofLicence: 16 };
/** Webhooks that read stores at once: after a restart all begin in the same moment, and nobody's long history holds up the others. */
const readersAtOnce = { ofAll: 8, ofLicence: 2 };
/** Milliseconds until changes are noticed that another process made. */
const lookEvery = 5_000;
/** Milliseconds between two counts for the metrics, which read every webhook. */
const tellEvery = 60_000;

export interface WebhooksOptions extends Omit<DeliveringDeps, 'log'> {
  readonly log: Pick<EventStore, 'read' | 'readLicence' | 'head' | 'subscribe'>;
  /** Absent = nobody else tells them. */
  readonly leases?: Leases;
  readonly signal: AbortSignal;
  readonly metrics?: Pick<Metrics, 'webhooks' | 'webhookDeliveriesWaiting' | 'webhookTries'>;
}

export interface Webhooks {
  /** Something about a webhook of the licence was changed here. */
  readonly changed: (licenceId: string) => void;
  /** Resolves when there is nothing to do before a date, or an event. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Tells all webhooks, one process at a time (WEBHOOK-4). While there is none that is active, the log is not followed; what is told next
 * lies in the book, so that whoever goes on after a crash goes on where it was.
 */
export const runWebhooks = (options: WebhooksOptions): Webhooks => {
  const { book, leases, log, metrics, wait, warn } = options;
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, options.signal]);
  const connections = sharedSemaphore(connectionsAtOnce.ofAll, connectionsAtOnce.ofLicence);
  const readers = sharedSemaphore(readersAtOnce.ofAll, readersAtOnce.ofLicence);
  /** Licences whose webhooks were changed here since they were looked at. */
  const changed = new Set<string>();
  /** When all were looked at, UTC milliseconds. */
  let lookedAt = Number.NEGATIVE_INFINITY;
  const runners = new Map<
    string,
    { readonly version: number; readonly licenceId: string; readonly runner: WebhookRunner }
  >();
  let countedAt = 0;
  let waking = new AbortController();
  let isWaiting = false;
  let isLeading = false;
  let watchers: readonly (() => void)[] = [];

  const wake = (): void => waking.abort();
  const noteChange = (licenceId: string): void => {
    changed.add(licenceId);
    wake();
  };
  const isIdle = (): boolean =>
    isLeading && isWaiting && !waking.signal.aborted && [...runners.values()].every(({ runner }) => runner.isIdle());
  const look = (): void => {
    if (!isIdle()) return;
    const waiting = watchers;
    watchers = [];
    for (const told of waiting) told();
  };

  const endOf = async (id: string): Promise<void> => {
    const ended = runners.get(id)?.runner.stop();
    runners.delete(id);
    await ended;
  };

  const tell = async (): Promise<void> => {
    if (metrics === undefined || options.now() - countedAt < tellEvery) return;
    countedAt = options.now();
    const { active, failing, waiting } = await book.counts();
    metrics.webhooks.set({ status: 'active' }, active);
    metrics.webhooks.set({ status: 'failing' }, failing);
    metrics.webhookDeliveriesWaiting.set(waiting);
  };

  /** Of one licence, or of all: those that are active run, as they are now; the others do not. */
  const align = async (webhooks: readonly StoredWebhook[], ofLicence: string | null): Promise<void> => {
    const active = new Map(
      webhooks.filter(({ status }) => status === 'active').map((webhook) => [webhook.id, webhook]),
    );
    for (const [id, { version, licenceId }] of runners)
      if ((ofLicence ?? licenceId) === licenceId && active.get(id)?.version !== version) await endOf(id);
    for (const [id, webhook] of active) {
      if (runners.has(id)) continue;
      const runner = webhookRunner(
        { ...options, onTry: (taken) => metrics?.webhookTries.inc({ outcome: taken ? 'taken' : 'failed' }) },
        webhook,
        { connections, readers, onChanged: () => noteChange(webhook.licenceId), onIdle: look },
      );
      runners.set(id, { version: webhook.version, licenceId: webhook.licenceId, runner });
    }
  };

  const follow = async (until: AbortSignal, after: number): Promise<void> => {
    for await (const message of log.subscribe({ after, signal: until })) {
      if (message.kind === 'caught_up') continue;
      const licences = new Set(message.events.map(({ metadata }) => metadata.licenceId));
      for (const { licenceId, runner } of runners.values()) if (licences.has(licenceId)) runner.more();
    }
  };

  /** The log is followed from a place that lies before everything that runners have yet to read. */
  const following = async (until: AbortSignal): Promise<{ readonly stop: () => Promise<void> }> => {
    const ending = new AbortController();
    const after = await log.head();
    const ended = follow(AbortSignal.any([until, ending.signal]), after).catch((error: unknown) => {
      if (until.aborted || ending.signal.aborted) return;
      warn?.({ err: error }, 'Webhooks do not hear of the log and will try again');
      feed = null;
      wake();
    });
    return {
      async stop() {
        ending.abort();
        await ended;
      },
    };
  };
  let feed: { readonly stop: () => Promise<void> } | null = null;

  /** Every webhook is read now and then, and of what is changed here its licence's alone: many changes of one licence cost the others nothing. */
  const takeUp = async (): Promise<void> => {
    const licences = [...changed];
    changed.clear();
    const elapsed = options.now() - lookedAt;
    if (elapsed < 0 || elapsed >= lookEvery) {
      await align(await book.ofStatus('active'), null);
      lookedAt = options.now();
      return;
    }
    for (const licenceId of licences) await align(await book.ofLicence(licenceId), licenceId);
  };

  const step = async (until: AbortSignal): Promise<void> => {
    await takeUp();
    if (runners.size === 0) {
      await feed?.stop();
      feed = null;
    } else if (feed === null) {
      feed = await following(until);
      for (const { runner } of runners.values()) runner.more();
    }
    await tell();
  };

  const lead = async ({ lost }: Pick<Lease, 'lost'>): Promise<void> => {
    const until = AbortSignal.any([signal, lost]);
    isLeading = true;
    lookedAt = Number.NEGATIVE_INFINITY;
    while (!until.aborted) {
      const { signal: woken } = waking;
      let rest = lookEvery;
      try {
        await step(until);
        // What was changed here in between puts off no look at what was changed elsewhere.
        rest = Math.min(lookEvery, Math.max(0, lookedAt + lookEvery - options.now()));
      } catch (error) {
        if (!until.aborted) warn?.({ err: error }, 'Webhooks could not be looked after and will be again');
      }
      if (!woken.aborted && !until.aborted) {
        isWaiting = true;
        look();
        await wait(rest, AbortSignal.any([woken, until]));
        if (!woken.aborted) lookedAt = Number.NEGATIVE_INFINITY;
        isWaiting = false;
      }
      waking = new AbortController();
    }
    isLeading = false;
    metrics?.webhooks.reset();
    metrics?.webhookDeliveriesWaiting.set(0);
    countedAt = 0;
    await Promise.all([...runners.keys()].map(endOf));
    await feed?.stop();
    feed = null;
  };

  const run = async (): Promise<void> => {
    if (leases === undefined) {
      await lead({ lost: signal });
      return;
    }
    while (!signal.aborted) {
      const lease = await leases.acquire(webhooksLease, signal);
      if (lease === null) return;
      await lead(lease);
      await lease.release();
    }
  };
  const ended = run();

  return {
    changed: noteChange,
    idle: () =>
      isIdle()
        ? Promise.resolve()
        : new Promise((resolve) => {
            watchers = [...watchers, resolve];
          }),
    async stop() {
      stopping.abort();
      await ended;
    },
  };
};
