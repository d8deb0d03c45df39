import { randomBytes, randomUUID } from 'node:crypto';
import { commandApp } from '@zakup/command/app';
import { accessJournal } from '@zakup/command/auth/access-journal';
import { activateLicence, recordActivation } from '@zakup/command/auth/activation.routes';
import { partialWrites } from '@zakup/command/compensation/partial-writes';
import type { CommandDeps } from '@zakup/command/deps';
import { decideOn } from '@zakup/command/pipeline/decide-on';
import { type Decide, handleCommand } from '@zakup/command/pipeline/handle-command';
import { hidingCodes } from '@zakup/command/pipeline/hidden-codes';
import { claim } from '@zakup/command/pipeline/reservations';
import { streamCache } from '@zakup/command/pipeline/stream-cache';
import { takenCodes } from '@zakup/command/employee/taken-codes';
import { webhookTests } from '@zakup/command/webhook/webhook-tests';
import { accessTokens } from '@zakup/credentials/access-token';
import type { CodeCipher } from '@zakup/credentials/code-cipher';
import { inMemoryCredentials } from '@zakup/credentials/in-memory';
import { keyThrottle } from '@zakup/credentials/key-throttle';
import { licenceDecider } from '@zakup/domain/licence/licence.decider';
import { features } from '@zakup/domain/permissions';
import type { EventStore } from '@zakup/event-store/event-store';
import { problemHandler } from '@zakup/service-kit/problem-middleware';
import express from 'express';
import { type Call, inProcessCalls } from './in-process-calls.ts';
import type { Act } from './story/act.ts';
import { owner } from './story/people.ts';
import type { Story } from './story/story.ts';

export interface SeedingOptions extends Pick<CommandDeps, 'readStore' | 'log' | 'metrics'> {
  readonly eventStore: EventStore;
  /** Hides access codes and the licence's key in it. */
  readonly codes: CodeCipher;
  /** Told before anything of that instant is appended, in UTC milliseconds; never goes back. */
  readonly onInstant: (at: number) => void;
  /** Days that were told before, all that is in them. */
  readonly told?: number;
  /** Told when everything of the first so many days was appended. */
  readonly onDay: (told: number) => Promise<void> | void;
}

const day = 24 * 60 * 60 * 1000;
/** Between two looks at how far it is. */
const daysAtOnce = 5;
export const demoKey = 'LICENSE-DEMO-DEMO-DEMO-DEMO';

/**
 * Tells a story to an empty log, or to one that holds its beginning: every act is an ordinary request of a signed-in person, at its own
 * instant, refused or accepted by the rules of that moment; one that was accepted before is answered and appends nothing. Throws when an
 * act is refused.
 */
