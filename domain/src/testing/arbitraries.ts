import * as fc from 'fast-check';
import type { ActivationCommand, ActivationFacts } from '../activation/commands.ts';
import type { CampaignCommand, CampaignFacts } from '../campaign/commands.ts';
import type { ChannelCommand, ChannelFacts } from '../channel/commands.ts';
import type { ContractorCommand, ContractorFacts } from '../contractor/commands.ts';
import type { CreativeCommand, CreativeFacts } from '../creative/commands.ts';
import type { EmployeeCommand, EmployeeFacts } from '../employee/commands.ts';
import type { LicenceCommand, LicenceFacts } from '../licence/commands.ts';
import type { KeyCommand } from '../keys/commands.ts';
import type { ClosingStep } from '../licence/licence-closing.ts';
import type { TermStep } from '../licence/licence-term.ts';
import { kopecks, maxKopecks } from '../money.ts';
import type { PlacementCommand, PlacementFacts } from '../placement/commands.ts';
import type { SavedViewCommand } from '../views/commands.ts';
import type { WebhookCommand } from '../webhooks/commands.ts';
import { everyEvent, type WebhookFacts } from '../webhooks/webhooks.decider.ts';
import type { PreferencesCommand } from '../preferences/commands.ts';
import type { ReservationCommand, ReservationFacts } from '../reservation/commands.ts';

/** One command with what it is told of other entities. */
export type Attempt<Command, Facts> = readonly [command: Command, facts: Facts];

const id = fc.constantFrom('a', 'b', 'c');
const name = fc.oneof(
  { arbitrary: fc.constantFrom('Весна', 'Лето', ' Анна '), weight: 6 },
  { arbitrary: fc.string({ maxLength: 130 }), weight: 2 },
  { arbitrary: fc.constantFrom('', ' ', 'x'.repeat(121)), weight: 1 },
);
const amount = fc
  .oneof(
    { arbitrary: fc.integer({ min: 0, max: maxKopecks }), weight: 6 },
    { arbitrary: fc.constantFrom(-1, maxKopecks + 1), weight: 1 },
  )
  .map(kopecks);
// JSON does not know a negative zero.
const rate = fc.oneof(
  { arbitrary: fc.nat(100), weight: 4 },
  { arbitrary: fc.double({ min: 0.5, max: 100, noNaN: true }), weight: 2 },
  { arbitrary: fc.constantFrom(-1, 101, Number.NaN), weight: 1 },
);
const day = fc.constantFrom('2030-01-01', '2030-02-28');
const instant = fc.constantFrom(
  '2030-01-01T00:00:00.000Z',
  '2030-01-01T00:00:59.000Z',
  '2030-01-01T00:09:00.000Z',
  '2031-01-01T00:00:00.000Z',
  'never',
);
const nullable = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { nil: null });
const some: { requiredKeys: [] } = { requiredKeys: [] };
const type = <Type extends string>(value: Type): fc.Arbitrary<Type> => fc.constant(value);

const paymentStatus = fc.constantFrom('paid' as const, 'unpaid' as const);
const placementMembers = {
  contractorId: id,
  buyerId: id,
  category: name,
  date: day,
  format: fc.constantFrom('1/24', '1/∞'),
  price: amount,
  creativeId: fc.constantFrom('NO_CREATIVE', 'a', 'b'),
};
const placementNames = Object.keys(placementMembers) as (keyof typeof placementMembers)[];
const placementTexts = {
  comment: fc.constantFrom('', 'Реклама в 18:00', 'Первая строка\nвторая строка'),
  postUrl: nullable(fc.constantFrom('https://t.me/some/1', 'https://t.me/c/1/2')),
};
const placement: fc.Arbitrary<Attempt<PlacementCommand, PlacementFacts>> = fc.tuple(
  fc.oneof(
    fc.record(
      { type: type('AddPlacement'), campaignId: id, paymentStatus, ...placementMembers, ...placementTexts },
      { requiredKeys: ['type', 'campaignId', 'paymentStatus', ...placementNames] },
    ),
    fc.record({
      type: type('ChangePlacement'),
      changes: fc.record(
        {
          ...placementMembers,
          ...placementTexts,
          leads: fc.nat(1000),
          status: fc.constantFrom('PENDING' as const, 'DONE' as const),
        },
        some,
      ),
    }),
    fc.record({ type: type('SetPayment'), paymentStatus: fc.oneof(paymentStatus, type('toggle')) }),
    fc.record({ type: type('RemovePlacement') }),
    fc.record({ type: type('RestorePlacement') }),
  ),
  fc.record({
    campaign: fc.option(
      fc.record({ status: fc.constantFrom('ACTIVE' as const, 'COMPLETED' as const), deleted: fc.constant(false) }),
      { freq: 20, nil: null },
    ),
    buyer: fc.option(fc.record({ role: type('MEDIA_BUYER'), isActive: fc.constant(true) }), { freq: 20, nil: null }),
    creative: nullable(fc.record({ isActive: fc.boolean() })),
  }),
);

