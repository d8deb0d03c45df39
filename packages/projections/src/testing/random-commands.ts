import type { AccessEvent } from '@zakup/domain/access/events';
import { activationDecider } from '@zakup/domain/activation/activation.decider';
import { campaignDecider } from '@zakup/domain/campaign/campaign.decider';
import { campaignUndo } from '@zakup/domain/campaign/campaign.undo';
import { channelDecider } from '@zakup/domain/channel/channel.decider';
import { channelUndo } from '@zakup/domain/channel/channel.undo';
import { contractorDecider } from '@zakup/domain/contractor/contractor.decider';
import { contractorUndo } from '@zakup/domain/contractor/contractor.undo';
import type { Contractor } from '@zakup/domain/contractor/state';
import { creativeDecider } from '@zakup/domain/creative/creative.decider';
import { creativeUndo } from '@zakup/domain/creative/creative.undo';
import type { Decider, DomainEvent } from '@zakup/domain/decider';
import type { ImportEvent } from '@zakup/domain/import/events';
import { employeeDecider } from '@zakup/domain/employee/employee.decider';
import { keysDecider } from '@zakup/domain/keys/keys.decider';
import { licenceDecider } from '@zakup/domain/licence/licence.decider';
import { nextStep } from '@zakup/domain/licence/licence-term';
import type { Licence } from '@zakup/domain/licence/state';
import { placementDecider } from '@zakup/domain/placement/placement.decider';
import { placementUndo } from '@zakup/domain/placement/placement.undo';
import { preferencesDecider } from '@zakup/domain/preferences/preferences.decider';
import { savedViewsDecider } from '@zakup/domain/views/saved-views.decider';
import { savedViewsUndo } from '@zakup/domain/views/saved-views.undo';
import { reservationDecider } from '@zakup/domain/reservation/reservation.decider';
import { attempts } from '@zakup/domain/testing/arbitraries';
import { decideUndo, type PastEvent, type Undoable } from '@zakup/domain/undo';
import { webhooksDecider } from '@zakup/domain/webhooks/webhooks.decider';
import * as fc from 'fast-check';
import {
  type By,
  campaignCreated,
  contractorCreated,
  creativeCreated,
  employeeCreated,
  type Fact,
  instant,
  licenceId,
  licenceIssued,
  placementAdded,
  rubles,
} from './given.ts';

/** Commands of every type, right and wrong, and what they decide one after the other on the streams of a licence. */

type AnyDecider = Decider<unknown, unknown, DomainEvent, unknown>;
type AnyUndoable = Undoable<unknown, DomainEvent, unknown>;

const deciders = {
  placement: placementDecider,
  contractor: contractorDecider,
  campaign: campaignDecider,
  channel: channelDecider,
  creative: creativeDecider,
  employee: employeeDecider,
  licence: licenceDecider,
  activation: activationDecider,
  preferences: preferencesDecider,
  views: savedViewsDecider,
  keys: keysDecider,
  webhooks: webhooksDecider,
  nick: reservationDecider('nick'),
} as const;
type Category = keyof typeof deciders;

const made: Readonly<Record<Category, fc.Arbitrary<readonly [{ readonly type: string }, object]>>> = {
  ...attempts,
  nick: attempts.reservation,
};

const ways: Readonly<Record<string, unknown>> = {
  placement: placementUndo,
  campaign: campaignUndo,
  channel: channelUndo,
  contractor: contractorUndo,
  creative: creativeUndo,
  views: savedViewsUndo,
};

/** Kinds of streams on which commands can be undone. */
export const undoable: readonly string[] = Object.keys(ways);

export const ids = ['a', 'b', 'c'];

/** Everything that commands may name is there. */
export const everything: readonly Fact[] = [
  ['licence', licenceId, licenceIssued],
  ...ids.map((id): Fact => ['channel', id, { type: 'ChannelCreated', data: { name: id, avatar: null } }]),
  ['employee', 'a', employeeCreated('a', { role: 'TEAM_LEAD', salaryType: 'percentage', salaryRate: 10 })],
  ['employee', 'b', employeeCreated('b', { salaryType: 'performance', salaryRate: 12.5, performanceThreshold: 50_00 })],
  ['employee', 'c', employeeCreated('c')],
  ...ids.map((id): Fact => ['contractor', id, contractorCreated(id)]),
  ...ids.map((id): Fact => ['creative', id, creativeCreated(id)]),
  ...ids.map(
    (id): Fact => [
      'campaign',
      id,
      campaignCreated(id),
      { type: 'CampaignBudgetChanged', data: { totalBudget: rubles(2000) } },
    ],
  ),
  ['channel', 'a', { type: 'CampaignAttachedToChannel', data: { campaignId: 'a' } }],
  ...ids.map((id): Fact => ['placement', id, placementAdded({ campaign: id, contractor: 'a', buyer: 'b' })]),
];

