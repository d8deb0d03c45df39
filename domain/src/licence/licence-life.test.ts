import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advance, type Folded, nothing } from '../decider.ts';
import { may, ownerPermissions, personOf } from '../permissions.ts';
import type { LicenceCommand } from './commands.ts';
import type { LicenceEvent } from './events.ts';
import { nextClosingStep } from './licence-closing.ts';
import { licenceDecider } from './licence.decider.ts';
import { licenceStatus } from './licence-status.ts';
import { nextStep, type TermStep } from './licence-term.ts';
import type { Licence } from './state.ts';

const day = 86_400_000;
const begin = Date.parse('2030-01-01T00:00:00.000Z');
const iso = (instant: number): string => new Date(instant).toISOString();

type Move =
  | { readonly kind: 'clock'; readonly days: number }
  | { readonly kind: 'renew'; readonly days: number }
  | { readonly kind: 'suspend' | 'resume' | 'ask' | 'close' | 'keep' }
  /** What a process does when it looks: everything that is due. */
  | { readonly kind: 'process' }
  /** What one does that is behind, or ahead. */
  | { readonly kind: 'stray'; readonly step: TermStep; readonly term: number };

const days = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const step = fc.constantFrom<TermStep[]>('notice-30', 'notice-7', 'notice-1', 'grace', 'expiry');
const move: fc.Arbitrary<Move> = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant('clock' as const), days: days(-20, 50) }), weight: 4 },
  { arbitrary: fc.record({ kind: fc.constant('renew' as const), days: days(-10, 60) }), weight: 1 },
  { arbitrary: fc.record({ kind: fc.constantFrom('suspend' as const, 'resume' as const, 'ask' as const) }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constantFrom('close' as const, 'close' as const, 'keep' as const) }), weight: 1 },
  { arbitrary: fc.record({ kind: fc.constant('process' as const) }), weight: 4 },
  { arbitrary: fc.record({ kind: fc.constant('stray' as const), step, term: fc.nat(4) }), weight: 1 },
);

interface Told {
  readonly event: LicenceEvent;
  readonly at: number;
  /** Before it. */
  readonly before: Licence | null;
}

/** A licence under a clock that people and processes move as they like. */
const life = () => {
  let now = begin;
  let folded: Folded<Licence> = nothing;
  const told: Told[] = [];
  const decide = (command: LicenceCommand): number => {
    const decision = licenceDecider.decide(command, folded.state, {});
    const events = decision.kind === 'accepted' ? decision.events : [];
    for (const event of events) {
      told.push({ event, at: now, before: folded.state });
      folded = advance(licenceDecider, folded, event, { at: iso(now), actorId: 'anna' });
    }
    return events.length;
  };
  const state = (): Licence => folded.state ?? expect.fail('not issued');
  const catchUp = (): void => {
    for (;;) {
      const next = nextStep(state());
      const term = state().term?.revision ?? -1;
      if (next === null || decide({ type: 'AdvanceTerm', term, step: next.step, now: iso(now) }) === 0) break;
    }
    for (;;) {
      const next = nextClosingStep(state());
      const closing = state().closing?.revision ?? -1;
      if (next === null || decide({ type: 'AdvanceClosing', closing, step: next.step, now: iso(now) }) === 0) return;
    }
  };
  decide({
    type: 'IssueLicence',
    licenseKey: 'LICENSE-AB12-CD34-EF56-GH78',
    teamName: 'Команда',
    ownerName: 'Ольга',
    ownerEmail: 'olga@example.org',
    ownerTelegram: '@olga',
    expiresAt: iso(begin + 40 * day),
    features: [],
    maxConcurrentSessions: 10,
  });
  return {
    told,
    state,
    now: () => now,
    status: () => licenceStatus(state(), iso(now)),
    play(one: Move): void {
      switch (one.kind) {
        case 'clock':
          now += Math.round(one.days * day);
          break;
        case 'renew':
          decide({ type: 'RenewLicence', expiresAt: iso(now + Math.round(one.days * day)) });
          break;
        case 'suspend':
          decide({ type: 'SuspendLicence', reason: 'долг' });
          break;
        case 'resume':
          decide({ type: 'ResumeLicence' });
          break;
        case 'ask':
          decide({ type: 'RequestRenewal' });
          break;
        case 'close':
          decide({ type: 'CloseLicence', reason: '', now: iso(now) });
          break;
        case 'keep':
          decide({ type: 'KeepLicence', now: iso(now) });
          break;
        case 'process':
          catchUp();
          break;
        case 'stray':
          decide({ type: 'AdvanceTerm', term: one.term, step: one.step, now: iso(now) });
      }
    },
  };
};

