import { keyedSerialQueue } from '@zakup/async/serial-queue';
import type { Problem } from '@zakup/contracts/problems';
import type { Try } from '@zakup/credentials/credentials';
import { secondFactorAccount } from '@zakup/credentials/login-throttle';
import { rateLimited } from '@zakup/domain/sign-in-messages';
import type { Request, Response } from 'express';
import type { CommandDeps } from '../deps.ts';
import type { AccessRefusal } from '@zakup/domain/access/events';
import type { AccessHolder } from './access-entry.ts';
import type { RefusedTry } from './access-journal.ts';
import { addressOf, networkOf } from '@zakup/service-kit/network-address';
import { knownDeviceOf, rememberDevice } from './known-device.ts';
import { type UnknownDeviceQueue, unknownDeviceQueue } from './unknown-device-queue.ts';

/** Tries of unknown devices, of one address and of all, that wait for their turn at the password hasher; further ones come again. */
const mostWaiting = 100;
const mostWaitingAtAll = 200;
export type Attempted<Found> =
  | { readonly kind: 'right'; readonly found: Found; readonly knownDevice: boolean }
  | { readonly kind: 'refused'; readonly problem: Problem };

export interface SecretTry {
  readonly request: Request;
  readonly response: Response;
  /** Whose secret it is: the person's id, or what was given where that leads to nobody. */
  readonly account: string;
  /** What failures are counted for where the secret itself says whose it is, so that all secrets are guessed at once; else the account. */
  readonly door?: string;
  /** What failures are counted for where it is not the account's only secret: a right one of the others must not forgive them. */
  readonly counted?: string;
  /**
   * `browser`: known by its cookie, and known from a right secret on; `session`: the open session of this id is as good as a known device;
   * `unknown`: not asked for.
   */
  readonly device: { readonly kind: 'browser' | 'unknown' } | { readonly kind: 'session'; readonly id: string };
  readonly wrong: Problem;
  /**
   * Several share the code: what is right for one of them is a wrong guess at the others, so that it stays counted. Else whoever holds
   * one of the accounts could try passwords at the others, with a right one of their own between.
   */
  readonly isShared?: boolean;
  /** For the audit: whose door it is where that is known, and why a wrong secret was wrong. */
  readonly told: {
    readonly holders: readonly AccessHolder[];
    readonly door: RefusedTry['door'];
    readonly reason?: AccessRefusal;
  };
}

/** Slows guessing down: only failures count, and nobody's failures lock out a device that the account knows (AUTH-24, AUTH-25). */
export interface LoginThrottle {
  /** Runs a check of a secret; null from it is a wrong one, answered with `wrong`. Refused unchecked with a 429 while a wait lasts. */
  attempt<Found>(
    of: SecretTry,
    check: (now: number) => Promise<Found | null>,
    /** Whose it turned out to be, where only the right secret tells that; null = one more is asked for, and the device is not known yet. */
    accountOf?: (found: Found) => string | null,
  ): Promise<Attempted<Found>>;
}

/** Of a second factor's failures, which are counted apart from the password's (AUTH-52). */
export const secondSecretOf = (userId: string) => ({ counted: secondFactorAccount(userId) });

const tooManyTries = (milliseconds: number): Attempted<never> => {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  const problem = { code: 'RATE_LIMITED', message: rateLimited(seconds), retryAfterSeconds: seconds } as const;
  return { kind: 'refused', problem };
};

const deviceOf = async (deps: CommandDeps, { request, account, device }: SecretTry): Promise<string | null> => {
  switch (device.kind) {
    case 'browser':
      return knownDeviceOf(deps, request, account);
    case 'session':
      return `session ${device.id}`;
    case 'unknown':
      return null;
  }
};