const contact = fc.constantFrom(
  { nick: '', adminUsername: '@' },
  { nick: 'some', adminUsername: '@Some' },
  { nick: 'some', adminUsername: '@some' },
  { nick: 'other', adminUsername: '@other' },
);
const verdict = fc.record({
  list: fc.constantFrom('white' as const, 'black' as const),
  reason: fc.constantFrom('Не вернул предоплату', ' Быстро отвечает ', '', 'x'.repeat(201)),
});
const contractor: fc.Arbitrary<Attempt<ContractorCommand, ContractorFacts>> = fc.tuple(
  fc.oneof(
    contact.chain(({ nick, adminUsername }) =>
      fc.record({
        type: type('CreateContractor'),
        nick: fc.constant(nick),
        adminUsername: fc.constant(adminUsername),
        channelName: name,
        category: name,
        automatic: fc.boolean(),
      }),
    ),
    fc.record({
      type: type('ChangeContractor'),
      changes: fc.record(
        { contact, channelName: name, category: name, isActive: fc.boolean(), verdict: nullable(verdict) },
        some,
      ),
    }),
    fc.record({ type: type('AddNote'), noteId: id, note: name, authorName: name }),
    fc.record({ type: type('RemoveNote'), noteId: id }),
    fc.record({ type: type('MergeContractor'), contractorId: fc.constant('b'), intoId: id }),
    fc.record({
      type: type('ReceiveContractor'),
      contractorId: id,
      nicks: fc.constantFrom(['other'], ['third', 'some']),
      notes: fc.uniqueArray(
        fc.record({
          id,
          revision: fc.constant(1),
          note: fc.constant('быстро'),
          authorId: fc.constantFrom('anna', 'boris'),
          authorName: fc.constant('Анна'),
          createdAt: instant,
        }),
        { selector: (note) => note.id, maxLength: 2 },
      ),
    }),
    fc.record({ type: type('SeparateContractor') }),
    fc.record({ type: type('ReturnContractor'), contractorId: id, noteIds: fc.uniqueArray(id) }),
  ),
  fc.record({
    actor: fc.record({ id: fc.constantFrom('anna', 'boris'), role: fc.constantFrom('CEO', 'ANALYTIC') }),
    into: fc.constantFrom(
      null,
      { isActive: true },
      { isActive: true },
      { isActive: false },
      { isActive: true, mergedInto: 'c' },
    ),
  }),
);

const participant = fc.record({
  userId: id,
  budget: amount,
  salaryType: nullable(name),
  salaryRate: nullable(rate),
  cplThreshold: nullable(amount),
});
const campaignStatus = fc.constantFrom('DRAFT' as const, 'ACTIVE' as const, 'COMPLETED' as const);
const campaignMembers = {
  name,
  channelId: id,
  totalBudget: amount,
  startDate: nullable(day),
  endDate: nullable(day),
};
const campaign: fc.Arbitrary<Attempt<CampaignCommand, CampaignFacts>> = fc.tuple(
  fc.oneof(
    fc.record({
      type: type('CreateCampaign'),
      ...campaignMembers,
      status: campaignStatus,
      participants: fc.array(participant, { maxLength: 3 }),
    }),
    fc.record({
      type: type('ChangeCampaign'),
      changes: fc.record(
        {
          ...campaignMembers,
          status: campaignStatus,
          participants: fc.record({ set: fc.array(participant, { maxLength: 3 }), remove: fc.array(id) }),
        },
        some,
      ),
    }),
    fc.record({
      type: fc.constantFrom(
        'CompleteCampaign' as const,
        'ReopenCampaign' as const,
        'DeleteCampaign' as const,
        'RestoreCampaign' as const,
      ),
    }),
  ),
  fc.record({
    channel: fc.option(fc.record({ deleted: fc.boolean() }), { freq: 20, nil: null }),
    knownPeople: fc.constantFrom(['a', 'b', 'c'], ['a']),
  }),
);

