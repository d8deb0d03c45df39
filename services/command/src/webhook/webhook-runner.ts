import { type BackOff, backOff } from '@zakup/async/back-off';
import type { SharedSemaphore } from '@zakup/async/semaphore';
import { isTaken } from '@zakup/contracts/deliveries';
import type { CodeCipher } from '@zakup/credentials/code-cipher';
import type { Delivery, DeliveryBook, DeliveryTry, StoredWebhook } from '@zakup/credentials/delivery-book';
import { keyActorName } from '@zakup/domain/keys/keys.decider';
import { employeeDecider } from '@zakup/domain/employee/employee.decider';
import { messages } from '@zakup/domain/messages';
import { may, type Person } from '@zakup/domain/permissions';
import { webhookIn, webhooksDecider } from '@zakup/domain/webhooks/webhooks.decider';
import type { EventStore, RecordedEvent } from '@zakup/event-store/event-store';
import type { CommandHandlerDeps } from '../pipeline/handle-command.ts';
import { streamOf } from '../pipeline/ids.ts';
import { loadPerson } from '../pipeline/tenant-command.ts';
import { failWebhook } from './fail-webhook.ts';
import { postDelivery } from './post-delivery.ts';
import type { Resolve } from './private-addresses.ts';
import { entityOfEvent, isSilent, tellsOf, toldEvent } from './told-event.ts';
import { noSteps, preciseNow, type Steps } from '@zakup/service-kit/steps';
import { showWebhook } from '@zakup/credentials/webhook-secrets';

export interface DeliveringDeps extends CommandHandlerDeps {
  /** As it is kept: what opens something is hidden in it. */
  readonly log: Pick<EventStore, 'read' | 'readLicence' | 'head'>;
  readonly book: DeliveryBook;
  readonly codes: CodeCipher;
  /** UTC milliseconds. */
  readonly now: () => number;
  /** Ends early when the signal aborts. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Why nothing may be written now; null = all is well. */
  readonly readOnly: () => string | null;
  readonly allowPrivate: boolean;
  readonly resolve?: Resolve | undefined;
  /** Milliseconds for an answer; default 10 s. */
  readonly patience?: number | undefined;
  /** Deliveries of a webhook that are kept, the open ones among them; default `deliveriesKept`. */
  readonly kept?: number | undefined;
  readonly onTry?: ((isTaken: boolean) => void) | undefined;
  readonly warn?:
    | ((about: { readonly err: unknown } & Readonly<Record<string, unknown>>, message: string) => void)
    | undefined;
  /** Told of each try; absent = nobody looks. */
  readonly steps?: Steps | undefined;
}

/** Deliveries of a webhook that are kept, the open ones among them. */
export const deliveriesKept = 500;
/** Open ones; with so many the log is not read on. */
const mostOpen = 200;
const pageLength = 200;
/** Deliveries of one webhook that are on the way at once; of one that did not take the last, one. */
const atOnce = 4;
const waits: BackOff = { first: 1_000, longest: 3_600_000 };
/** Milliseconds of failing after which nothing is tried any more. */
const givenUpAfter = 3 * 86_400_000;
/** Milliseconds until it is looked again whether a licence that is suspended goes on, or a store answers. */
const lookAgain = 60_000;
const retryStore = 5_000;
/** Positions, or milliseconds, after which one that told of nothing is noted nevertheless. */
const noteAfter = { events: 500, milliseconds: 5_000 };

export interface WebhookRunner {
  /** There may be more of the licence in the log. */
  more(): void;
  /** Whether it waits for the log or a date, and nothing is on the way. */
  isIdle(): boolean;
  stop(): Promise<void>;
}

/** Who made the webhook, as they are now; `hold`: the licence lets nobody in. */
const makerOf = async (
  deps: DeliveringDeps,
  { licenceId, createdBy }: StoredWebhook,
): Promise<Person | 'hold' | 'rights'> => {
  const person = await loadPerson(
    { load: (entity, id) => deps.cache.load(entity, streamOf(entity.category, licenceId, id), true) },
    { session: { userId: createdBy, licenceId } },
    deps.now(),
  );
  if (person === null) return 'rights';
  if (isSilent(person)) return 'hold';
  return may(person, 'webhooks.manage').allowed && may(person, 'reports.read').allowed ? person : 'rights';
};

const actorNameOf = async (
  { cache }: DeliveringDeps,
  { metadata: { licenceId, actorId, keyName } }: RecordedEvent,
): Promise<string | null> => {
  if (keyName !== undefined) return keyActorName(keyName);
  const stream = streamOf(employeeDecider.category, licenceId, actorId);
  return (await cache.load(employeeDecider, stream, false)).state?.name ?? null;
};