/** Tries of unknown devices that have begun and not ended, by address and in all. */
const waitingTries = (queue: Pick<UnknownDeviceQueue, 'makeRoomFor'>) => {
  const byAddress = new Map<string, number>();
  let all = 0;
  return {
    /** False = too many wait already. */
    enter(address: string): boolean {
      const before = byAddress.get(address) ?? 0;
      if (before >= mostWaiting || (all >= mostWaitingAtAll && !queue.makeRoomFor(address))) return false;
      byAddress.set(address, before + 1);
      all += 1;
      return true;
    },
    leave(address: string): void {
      all -= 1;
      const left = (byAddress.get(address) ?? 1) - 1;
      if (left === 0) byAddress.delete(address);
      else byAddress.set(address, left);
    },
  };
};

/** One for all doors, so that they share the line of unknown devices. */
export const loginThrottle = (deps: CommandDeps): LoginThrottle => {
  const { credentials, access, now: clock } = deps;
  const unknownDevices = unknownDeviceQueue();
  const waiting = waitingTries(unknownDevices);

  /** One try per key at a time: a right one among many sent at once would find the others counted as failures. */
  const inTurn = keyedSerialQueue();

  const tellRefused = ({ told, request }: SecretTry, reason: AccessRefusal): void => {
    const refused = { door: told.door, reason, network: networkOf(request.ip) } as const;
    if (told.holders.length === 0) access.refused({ holder: null, ...refused });
    for (const holder of told.holders) access.refused({ holder, ...refused });
  };

  const tooMany = (of: SecretTry, milliseconds: number): Attempted<never> => {
    tellRefused(of, 'too_many_tries');
    return tooManyTries(milliseconds);
  };

  /** Devices that are known never stand behind a crowd of others. */
  const inLine = async <Found>(
    of: SecretTry,
    { address, device }: Try,
    work: () => Promise<Attempted<Found>>,
  ): Promise<Attempted<Found>> => {
    if (device !== null) return work();
    if (!waiting.enter(address)) return tooMany(of, 1000);
    try {
      return await work();
    } finally {
      waiting.leave(address);
    }
  };

  const checked = async <Found>(
    of: SecretTry,
    tried: Try,
    check: (now: number) => Promise<Found | null>,
    accountOf: (found: Found) => string | null,
  ): Promise<Attempted<Found>> => {
    const now = clock();
    const begun = await credentials.beginTry(tried, now);
    if (begun.kind === 'wait') return tooMany(of, begun.until - now);
    let found: Found | null | undefined;
    try {
      // By the time of its turn: what expired in line is no more.
      const look = () => check(clock());
      found = await (tried.device === null
        ? unknownDevices.look(tried.address, () => of.response.closed, look)
        : look());
    } catch (error) {
      // Nothing was learnt by it. Where the store is away it stays counted.
      await credentials.takeTryBack(tried, now, clock()).catch(() => undefined);
      throw error;
    }
    if (found === undefined) {
      await credentials.takeTryBack(tried, now, clock());
      return tooMany(of, 1000);
    }
    if (found === null) {
      tellRefused(of, of.told.reason ?? 'wrong_secret');
      return { kind: 'refused', problem: of.wrong };
    }
    if (of.isShared !== true) await credentials.takeTryBack(tried, now, clock());
    const account = accountOf(found);
    if (of.device.kind === 'browser' && account !== null) await rememberDevice(deps, of.request, of.response, account);
    return { kind: 'right', found, knownDevice: tried.device !== null };
  };

  return {
    attempt: async (of, check, accountOf = () => of.account) => {
      const { account, door, counted } = of;
      const address = addressOf(of.request.ip);
      const device = await deviceOf(deps, of);
      const tried = {
        account: door ?? counted ?? account,
        address,
        device,
        everywhere: door === undefined ? 'account' : 'door',
      } as const;
      const key = JSON.stringify([tried.account, device, door === undefined ? null : address]);
      return inLine(of, tried, () => inTurn(key, () => checked(of, tried, check, accountOf)));
    },
  };
};