/** Signing in and out: told to the log by no command. */
interface Told {
  readonly kind: 'told';
  readonly id: string;
  readonly event: AccessEvent;
}
/** One command on one stream. */
interface Single {
  readonly kind: 'single';
  readonly category: Category;
  readonly id: string;
  readonly made: readonly [{ readonly type: string }, object];
}
/** One contractor becomes a part of another, or is taken out again: one command on both. */
interface Merge {
  readonly kind: 'merge' | 'separate';
  readonly id: string;
  readonly intoId: string;
}
/** What an earlier command did goes back on all its streams. */
interface Undo {
  readonly kind: 'undo';
  /** Which, counted from the last back. */
  readonly back: number;
}
/** What an import tells of itself: begun when it is not there yet, afterwards one step at a time. */
interface ImportStep {
  readonly kind: 'import';
  readonly id: string;
  readonly campaignId: string;
  readonly step: ImportEvent;
}
/** `by`: whose command it is. */
export type Attempt = (Single | Told | Merge | Undo | ImportStep) & { readonly by: By };

const bothSides = /^(?:Merge|Separate|Receive|Return)/u;

const network = '203.0.113.0/24';
const signedIn: AccessEvent = {
  type: 'SignedIn',
  data: { sessionId: 's', door: 'employee', network, knownDevice: true },
};
const takenTogether = {
  since: instant(0),
  until: instant(1),
  count: 2,
  networks: [network],
  moreNetworks: false,
};
const accessEvents: readonly AccessEvent[] = [
  { type: 'DataTaken', data: { what: 'lines', names: ['Расход'], moreNames: false, ...takenTogether } },
  { type: 'LicenceKeyShown', data: takenTogether },
  signedIn,
  { type: 'SignedOut', data: { sessionId: 's' } },
  { type: 'SessionsEnded', data: { sessionIds: ['s', 't'], reason: 'replaced' } },
  {
    type: 'SignInRefused',
    data: {
      since: instant(0),
      until: instant(1),
      count: 2,
      reasons: { wrong_secret: 2 },
      doors: ['code'],
      networks: [network],
      moreNetworks: false,
    },
  },
  { type: 'SecondFactorEnabled', data: { network } },
  { type: 'SecondFactorDisabled', data: { network } },
  { type: 'SecondFactorReset', data: { network } },
  { type: 'RecoveryCodesRenewed', data: { network } },
  { type: 'RecoveryCodeUsed', data: { network, left: 9 } },
];

const rowError = { row: 2, column: 0, field: 'id', text: 'x', detail: 'Placement not found' };
const importSteps: readonly ImportEvent[] = [
  { type: 'ImportRowsWritten', data: { part: 0, added: 2, changed: 0, skipped: 0, failed: 0, errors: [] } },
  { type: 'ImportRowsWritten', data: { part: 1, added: 0, changed: 1, skipped: 1, failed: 1, errors: [rowError] } },
  { type: 'ImportFinished', data: {} },
  { type: 'ImportFailed', data: { code: 'CAMPAIGN_COMPLETED', failed: 4 } },
  { type: 'ImportCancelled', data: {} },
];
const undoneParts = 2;
const undoBegun = (commandId: string, reason: string | undefined): ImportEvent => ({
  type: 'ImportUndoStarted',
  data: {
    commandId: `${commandId} undone`,
    undoes: { commandId, actorId: commandId },
    restores: false,
    parts: undoneParts,
    placements: 4,
    ...(reason !== undefined && { reason }),
  },
});
const partUndone = (part: number): ImportEvent => ({ type: 'ImportPartUndone', data: { part, back: 1, kept: part } });
const undoFailed: ImportEvent = { type: 'ImportUndoFailed', data: { code: 'CAMPAIGN_COMPLETED' } };
const importBegun = (campaignId: string, before: string | undefined): readonly [ImportEvent, ImportEvent] => [
  {
    type: 'ImportStarted',
    data: {
      campaignId,
      name: 'закуп.csv',
      report: { rows: 9, errors: [rowError], errorCount: 1 },
      total: 9,
      skipped: 1,
      failed: 1,
      parts: 2,
      ...(before !== undefined && { replaces: before }),
    },
  },
  { type: 'ImportRowsStaged', data: { rows: [{ row: 1, contractor: '@a', price: rubles(5) }] } },
];