const channel: fc.Arbitrary<Attempt<ChannelCommand, ChannelFacts>> = fc.tuple(
  fc.oneof(
    fc.record({ type: type('CreateChannel'), name, avatar: nullable(name) }),
    fc.record({ type: type('ChangeChannel'), changes: fc.record({ name, avatar: nullable(name) }, some) }),
    fc.record({ type: fc.constantFrom('DeleteChannel' as const, 'RestoreChannel' as const) }),
    fc.record({ type: fc.constantFrom('AttachCampaign' as const, 'DetachCampaign' as const), campaignId: id }),
  ),
  fc.record({ campaignNames: fc.array(name, { maxLength: 2 }) }),
);

const creativeType = fc.constantFrom('TEXT_ONLY' as const, 'TEXT_WITH_IMAGE' as const, 'TEXT_WITH_VIDEO' as const);
const creative: fc.Arbitrary<Attempt<CreativeCommand, CreativeFacts>> = fc.tuple(
  fc.oneof(
    fc.record({ type: type('CreateCreative'), name, abbreviation: name, creativeType, notes: name }),
    fc.record({
      type: type('ChangeCreative'),
      changes: fc.record({ name, abbreviation: name, type: creativeType, notes: name, isActive: fc.boolean() }, some),
    }),
    fc.record({ type: type('DeactivateCreative') }),
  ),
  fc.constant({}),
);

const authCode = fc.constantFrom('ABCDEFGH2345', 'wxyz', 'BCDE', 'CDEF', ' a ');
const permissionKey = fc.constantFrom('dashboard', 'reports', 'settings');
const employeeMembers = {
  name,
  email: fc.constantFrom('anna@example.org', 'b@example.org', 'c@example.org', 'handle'),
  role: fc.constantFrom('CEO' as const, 'CBDO' as const, 'MEDIA_BUYER' as const),
  salaryType: nullable(fc.constantFrom('budget' as const, 'performance' as const)),
  salaryRate: nullable(rate),
  performanceThreshold: nullable(amount),
};
const employee: fc.Arbitrary<Attempt<EmployeeCommand, EmployeeFacts>> = fc.tuple(
  fc.oneof(
    fc.record({
      type: type('CreateEmployee'),
      ...employeeMembers,
      authCode,
      permissions: nullable(fc.dictionary(permissionKey, fc.boolean())),
      isOwner: fc.boolean(),
    }),
    fc.record({
      type: type('ChangeEmployee'),
      changes: fc.record(
        {
          ...employeeMembers,
          permissions: fc.dictionary(permissionKey, nullable(fc.boolean())),
          isActive: fc.boolean(),
        },
        some,
      ),
      freshAuthCode: authCode,
    }),
    fc.record({ type: type('ReissueCode'), authCode }),
    fc.record({
      type: fc.constantFrom(
        'DeactivateEmployee' as const,
        'RecordTemporaryPassword' as const,
        'RecordPasswordChange' as const,
      ),
    }),
  ),
  fc.record({ isSelf: fc.boolean(), otherActiveCeos: fc.nat(1) }),
);

const licence: fc.Arbitrary<Attempt<LicenceCommand, LicenceFacts>> = fc.tuple(
  fc.oneof(
    {
      arbitrary: fc.record({
        type: type('IssueLicence'),
        licenseKey: fc.constantFrom('LICENSE-AB12-CD34-EF56-GH78', 'LICENSE-AB12-CD34-EF56-GH78', 'KEY'),
        teamName: name,
        ownerName: name,
        ownerEmail: name,
        ownerTelegram: name,
        expiresAt: instant,
        features: fc.subarray(['analytics', 'reports']),
        maxConcurrentSessions: fc.integer({ min: 0, max: 20 }),
      }),
      weight: 3,
    },
    fc.record({ type: type('ActivateLicence'), ownerId: id, ceoLoginCode: authCode }),
    fc.record({ type: type('RenewLicence'), expiresAt: instant }),
    fc.record({ type: type('SuspendLicence'), reason: name }),
    fc.record({ type: type('ResumeLicence') }),
    fc.record({ type: type('RequestRenewal') }),
    {
      arbitrary: fc.record({ type: type('CloseLicence'), reason: name, now: fc.constant('2030-01-01T00:00:00.000Z') }),
      weight: 3,
    },
    fc.record({ type: type('KeepLicence'), now: instant }),
    {
      arbitrary: fc.record({
        type: type('AdvanceClosing'),
        closing: fc.constantFrom(1, 1, 1, 2, 3),
        step: fc.constantFrom<ClosingStep[]>('closing-notice-1', 'closed', 'closed'),
        now: fc.constantFrom('2030-01-01T00:00:59.000Z', '2031-02-01T00:00:00.000Z', '2031-02-01T00:00:00.000Z'),
      }),
      weight: 6,
    },
    {
      arbitrary: fc.record({
        type: type('AdvanceTerm'),
        term: fc.constantFrom(0, 0, 0, 1),
        step: fc.constantFrom<TermStep[]>('notice-30', 'notice-7', 'notice-1', 'grace', 'grace', 'expiry', 'expiry'),
        now: fc.constantFrom('2030-01-01T00:00:59.000Z', '2031-02-01T00:00:00.000Z', '2031-02-01T00:00:00.000Z'),
      }),
      weight: 8,
    },
    fc.record({
      type: type('ChangeLicenceSettings'),
      changes: fc.record(
        {
          buyersEditAll: fc.boolean(),
          earningsVisible: fc.boolean(),
          codeOnlyLogin: fc.boolean(),
          secondFactorForAll: fc.boolean(),
          changeGivenPasswords: fc.boolean(),
          countZeroLeads: fc.boolean(),
          leadValue: amount,
        },
        some,
      ),
    }),
  ),
  fc.constant({}),
);