interface Outcome {
  readonly delivery: Delivery;
  readonly tried: DeliveryTry;
}

/** Tells one webhook, as it is at its version, of the log: in order for each entity, again and again until it is taken. */
export const webhookRunner = (
  deps: DeliveringDeps,
  stored: StoredWebhook,
  {
    connections,
    readers,
    onChanged,
    onIdle,
  }: {
    /** Of all webhooks together, shared among licences. */
    readonly connections: SharedSemaphore;
    /** Those of all webhooks that read stores at once: many begin in the same moment. */
    readonly readers: SharedSemaphore;
    /** It is another one by now. */
    readonly onChanged: () => void;
    readonly onIdle: () => void;
  },
): WebhookRunner => {
  const { book, log, now, kept = deliveriesKept, steps = noSteps } = deps;
  const { id: webhookId, licenceId } = stored;
  const stopping = new AbortController();
  const { signal } = stopping;
  const open = new Map<number, Delivery>();
  const done: number[] = [];
  const onTheWay = new Set<string>();
  let outcomes: Outcome[] = [];
  let position = stored.position;
  let noted = { position, at: now() };
  let isBehind = true;
  let heldUntil = 0;
  let takesMany = stored.lastDelivery === null || isTaken(stored.lastDelivery);
  let waking = new AbortController();
  let isWaiting = false;
  const wake = (): void => waking.abort();

  const note = async (found: readonly Delivery[]): Promise<boolean> => {
    const forget = done.splice(0, Math.max(0, done.length + open.size + found.length - kept));
    const isStill = await book.enqueue(stored, { position, deliveries: found, forget });
    noted = { position, at: now() };
    return isStill;
  };

  const readOn = async (): Promise<void> => {
    // What is told of while it reads counts as well.
    isBehind = false;
    const head = await log.head();
    const page = await log.readLicence(licenceId, { after: position, to: head, limit: pageLength });
    const found: Delivery[] = [];
    for (const event of page) {
      const entity = entityOfEvent(event);
      if (entity === null || !(await tellsOf(stored, event, log))) continue;
      found.push({
        webhookId,
        position: event.position,
        eventId: event.id,
        stream: event.stream,
        revision: event.revision,
        type: event.type,
        entity: `${entity.kind}:${entity.id}`,
        tries: [],
        failures: 0,
        since: null,
        due: now(),
      });
    }
    const isWhole = page.length < pageLength;
    if (!isWhole) isBehind = true;
    position = isWhole ? head : (page.at(-1)?.position ?? position);
    const isLong =
      position - noted.position >= noteAfter.events ||
      (position > noted.position && now() - noted.at >= noteAfter.milliseconds);
    if (found.length === 0 && !isLong) return;
    // What is told again is open again, and no longer among what may be forgotten.
    const again = new Set(found.map((one) => one.position));
    done.splice(0, done.length, ...done.filter((one) => !again.has(one)));
    if (!(await note(found))) {
      stopping.abort();
      onChanged();
      return;
    }
    for (const delivery of found) open.set(delivery.position, delivery);
  };

  const catchUp = async (): Promise<void> => {
    if (!isBehind || open.size >= mostOpen || signal.aborted) return;
    await readers.run(licenceId, readOn, signal);
    await catchUp();
  };

  const settle = async (): Promise<void> => {
    const came = outcomes;
    outcomes = [];
    let isOver = false;
    const settled = came.map(({ delivery, tried }) => {
      const since = delivery.since ?? tried.at;
      const ok = isTaken(tried) || tried.error === messages.deliveryNotFound;
      deps.onTry?.(ok);
      takesMany = ok;
      if (!ok && now() - since >= givenUpAfter) isOver = true;
      const due = ok ? null : now() + backOff(waits, delivery.failures);
      return { webhookId, position: delivery.position, tried, since, due };
    });
    try {
      await book.settle(settled);
    } catch (error) {
      outcomes = [...came, ...outcomes];
      throw error;
    }
    for (const [index, { due, since }] of settled.entries()) {
      const { delivery } = came[index] as Outcome;
      onTheWay.delete(delivery.entity);
      if (due === null) {
        open.delete(delivery.position);
        done.push(delivery.position);
      } else open.set(delivery.position, { ...delivery, failures: delivery.failures + 1, since, due });
    }
    if (!isOver) return;
    await failWebhook(deps, stored, 'unanswered', now());
    stopping.abort();
    onChanged();
  };

  /** Once there is a connection for it: what its maker may see by then counts. */
  const send = async (delivery: Delivery, url: string, secret: string): Promise<void> => {
    const [event] = await log.read(delivery.stream, { from: delivery.revision, to: delivery.revision });
    const maker = await makerOf(deps, stored);
    signal.throwIfAborted();
    if (maker === 'hold') {
      heldUntil = now() + lookAgain;
      onTheWay.delete(delivery.entity);
      return;
    }
    if (maker === 'rights') {
      await failWebhook(deps, stored, 'rights', now());
      stopping.abort();
      onChanged();
      return;
    }
    // Another one stands there where an older log was put back.
    if (event?.id !== delivery.eventId) {
      outcomes.push({ delivery, tried: { at: now(), status: null, ms: 0, error: messages.deliveryNotFound } });
      return;
    }
    const body = JSON.stringify(toldEvent(event, maker, await actorNameOf(deps, event)));
    const began = preciseNow();
    const tried = await postDelivery({ url, secret, id: event.id, body }, { ...deps, signal });
    steps.ofCommands({
      name: 'deliver',
      commandIds: [event.metadata.commandId],
      began,
      ended: preciseNow(),
      facts: { webhookId, position: event.position, status: tried.status ?? 0, taken: isTaken(tried) },
    });
    if (!signal.aborted) outcomes.push({ delivery, tried });
  };

  /** The first open delivery of each entity. */
  const heads = (): readonly Delivery[] => {
    const first = new Map<string, Delivery>();
    for (const delivery of open.values()) {
      const before = first.get(delivery.entity);
      if (before === undefined || delivery.position < before.position) first.set(delivery.entity, delivery);
    }
    return [...first.values()].filter(({ entity }) => !onTheWay.has(entity));
  };

  const begin = (url: string, secret: string): number => {
    let next = Number.POSITIVE_INFINITY;
    for (const delivery of heads()) {
      const due = Math.max(delivery.due ?? 0, heldUntil);
      if (due > now()) next = Math.min(next, due);
      else if (onTheWay.size < (takesMany ? atOnce : 1)) {
        onTheWay.add(delivery.entity);
        connections
          .run(licenceId, () => send(delivery, url, secret), signal)
          .then(wake, (error: unknown) => {
            if (signal.aborted) return;
            const { position: at, eventId } = delivery;
            deps.warn?.(
              { err: error, webhookId, licenceId, position: at, eventId },
              'A delivery could not be made and will be tried again',
            );
            heldUntil = now() + retryStore;
            onTheWay.delete(delivery.entity);
            wake();
          });
      }
    }
    return next;
  };

  const sleep = async (until: number): Promise<void> => {
    const before = waking;
    if (!before.signal.aborted) {
      isWaiting = true;
      onIdle();
      const ms = Math.max(0, Math.min(until - now(), lookAgain));
      await deps.wait(ms, AbortSignal.any([before.signal, signal]));
      isWaiting = false;
    }
    waking = new AbortController();
  };

  /** Takes up what is noted of it; null = it was deleted. */
  const begunAt = async (): Promise<StoredWebhook | null> => {
    const stream = streamOf(webhooksDecider.category, licenceId, licenceId);
    const webhooks = await deps.cache.load(webhooksDecider, stream, true);
    if (webhookIn(webhooks.state, webhookId) === null) {
      await book.remove(licenceId, webhookId);
      return null;
    }
    for (const delivery of await book.deliveries(webhookId)) {
      if (delivery.due === null) done.push(delivery.position);
      else open.set(delivery.position, delivery);
    }
    return showWebhook(deps.codes, stored);
  };

  const run = async (): Promise<void> => {
    const begun = await readers.run(licenceId, begunAt, signal);
    if (begun === null) {
      stopping.abort();
      onChanged();
      return;
    }
    const { url, secret } = begun;
    while (!signal.aborted) {
      if (deps.readOnly() !== null) {
        await sleep(now() + retryStore);
        continue;
      }
      if (outcomes.length > 0) await settle();
      await catchUp();
      if (signal.aborted) return;
      const next = begin(url, secret);
      if (outcomes.length === 0) await sleep(next);
    }
  };

  const patient = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await run();
      } catch (error) {
        if (signal.aborted) return;
        deps.warn?.({ err: error, webhookId, licenceId }, 'A webhook could not go on and will try again');
        open.clear();
        done.length = 0;
        position = noted.position;
        isBehind = true;
        await sleep(now() + retryStore);
      }
    }
  };
  const ended = patient();

  return {
    more() {
      isBehind = true;
      heldUntil = 0;
      wake();
    },
    isIdle: () => isWaiting && !waking.signal.aborted && onTheWay.size === 0 && outcomes.length === 0,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
};