/** Some of them stand in the history under a name, some under none; some clocks are late. */
const by: fc.Arbitrary<By> = fc.record(
  {
    actorId: fc.constantFrom('person', ...ids, 'd', 'admin', 'system'),
    source: fc.constantFrom('screen' as const, 'paste' as const),
    reason: fc.constant('иначе'),
    at: fc.constant('2024-12-31T21:00:00.000Z'),
  },
  { requiredKeys: ['actorId'] },
);

/** How often commands are of these, beside 1 for the others: sums are of placements, and campaigns come and go with them. */
const weights: Readonly<Partial<Record<Category, number>>> = {
  placement: 12,
  campaign: 4,
  licence: 3,
  employee: 2,
  channel: 3,
  contractor: 3,
};

const placements = [...ids, 'd', 'e', 'f', 'g', 'h'];

const idOf = (category: Category): fc.Arbitrary<string> => {
  if (['licence', 'activation', 'keys', 'webhooks'].includes(category)) return fc.constant(licenceId);
  if (category === 'views') return fc.constantFrom('a', 'b', 'team');
  return fc.constantFrom(...(category === 'placement' ? placements : [...ids, 'd']));
};

/** Sums in kopecks, each with what most of them are below. */
const mostlyBelow: Readonly<Record<string, number>> = {
  price: 60_000,
  totalBudget: 200_000,
  budget: 100_000,
  cplThreshold: 20_000,
  performanceThreshold: 20_000,
};
const round = 50_00;
const schemes = ['budget', 'percentage', 'performance'];

/**
 * Most sums are small, so that budgets, prices and thresholds meet; no price is below nothing, which no door lets in. No two contractors are
 * given a note of the same id: by a merge they come to.
 */
const likely = (name: string, value: unknown): unknown => {
  if (name === 'price' && value === -1) return 0;
  const bound = mostlyBelow[name];
  if (typeof value === 'number' && bound !== undefined) {
    if (value <= 0 || value % 8 === 0) return value;
    // Half of them are round, so that they meet exactly.
    return value % 2 === 0 ? value % bound : (value % (bound / round)) * round;
  }
  if (name === 'salaryType' && typeof value === 'string') return schemes[value.length % 4] ?? value;
  if (name === 'leads' && typeof value === 'number') return value % 3 > 0 ? value % 12 : value;
  if (Array.isArray(value)) return value.map((one: unknown) => likely('', one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([member, one]) => [member, likely(member, one)]));
};

const likelyIn = (one: Single): Single => {
  const [command, facts] = one.made;
  const { type, noteId, viewId } = command as {
    readonly type: string;
    readonly noteId?: string;
    readonly viewId?: string;
  };
  const own = {
    ...(type === 'AddNote' && { noteId: noteId === 'c' ? `${one.id}2` : one.id }),
    ...(viewId !== undefined && { viewId: `${one.id}-${viewId}` }),
  };
  return { ...one, made: [{ ...(likely('', command) as typeof command), ...own }, facts] };
};

/** What would take more away than there is added comes more seldom than the rest. */
const takesAway = /^(?:Remove|Delete)/u;

const commandsOf = (category: Category): (typeof made)[Category] => {
  const alone = made[category].filter(([{ type }]) => !bothSides.test(type));
  return fc.oneof(alone, { arbitrary: alone.filter(([{ type }]) => !takesAway.test(type)), weight: 2 });
};

const single = (category: Category): fc.Arbitrary<Attempt> =>
  fc
    .record({
      kind: fc.constant('single' as const),
      category: fc.constant(category),
      id: idOf(category),
      made: commandsOf(category),
      by,
    })
    .map((one) => ({ ...likelyIn(one), by: one.by }));

/** Categories of which nothing else depends: their commands come after the others. */
const atTheEnd: readonly Category[] = ['keys', 'webhooks'];

/** Of keys and webhooks. */
export const lastAttempt: fc.Arbitrary<Attempt> = fc.oneof(single('keys'), {
  arbitrary: single('webhooks'),
  weight: 3,
});