export const seedStory = async (story: Story, telling: SeedingOptions): Promise<void> => {
  const { readStore, log, metrics, onInstant, told = 0, onDay } = telling;
  const eventStore = hidingCodes(telling.eventStore, telling.codes);
  let instant = story.begins;
  const now = (): number => instant;
  const random = (bytes: number): Uint8Array => randomBytes(bytes);
  // Sessions of the story: they sign nobody in, and are over with it.
  const credentials = inMemoryCredentials({ key: random(32), random, hashing: { memoryCost: 8, timeCost: 1 } });
  // One token a person for the whole story: it ends with the session, whatever the instant.
  const tokens = accessTokens({ secret: Buffer.from(random(32)).toString('hex'), clock: () => story.begins });
  const readOnly = (): null => null;
  const deps: CommandDeps = {
    eventStore,
    cache: streamCache(eventStore),
    partialWrites,
    readStore,
    credentials,
    tokens,
    access: accessJournal({ eventStore, metrics, log, now, newId: randomUUID, readOnly }),
    now,
    random,
    keyThrottle: keyThrottle({ now: () => performance.now() }),
    changes: { take: () => ({ kind: 'taken' }), size: 0 },
    readOnly,
    takenCodes: takenCodes(() => performance.now()),
    webhooks: { changed: () => undefined, allowPrivate: false, tests: webhookTests(() => performance.now()) },
    log,
    metrics,
  };
  const app = express();
  app.disable('etag').disable('x-powered-by');
  app.use(commandApp(deps));
  app.use(problemHandler(log));
  const call = inProcessCalls(app);

  const { licence: licenceId } = story.ids;
  const openToken = async (userId: string): Promise<string> => {
    const sessionId = `demo/${userId}`;
    const session = {
      id: sessionId,
      userId,
      licenceId,
      via: 'employee',
      userAgent: '',
      passwordChangeOnly: false,
    } as const;
    const life = { createdAt: story.begins, expiresAt: story.ends + day };
    await credentials.openSession({ ...session, ...life }, { maxConcurrentSessions: 1000, endOldest: false });
    return tokens.issue({ userId, sessionId, licenceId, role: 'hint', passwordChangeOnly: false });
  };
  const opened = new Map<string, Promise<string>>();
  const tokenOf = (userId: string): Promise<string> => {
    const token = opened.get(userId) ?? openToken(userId);
    opened.set(userId, token);
    return token;
  };

  const carryOut = async ({ at, by, commandId, method, path, body, source }: Act): Promise<void> => {
    const token = await tokenOf(by);
    instant = at;
    onInstant(at);
    const headers: Call['headers'] = {
      Authorization: `Bearer ${token}`,
      'Idempotency-Key': commandId,
      'X-Zakup-Source': source,
    };
    const answer = await call({ method, path, headers, body });
    if (answer.status === 200) return;
    throw new Error(
      `The story breaks off: ${new Date(at).toISOString()} ${method} ${path}: ${answer.status} ${answer.body()}`,
    );
  };

  try {
    if (told === 0) await foundLicence(deps, story);
    for (const [index, acts] of story.days.entries()) {
      if (index < told) continue;
      for (const act of acts) await carryOut(act);
      if ((index + 1) % daysAtOnce === 0 || index + 1 === story.days.length) await onDay(index + 1);
    }
  } finally {
    await credentials.close();
  }
};

/** The licence and its owner, as the admin's calls and the activation dialog make them, with a key and a code that are known. */
const foundLicence = async (deps: CommandDeps, { ids, begins, ends }: Story): Promise<void> => {
  const { licence: licenceId } = ids;
  const at = new Date(begins).toISOString();
  const envelope = (name: string, actorId: string) => ({
    licenceId,
    actorId,
    commandId: ids.command(name),
    requestHash: () => name,
    source: 'screen' as const,
    at,
  });
  const accepted = async (name: string, actorId: string, decide: Decide): Promise<void> => {
    const handled = await handleCommand(
      deps,
      envelope(name, actorId),
      { entity: licenceDecider, id: licenceId },
      decide,
    );
    if (handled.kind === 'refused') throw new Error(`The story breaks off: ${handled.problem.message}`);
  };
  await accepted('licence/issued', 'admin', async (session) => {
    const taken = await claim(session, { category: 'licencekey', value: demoKey }, { licenceId, id: licenceId });
    const issue = {
      type: 'IssueLicence',
      licenseKey: demoKey,
      teamName: 'Демо-команда',
      ownerName: owner.name,
      ownerEmail: owner.email,
      ownerTelegram: owner.telegram,
      // A demo is kept for as long as somebody likes.
      expiresAt: new Date(ends + 10 * 365 * day).toISOString(),
      features,
      maxConcurrentSessions: 100,
    } as const;
    return taken ?? decideOn({ session }, licenceDecider, licenceId, issue, {});
  });
  const validUntil = new Date(begins + 10 * 60 * 1000).toISOString();
  await recordActivation(deps, envelope('licence/code', 'admin'), {
    type: 'IssueActivationCode',
    by: 'admin',
    validUntil,
  });
  await accepted('licence/activated', 'owner', (session) =>
    activateLicence(session, licenceId, ids.owner, owner.authCode, at),
  );
};