const activation: fc.Arbitrary<Attempt<ActivationCommand, ActivationFacts>> = fc.tuple(
  fc.oneof(
    fc.record({
      type: type('IssueActivationCode'),
      by: fc.constantFrom('admin' as const, 'owner' as const),
      validUntil: instant,
    }),
    fc.record({ type: fc.constantFrom('AcceptActivationCode' as const, 'CompleteActivation' as const) }),
  ),
  fc.record({ now: instant }),
);

const reservation: fc.Arbitrary<Attempt<ReservationCommand, ReservationFacts>> = fc.tuple(
  fc.record({
    type: fc.constantFrom('ClaimValue' as const, 'ReleaseValue' as const),
    holder: fc.record({ licenceId: id, id }),
  }),
  fc.record({ holderIsDead: fc.boolean() }),
);

const preferences: fc.Arbitrary<Attempt<PreferencesCommand, object>> = fc.tuple(
  fc.record({ type: type('ReadNotifications'), upTo: fc.nat(90), head: fc.constantFrom(60, 80) }),
  fc.constant({}),
);

const viewQuery = fc.constantFrom('sort=date', 'payment=unpaid&sort=-date', 'sort=date&group=week');

const views: fc.Arbitrary<Attempt<SavedViewCommand, object>> = fc.tuple(
  fc.oneof(
    fc.record({ type: type('SaveView'), viewId: id, name, query: viewQuery }),
    fc.record({ type: type('ChangeView'), viewId: id, changes: fc.record({ name, query: viewQuery }, some) }),
    fc.record({ type: type('DeleteView'), viewId: id }),
  ),
  fc.constant({}),
);

const keys: fc.Arbitrary<Attempt<KeyCommand, object>> = fc.tuple(
  fc.oneof(
    fc.record({
      type: type('CreateKey'),
      keyId: id,
      name,
      access: fc.constantFrom('read' as const, 'write' as const),
      expiresAt: nullable(instant),
      now: instant,
    }),
    fc.record({ type: type('DeleteKey'), keyId: id }),
  ),
  fc.constant({}),
);

const webhookMembers = {
  webhookId: id,
  host: fc.constantFrom('example.org', 'example.com:8443'),
  events: fc.constantFrom([everyEvent], ['ChannelCreated', 'PlacementAdded'], ['Unknown'], []),
  campaignId: nullable(id),
};

const webhooks: fc.Arbitrary<Attempt<WebhookCommand, WebhookFacts>> = fc.tuple(
  fc.oneof(
    fc.record({ type: type('CreateWebhook'), ...webhookMembers }),
    fc.record({
      type: type('ChangeWebhook'),
      ...webhookMembers,
      isSameAddress: fc.boolean(),
      status: fc.constantFrom('active' as const, 'paused' as const),
    }),
    fc.record({
      type: type('FailWebhook'),
      webhookId: id,
      reason: fc.constantFrom('unanswered' as const, 'rights' as const),
    }),
    fc.record({ type: type('ReplayWebhook'), webhookId: id, after: fc.nat(90) }),
    fc.record({ type: type('ResendDelivery'), webhookId: id, position: fc.nat(90) }),
    fc.record({ type: type('DeleteWebhook'), webhookId: id }),
  ),
  fc.record({ isEventType: fc.constant((event: string) => event !== 'Unknown'), hasCampaign: fc.boolean() }),
);

/** Commands on few ids, right and wrong, with facts that mostly let them pass. */
export const attempts = {
  placement,
  contractor,
  campaign,
  channel,
  creative,
  employee,
  licence,
  activation,
  reservation,
  preferences,
  views,
  keys,
  webhooks,
};