export const attempt: fc.Arbitrary<Attempt> = fc.oneof(
  ...(Object.keys(deciders) as Category[])
    .filter((category) => !atTheEnd.includes(category))
    .map((category) => ({
      arbitrary: single(category),
      weight: weights[category] ?? 1,
    })),
  fc.record({
    kind: fc.constant('told' as const),
    id: fc.constantFrom(...ids, 'd'),
    event: fc.constantFrom(...accessEvents),
    by,
  }),
  {
    arbitrary: fc.record({
      kind: fc.constant('import' as const),
      id: fc.constantFrom('i', 'j', 'k', 'l'),
      campaignId: fc.constantFrom('a', 'b'),
      step: fc.constantFrom(...importSteps),
      by,
    }),
    weight: 2,
  },
  {
    arbitrary: fc.record({
      kind: fc.constantFrom('merge' as const, 'separate' as const),
      id: fc.constantFrom(...ids),
      intoId: fc.constantFrom(...ids),
      by,
    }),
    weight: 3,
  },
  { arbitrary: fc.record({ kind: fc.constant('undo' as const), back: fc.nat(6), by }), weight: 3 },
);

/** The commands that an attempt gives, beside those that undoing makes. */
export const typesOf = (one: Attempt): readonly string[] => {
  switch (one.kind) {
    case 'single':
      return [one.made[0].type];
    case 'merge':
      return ['MergeContractor', 'ReceiveContractor'];
    case 'separate':
      return ['SeparateContractor', 'ReturnContractor'];
    case 'undo':
    case 'told':
    case 'import':
      return [];
  }
};

interface Kept extends PastEvent<DomainEvent> {
  readonly before: unknown;
  readonly after: unknown;
}
type Change = readonly [
  category: Category,
  id: string,
  ...events: { readonly event: DomainEvent; readonly undoes?: string }[],
];

/** Imports, each begun once, over once, then undone as often as it comes; one at a time in a campaign. */
const importLives = () => {
  const running = new Set<string>();
  const begun = new Set<string>();
  const lanes = new Map<string, string>();
  /** How many parts of an import are undone, while it is being undone. */
  const undoing = new Map<string, number>();
  const undo = (id: string, step: ImportEvent): ImportEvent => {
    const part = undoing.get(id);
    if (part === undefined) {
      undoing.set(id, 0);
      return undoBegun(id, step.type === 'ImportCancelled' ? 'Не тот файл' : undefined);
    }
    const isLast = step.type === 'ImportFailed' || part + 1 === undoneParts;
    if (isLast) undoing.delete(id);
    else undoing.set(id, part + 1);
    return step.type === 'ImportFailed' ? undoFailed : partUndone(part);
  };
  return {
    take({ id, campaignId, step }: ImportStep): readonly [Fact, ...Fact[]] | null {
      if (!begun.has(id)) {
        const before = lanes.get(campaignId);
        if (before !== undefined && running.has(before)) return null;
        begun.add(id);
        running.add(id);
        lanes.set(campaignId, id);
        return [
          ['importlane', campaignId, { type: 'ImportLaneTaken', data: { importId: id } }],
          ['import', id, ...importBegun(campaignId, before)],
        ];
      }
      if (!running.has(id)) return [['import', id, undo(id, step)]];
      if (step.type !== 'ImportRowsWritten') running.delete(id);
      return [['import', id, step]];
    },
  };
};