const stories = fc.array(move, { maxLength: 60 });
const holds = (check: (story: readonly Move[]) => void): void =>
  fc.assert(fc.property(stories, check), { numRuns: 300 });

/** The events between two beginnings of a term. */
const termsOf = (told: readonly Told[]): readonly (readonly Told[])[] => {
  const terms: Told[][] = [];
  for (const one of told) {
    if (one.event.type === 'LicenceIssued' || one.event.type === 'LicenceRenewed') terms.push([]);
    terms.at(-1)?.push(one);
  }
  return terms;
};

/** The instant before which the event must not be; everything people do is always in time. */
const dueAt = (event: LicenceEvent, before: Licence | null): number => {
  const end = Date.parse(before?.expiresAt ?? '');
  if (event.type === 'LicenceExpiryNoticed') return end - event.data.daysBefore * day;
  if (event.type === 'LicenceGraceStarted')
    return Date.parse(event.data.until) === end + 7 * day ? end : Number.POSITIVE_INFINITY;
  if (event.type === 'LicenceClosingNoticed') return Date.parse(event.data.closesAt) - event.data.daysBefore * day;
  if (event.type === 'LicenceClosed') return Date.parse(before?.closing?.closesAt ?? '');
  return event.type === 'LicenceExpired' ? end + 7 * day : Number.NEGATIVE_INFINITY;
};

describe('the life of a licence', () => {
  it('LI-20 begins its grace period at most once a term, ends at most once, tells of each number of days at most once', () => {
    holds((story) => {
      const licence = life();
      for (const one of story) licence.play(one);
      for (const term of termsOf(licence.told)) {
        const steps = term.flatMap(({ event }) =>
          event.type === 'LicenceExpiryNoticed'
            ? [`notice-${event.data.daysBefore}`]
            : event.type === 'LicenceGraceStarted' || event.type === 'LicenceExpired'
              ? [event.type]
              : [],
        );
        const order = ['notice-30', 'notice-7', 'notice-1', 'LicenceGraceStarted', 'LicenceExpired'];
        expect(steps).toEqual(order.filter((name) => steps.includes(name)));
      }
    });
  });

  it('LI-21 records nothing before it is due', () => {
    holds((story) => {
      const licence = life();
      for (const one of story) licence.play(one);
      expect(licence.told.filter(({ event, at, before }) => at < dueAt(event, before))).toEqual([]);
    });
  });

  it('LI-22 stands the same whether a process was there or not, under a clock that only goes on', () => {
    holds((story) => {
      const [followed, alone] = [life(), life()];
      for (const one of story) {
        if (one.kind === 'stray' || (one.kind === 'clock' && one.days < 0)) continue;
        followed.play(one);
        if (one.kind !== 'process') alone.play(one);
        expect(followed.status()).toBe(alone.status());
      }
    });
  });

  it('LI-23 gives back by a resumption what was before the suspension', () => {
    holds((story) => {
      const licence = life();
      for (const one of story) licence.play(one);
      // The second takes back what its owner said, which stood behind a suspension.
      licence.play({ kind: 'resume' });
      licence.play({ kind: 'resume' });
      const before = licence.state();
      const status = licence.status();
      licence.play({ kind: 'suspend' });
      expect(licence.status()).toBe('suspended');
      licence.play({ kind: 'resume' });
      expect(licence.state()).toEqual(before);
      expect(licence.status()).toBe(status);
    });
  });

  it('LI-24 opens no change at all when it is over, and every one while its grace period lasts', () => {
    holds((story) => {
      const licence = life();
      for (const one of story) {
        licence.play(one);
        const status = licence.status();
        const owner = {
          id: 'o',
          name: 'Ольга',
          isActive: true,
          isOwner: true,
          role: 'CEO',
          permissions: ownerPermissions,
        } as const;
        const { settings } = licence.state();
        const all = ['analytics', 'campaigns', 'contractors', 'creatives', 'placements', 'reports', 'settings'];
        const person = personOf(owner, { id: 'l', features: all, settings }, status);
        const channel = may(person, 'channel.create');
        const closed = status === 'expired' || status === 'suspended' || status === 'closed';
        expect(channel.allowed ? null : channel.code).toBe(closed ? 'LICENSE_INACTIVE' : null);
        expect(may(person, 'licence.requestRenewal').allowed).toBe(true);
      }
    });
  });
});