/** What commands decide on the streams that they and those before them have made. */
export const streams = () => {
  const kept = new Map<string, Kept[]>();
  /** The streams of each command. */
  const commands: (readonly (readonly [Category, string])[])[] = [];
  const historyOf = (category: string, id: string): readonly Kept[] => kept.get(`${category} ${id}`) ?? [];
  const stateOf = (category: Category, id: string): unknown => historyOf(category, id).at(-1)?.after ?? null;

  const keep = (changes: readonly Change[], actorId: string): void => {
    const command = String(commands.length);
    const at = instant(commands.length);
    commands.push(changes.map(([category, id]) => [category, id]));
    for (const [category, id, ...events] of changes) {
      const history = [...historyOf(category, id)];
      for (const { event, undoes } of events) {
        const before = history.at(-1)?.after ?? null;
        const recorded = { at, actorId, revision: history.length };
        const after = (deciders[category] as unknown as AnyDecider).evolve(before, event, recorded);
        const eventId = `${category} ${id} ${history.length}`;
        history.push({ event, id: eventId, command, undoes, actorId, at, before, after });
      }
      kept.set(`${category} ${id}`, history);
    }
  };

  const decided = (category: Category, id: string, command: object, facts: object): Change | null => {
    const decision = (deciders[category] as unknown as AnyDecider).decide(command, stateOf(category, id), facts);
    if (decision.kind !== 'accepted' || decision.events.length === 0) return null;
    return [category, id, ...decision.events.map((event) => ({ event }))];
  };

  const contractorOf = (id: string) => stateOf('contractor', id) as Contractor;

  const mergeOf = ({ kind, id: asked, intoId: chosen }: Merge): readonly (Change | null)[] => {
    const merged = ids.find((one) => contractorOf(one).mergedInto !== undefined);
    const id = kind === 'merge' ? asked : (merged ?? asked);
    const from = contractorOf(id);
    const intoId = kind === 'merge' ? chosen : (from.mergedInto ?? chosen);
    const into = contractorOf(intoId);
    const { notes, verdict } = from;
    const actor = { id: 'person', role: 'CEO' };
    const merge = { type: 'MergeContractor', contractorId: id, intoId };
    const receive = { type: 'ReceiveContractor', contractorId: id, nicks: [from.nick], notes, verdict };
    const back = { type: 'ReturnContractor', contractorId: id, noteIds: notes.map((note) => note.id) };
    return kind === 'merge'
      ? [decided('contractor', id, merge, { actor, into }), decided('contractor', intoId, receive, { actor })]
      : [
          decided('contractor', id, { type: 'SeparateContractor' }, { actor }),
          decided('contractor', intoId, back, { actor }),
        ];
  };

  const undoOn = (command: string, category: Category, id: string): Change | null => {
    const history = historyOf(category, id);
    const first = history.findIndex((one) => one.command === command);
    const last = history.findLastIndex((one) => one.command === command);
    const events = history.slice(first, last + 1);
    const [before, after, current] = [events[0]?.before ?? null, events.at(-1)?.after, history.at(-1)?.after];
    const { campaignId = '', channelId = '' } = current as {
      readonly campaignId?: string;
      readonly channelId?: string;
    };
    const { mergedInto = '' } = (before ?? {}) as { readonly mergedInto?: string };
    const facts = {
      campaign: stateOf('campaign', campaignId),
      channel: stateOf('channel', channelId),
      campaignNames: [],
      actor: { id: 'person', role: 'CEO' },
      into: stateOf('contractor', mergedInto),
    };
    const past = { before, after, current, events, since: history.slice(last + 1) };
    const undone = decideUndo(ways[category] as AnyUndoable, past, facts);
    return undone.kind === 'undone' && undone.events.length > 0 ? [category, id, ...undone.events] : null;
  };

  const undoOf = ({ back }: Undo): readonly (Change | null)[] => {
    const number = commands.length - 1 - back;
    return (commands[number] ?? []).map(([category, id]) =>
      ways[category] === undefined ? null : undoOn(String(number), category, id),
    );
  };

  /** What happens to a term by itself is what is due next: of others too few would ever come to its end. */
  const dueIn = ({ category, id, made: [command] }: Single): object => {
    const licence = category === 'licence' ? (stateOf(category, id) as Licence | null) : null;
    const next = licence === null ? null : nextStep(licence);
    if (command.type !== 'AdvanceTerm' || next === null) return command;
    return { ...command, term: licence?.term?.revision, step: next.step, now: next.at };
  };

  const changesOf = (one: Exclude<Attempt, Told | ImportStep>): readonly (Change | null)[] => {
    switch (one.kind) {
      case 'single':
        return [decided(one.category, one.id, dueIn(one), one.made[1])];
      case 'undo':
        return undoOf(one);
      case 'merge':
      case 'separate':
        return mergeOf(one);
    }
  };

  const imports = importLives();

  return {
    begin: ([category, id, ...events]: Fact): void =>
      keep([[category as Category, id, ...events.map((event) => ({ event }))]], 'person'),

    /** What the attempt adds to its streams, all of them or none; null = it is refused. */
    take(one: Attempt): readonly [Fact, ...Fact[]] | null {
      if (one.kind === 'told') {
        keep([], '');
        return [['access', one.id, one.event]];
      }
      if (one.kind === 'import') {
        const facts = imports.take(one);
        if (facts !== null) keep([], '');
        return facts;
      }
      const changes = changesOf(one);
      if (changes.length === 0 || changes.some((change) => change === null)) return null;
      keep(changes as readonly Change[], one.by.actorId ?? 'person');
      return (changes as readonly Change[]).map(([category, id, ...events]) => [
        category,
        id,
        ...events.map(({ event, undoes }) => ({ ...event, ...(undoes !== undefined && { causedBy: undoes }) })),
      ]) as unknown as readonly [Fact, ...Fact[]];
    },
  };
};
