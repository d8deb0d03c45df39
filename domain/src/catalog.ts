import { z } from 'zod';
import type { AccessEvent } from './access/events.ts';
import type { ActivationEvent } from './activation/events.ts';
import type { CampaignEvent } from './campaign/events.ts';
import type { ChannelEvent } from './channel/events.ts';
import type { ContractorEvent } from './contractor/events.ts';
import type { CreativeEvent } from './creative/events.ts';
import type { EmployeeEvent } from './employee/events.ts';
import type { ImportEvent, ImportLaneEvent, StoredReport } from './import/events.ts';
import type { KeyEvent } from './keys/events.ts';
import type { WebhookEvent } from './webhooks/events.ts';
import type { LicenceEvent } from './licence/events.ts';
import type { Kopecks } from './money.ts';
import type { PlacementEvent } from './placement/events.ts';
import type { PreferencesEvent } from './preferences/events.ts';
import type { SavedViewEvent } from './views/events.ts';
import type { ReservationCategory, ReservationEvent } from './reservation/events.ts';

/** Every event of each kind of stream. */
export interface EventByCategory extends Record<ReservationCategory, ReservationEvent> {
  placement: PlacementEvent;
  contractor: ContractorEvent;
  campaign: CampaignEvent;
  channel: ChannelEvent;
  creative: CreativeEvent;
  employee: EmployeeEvent;
  licence: LicenceEvent;
  activation: ActivationEvent;
  access: AccessEvent;
  keys: KeyEvent;
  webhooks: WebhookEvent;
  preferences: PreferencesEvent;
  views: SavedViewEvent;
  import: ImportEvent;
  importlane: ImportLaneEvent;
}

/** First part of a stream's name. */
export type Category = keyof EventByCategory;
export type AnyEvent = EventByCategory[Category];
export type EventType = AnyEvent['type'];
export type EventOf<Type extends EventType> = Extract<AnyEvent, { readonly type: Type }>;

export interface CatalogEntry<Event extends AnyEvent> {
  /** Streams in which the event occurs. */
  readonly categories: readonly Category[];
  /** The version that is written now. */
  readonly version: number;
  /** Data of that version; members it does not know are refused. */
  readonly schema: z.ZodType<Event['data']>;
  /** Members that tell of a person, so that they can be erased. */
  readonly personal: readonly string[];
  /** Members that open something to whoever has them: in the log they stand hidden. */
  readonly codes: readonly string[];
  /** A reader that shows entities to people may pass over it: it changes nothing there. */
  readonly ignorable: boolean;
  /** From version n to n + 1, by n; pure. */
  readonly upcasters: Readonly<Record<number, (data: unknown) => unknown>>;
}

const none = z.strictObject({});
const text = z.string();
const wholeNumber = z.int();
const money = z.custom<Kopecks>((value) => Number.isSafeInteger(value), 'a whole number of kopecks');

const paymentStatus = z.enum(['paid', 'unpaid']);
const placementStatus = z.enum(['PENDING', 'PUBLISHED', 'DONE', 'CANCELLED', 'REMOVED_EARLY']);
const creativeType = z.enum(['TEXT_ONLY', 'TEXT_WITH_IMAGE', 'TEXT_WITH_VIDEO']);
const campaignStatus = z.enum(['DRAFT', 'ACTIVE', 'COMPLETED']);
const participant = z.strictObject({
  userId: text,
  budget: money,
  salaryType: text.nullable(),
  salaryRate: z.number().nullable(),
  cplThreshold: money.nullable(),
});
const role = z.enum(['CEO', 'CBDO', 'TEAM_LEAD', 'MEDIA_BUYER', 'ANALYTIC']);
const terms = {
  salaryType: z.enum(['budget', 'performance', 'percentage']).nullable(),
  salaryRate: z.number().nullable(),
  performanceThreshold: money.nullable(),
};
const takenTogether = {
  since: text,
  until: text,
  count: wholeNumber,
  networks: z.array(text),
  moreNetworks: z.boolean(),
};
const accessDoor = z.enum(['employee', 'owner', 'licence', 'code', 'activation', 'password']);
const accessRefusal = z.enum([
  'wrong_secret',
  'wrong_second_factor',
  'wrong_door',
  'switched_off',
  'too_many_tries',
  'licence_inactive',
  'seats_taken',
]);
const holder = z.strictObject({ licenceId: text, id: text });

const importRow = z.strictObject({
  row: wholeNumber,
  placementId: text.exactOptional(),
  contractor: text.exactOptional(),
  buyerId: text.exactOptional(),
  category: text.exactOptional(),
  date: text.exactOptional(),
  format: text.exactOptional(),
  price: money.exactOptional(),
  leads: wholeNumber.exactOptional(),
  creativeId: text.exactOptional(),
  paymentStatus: paymentStatus.exactOptional(),
  status: placementStatus.exactOptional(),
  comment: text.exactOptional(),
  postUrl: text.exactOptional(),
});
const rowError = z.strictObject({
  row: wholeNumber,
  column: wholeNumber.nullable(),
  field: text.nullable(),
  text,
  detail: text,
});

type Entry<Event extends AnyEvent> = Omit<CatalogEntry<Event>, 'categories'>;

/** An entry of version 1. */
const first = <Event extends AnyEvent>(
  schema: z.ZodType<Event['data']>,
  {
    personal = [],
    codes = [],
    ignorable = false,
  }: {
    readonly personal?: readonly string[];
    readonly codes?: readonly string[];
    readonly ignorable?: boolean;
  } = {},
): Entry<Event> => ({ version: 1, schema, personal, codes, ignorable, upcasters: {} });

type EntriesOf<Event extends AnyEvent> = { readonly [Type in Event['type']]: Entry<EventOf<Type>> };
type CatalogOf<Event extends AnyEvent> = { readonly [Type in Event['type']]: CatalogEntry<EventOf<Type>> };

const inStreams = <Event extends AnyEvent>(
  categories: readonly Category[],
  entries: EntriesOf<Event>,
): CatalogOf<Event> =>
  Object.fromEntries(
    Object.entries<Entry<AnyEvent>>(entries).map(([type, entry]) => [type, { ...entry, categories }]),
  ) as unknown as CatalogOf<Event>;

const namedWebhook = { webhookId: text, host: text };
const toldWebhook = { ...namedWebhook, events: z.array(text), campaignId: text.nullable() };

/** The one list of event types; one that is missing does not compile. */
export const catalog: CatalogOf<AnyEvent> = {
  ...inStreams<PlacementEvent>(['placement'], {
    PlacementAdded: first(
      z.strictObject({
        campaignId: text,
        buyerId: text,
        contractorId: text,
        creativeId: text,
        category: text,
        format: text,
        price: money,
        date: text,
        paymentStatus,
        comment: text.exactOptional(),
        postUrl: text.exactOptional(),
      }),
    ),
    PlacementDateChanged: first(z.strictObject({ date: text })),
    PlacementContractorChanged: first(z.strictObject({ contractorId: text })),
    PlacementPriceChanged: first(z.strictObject({ price: money })),
    PlacementLeadsRecorded: first(z.strictObject({ leads: wholeNumber })),
    PlacementCreativeChanged: first(z.strictObject({ creativeId: text })),
    PlacementCategoryChanged: first(z.strictObject({ category: text })),
    PlacementFormatChanged: first(z.strictObject({ format: text })),
    PlacementBuyerChanged: first(z.strictObject({ buyerId: text })),
    PlacementStatusChanged: first(z.strictObject({ status: placementStatus })),
    PlacementCommentChanged: first(z.strictObject({ comment: text })),
    PlacementPostUrlChanged: first(z.strictObject({ postUrl: text.nullable() })),
    PlacementMarkedPaid: first(none),
    PlacementMarkedUnpaid: first(none),
    PlacementRemoved: first(none),
    PlacementRestored: first(none),
  }),
  ...inStreams<PreferencesEvent>(['preferences'], {
    NotificationsRead: first(z.strictObject({ upTo: wholeNumber }), { ignorable: true }),
  }),
  ...inStreams<SavedViewEvent>(['views'], {
    ViewSaved: first(
      z.strictObject({
        viewId: text,
        name: text,
        query: text,
        authorId: text.exactOptional(),
        createdAt: text.exactOptional(),
      }),
      { ignorable: true },
    ),
    ViewRenamed: first(z.strictObject({ viewId: text, name: text }), { ignorable: true }),
    ViewQueryChanged: first(z.strictObject({ viewId: text, query: text }), { ignorable: true }),
    ViewDeleted: first(z.strictObject({ viewId: text }), { ignorable: true }),
  }),
  ...inStreams<ImportEvent>(['import'], {
    ImportStarted: first(
      z.strictObject({
        campaignId: text,
        name: text,
        report: z.custom<StoredReport>((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
        total: wholeNumber,
        skipped: wholeNumber,
        failed: wholeNumber,
        parts: wholeNumber,
        replaces: text.exactOptional(),
      }),
      { ignorable: true },
    ),
    ImportRowsStaged: first(z.strictObject({ rows: z.array(importRow) }), { ignorable: true }),
    ImportRowsWritten: first(
      z.strictObject({
        part: wholeNumber,
        added: wholeNumber,
        changed: wholeNumber,
        skipped: wholeNumber,
        failed: wholeNumber,
        errors: z.array(rowError),
      }),
      { ignorable: true },
    ),
    ImportFinished: first(none, { ignorable: true }),
    ImportFailed: first(z.strictObject({ code: text, failed: wholeNumber }), { ignorable: true }),
    ImportCancelled: first(none, { ignorable: true }),
    ImportUndoStarted: first(
      z.strictObject({
        commandId: text,
        undoes: z.strictObject({ commandId: text, actorId: text }),
        restores: z.boolean(),
        parts: wholeNumber,
        placements: wholeNumber,
        reason: text.exactOptional(),
        onConflict: z.enum(['skip', 'overwrite']).exactOptional(),
      }),
      { ignorable: true },
    ),
    ImportPartUndone: first(z.strictObject({ part: wholeNumber, back: wholeNumber, kept: wholeNumber }), {
      ignorable: true,
    }),
    ImportUndoFailed: first(z.strictObject({ code: text }), { ignorable: true }),
  }),
  ...inStreams<ImportLaneEvent>(['importlane'], {
    ImportLaneTaken: first(z.strictObject({ importId: text, undoing: z.array(text).exactOptional() }), {
      ignorable: true,
    }),
  }),
  ...inStreams<ContractorEvent>(['contractor'], {
    ContractorCreated: first(
      z.strictObject({
        nick: text,
        adminUsername: text,
        channelName: text,
        category: text,
        automatic: z.boolean(),
      }),
      { personal: ['nick', 'adminUsername'] },
    ),
    ContractorRenamed: first(z.strictObject({ nick: text, adminUsername: text }), {
      personal: ['nick', 'adminUsername'],
    }),
    ContractorChannelNameChanged: first(z.strictObject({ channelName: text })),
    ContractorCategoryChanged: first(z.strictObject({ category: text })),
    ContractorDeactivated: first(none),
    ContractorReactivated: first(none),
    ContractorVerdictChanged: first(
      z.strictObject({ verdict: z.strictObject({ list: z.enum(['white', 'black']), reason: text }).nullable() }),
    ),
    ContractorNoteAdded: first(
      z.strictObject({
        noteId: text,
        note: text,
        authorName: text,
        authorId: text.exactOptional(),
        createdAt: text.exactOptional(),
      }),
      { personal: ['authorName'] },
    ),
    ContractorNoteRemoved: first(z.strictObject({ noteId: text })),
    ContractorMerged: first(z.strictObject({ intoId: text })),
    ContractorSeparated: first(z.strictObject({ fromId: text })),
    ContractorReceived: first(z.strictObject({ contractorId: text, nicks: z.array(text) }), { personal: ['nicks'] }),
    ContractorReturned: first(z.strictObject({ contractorId: text })),
  }),
  ...inStreams<CampaignEvent>(['campaign'], {
    CampaignCreated: first(
      z.strictObject({
        name: text,
        channelId: text,
        totalBudget: money,
        status: campaignStatus,
        startDate: text.nullable(),
        endDate: text.nullable(),
        participants: z.array(participant),
      }),
    ),
    CampaignRenamed: first(z.strictObject({ name: text })),
    CampaignMovedToChannel: first(z.strictObject({ channelId: text })),
    CampaignBudgetChanged: first(z.strictObject({ totalBudget: money })),
    CampaignDatesChanged: first(
      z.strictObject({ startDate: text.nullable().exactOptional(), endDate: text.nullable().exactOptional() }),
    ),
    CampaignParticipantSet: first(z.strictObject({ participant })),
    CampaignParticipantRemoved: first(z.strictObject({ userId: text })),
    CampaignActivated: first(none),
    CampaignCompleted: first(none),
    CampaignReopened: first(none),
    CampaignDeleted: first(none),
    CampaignRestored: first(none),
  }),
  ...inStreams<ChannelEvent>(['channel'], {
    ChannelCreated: first(z.strictObject({ name: text, avatar: text.nullable() })),
    ChannelRenamed: first(z.strictObject({ name: text })),
    ChannelAvatarChanged: first(z.strictObject({ avatar: text.nullable() })),
    ChannelDeleted: first(none),
    ChannelRestored: first(none),
    CampaignAttachedToChannel: first(z.strictObject({ campaignId: text })),
    CampaignDetachedFromChannel: first(z.strictObject({ campaignId: text })),
  }),
  ...inStreams<CreativeEvent>(['creative'], {
    CreativeCreated: first(z.strictObject({ name: text, abbreviation: text, type: creativeType, notes: text })),
    CreativeRenamed: first(z.strictObject({ name: text })),
    CreativeAbbreviationChanged: first(z.strictObject({ abbreviation: text })),
    CreativeTypeChanged: first(z.strictObject({ type: creativeType })),
    CreativeNotesChanged: first(z.strictObject({ notes: text })),
    CreativeDeactivated: first(none),
    CreativeReactivated: first(none),
  }),
  ...inStreams<EmployeeEvent>(['employee'], {
    EmployeeCreated: first(
      z.strictObject({
        name: text,
        email: text,
        role,
        authCode: text,
        permissions: z.record(text, z.boolean()).nullable(),
        isOwner: z.boolean(),
        ...terms,
      }),
      { personal: ['name', 'email', 'authCode'], codes: ['authCode'] },
    ),
    EmployeeRenamed: first(z.strictObject({ name: text }), { personal: ['name'] }),
    EmployeeEmailChanged: first(z.strictObject({ email: text }), { personal: ['email'] }),
    EmployeeRoleChanged: first(z.strictObject({ role })),
    EmployeePermissionsChanged: first(z.strictObject({ permissions: z.record(text, z.boolean().nullable()) })),
    EmployeeTermsChanged: first(
      z.strictObject({
        salaryType: terms.salaryType.exactOptional(),
        salaryRate: terms.salaryRate.exactOptional(),
        performanceThreshold: terms.performanceThreshold.exactOptional(),
      }),
    ),
    EmployeeCodeReissued: first(z.strictObject({ authCode: text }), { personal: ['authCode'], codes: ['authCode'] }),
    EmployeeDeactivated: first(none),
    EmployeeReactivated: first(z.strictObject({ authCode: text }), { personal: ['authCode'], codes: ['authCode'] }),
    EmployeeTemporaryPasswordIssued: first(none, { ignorable: true }),
    EmployeePasswordChanged: first(none, { ignorable: true }),
  }),
  ...inStreams<LicenceEvent>(['licence'], {
    LicenceIssued: first(
      z.strictObject({
        licenseKey: text,
        teamName: text,
        ownerName: text,
        ownerEmail: text,
        ownerTelegram: text,
        expiresAt: text,
        features: z.array(text),
        maxConcurrentSessions: wholeNumber,
      }),
      { personal: ['ownerName', 'ownerEmail', 'ownerTelegram'], codes: ['licenseKey'] },
    ),
    LicenceActivated: first(z.strictObject({ ownerId: text, ceoLoginCode: text }), {
      personal: ['ceoLoginCode'],
      codes: ['ceoLoginCode'],
    }),
    LicenceRenewed: first(z.strictObject({ expiresAt: text })),
    LicenceSuspended: first(z.strictObject({ reason: text })),
    LicenceResumed: first(none),
    LicenceGraceStarted: first(z.strictObject({ until: text })),
    LicenceExpired: first(none),
    LicenceExpiryNoticed: first(z.strictObject({ daysBefore: wholeNumber, expiresAt: text })),
    LicenceRenewalRequested: first(none),
    LicenceClosingRequested: first(z.strictObject({ closesAt: text, reason: text })),
    LicenceClosingTakenBack: first(none),
    LicenceClosingNoticed: first(z.strictObject({ daysBefore: wholeNumber, closesAt: text })),
    LicenceClosed: first(none),
    LicenceSettingsChanged: first(
      z.strictObject({
        buyersEditAll: z.boolean().exactOptional(),
        earningsVisible: z.boolean().exactOptional(),
        codeOnlyLogin: z.boolean().exactOptional(),
        secondFactorForAll: z.boolean().exactOptional(),
        changeGivenPasswords: z.boolean().exactOptional(),
        countZeroLeads: z.boolean().exactOptional(),
        leadValue: money.exactOptional(),
      }),
    ),
  }),
  ...inStreams<ActivationEvent>(['activation'], {
    ActivationCodeIssued: first(z.strictObject({ by: z.enum(['admin', 'owner']), validUntil: text }), {
      ignorable: true,
    }),
    ActivationCodeAccepted: first(none, { ignorable: true }),
    ActivationCompleted: first(none, { ignorable: true }),
  }),
  ...inStreams<AccessEvent>(['access'], {
    SignedIn: first(
      z.strictObject({
        sessionId: text,
        door: accessDoor.exclude(['activation', 'password']),
        network: text,
        knownDevice: z.boolean(),
      }),
      { personal: ['network'], ignorable: true },
    ),
    SignInRefused: first(
      z.strictObject({
        since: text,
        until: text,
        count: wholeNumber,
        reasons: z.partialRecord(accessRefusal, wholeNumber),
        doors: z.array(accessDoor),
        networks: z.array(text),
        moreNetworks: z.boolean(),
      }),
      { personal: ['networks'], ignorable: true },
    ),
    SignedOut: first(z.strictObject({ sessionId: text }), { ignorable: true }),
    SessionsEnded: first(
      z.strictObject({ sessionIds: z.array(text), reason: z.enum(['revoked', 'replaced', 'reused']) }),
      { ignorable: true },
    ),
    SecondFactorEnabled: first(z.strictObject({ network: text }), { personal: ['network'], ignorable: true }),
    SecondFactorDisabled: first(z.strictObject({ network: text }), { personal: ['network'], ignorable: true }),
    SecondFactorReset: first(z.strictObject({ network: text }), { personal: ['network'], ignorable: true }),
    RecoveryCodesRenewed: first(z.strictObject({ network: text }), { personal: ['network'], ignorable: true }),
    RecoveryCodeUsed: first(z.strictObject({ network: text, left: wholeNumber }), {
      personal: ['network'],
      ignorable: true,
    }),
    DataTaken: first(
      z.strictObject({
        what: z.enum(['table', 'lines', 'archive', 'history']),
        names: z.array(text),
        moreNames: z.boolean(),
        ...takenTogether,
      }),
      { personal: ['networks'], ignorable: true },
    ),
    LicenceKeyShown: first(z.strictObject(takenTogether), { personal: ['networks'], ignorable: true }),
  }),
  ...inStreams<KeyEvent>(['keys'], {
    KeyCreated: first(
      z.strictObject({ keyId: text, name: text, access: z.enum(['read', 'write']), expiresAt: text.nullable() }),
      { ignorable: true },
    ),
    KeyDeleted: first(z.strictObject({ keyId: text, name: text }), { ignorable: true }),
  }),
  ...inStreams<WebhookEvent>(['webhooks'], {
    WebhookCreated: first(z.strictObject(toldWebhook), { ignorable: true }),
    WebhookChanged: first(z.strictObject({ ...toldWebhook, status: z.enum(['active', 'paused']) }), {
      ignorable: true,
    }),
    WebhookFailed: first(z.strictObject({ ...namedWebhook, reason: z.enum(['unanswered', 'rights']) }), {
      ignorable: true,
    }),
    WebhookReplayed: first(z.strictObject({ ...namedWebhook, after: wholeNumber }), { ignorable: true }),
    WebhookResent: first(z.strictObject({ ...namedWebhook, position: wholeNumber }), { ignorable: true }),
    WebhookDeleted: first(z.strictObject(namedWebhook), { ignorable: true }),
  }),
  ...inStreams<ReservationEvent>(['nick', 'email', 'authcode', 'chosencode', 'licencekey'], {
    ValueClaimed: first(z.strictObject({ holder }), { ignorable: true }),
    ValueReleased: first(z.strictObject({ holder }), { ignorable: true }),
  }),
};

/** An event as a store hands it back. */
export interface StoredEvent {
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: unknown;
}

export type Decoded =
  | { readonly kind: 'event'; readonly event: AnyEvent }
  /** Not in the catalog: written by a newer release, or not ours. */
  | { readonly kind: 'unknown_type' }
  /** Written by a newer release. */
  | { readonly kind: 'newer_version' }
  /** The data is not what its type and version promise. */
  | { readonly kind: 'invalid'; readonly problem: string };

const isEventType = (type: string): type is EventType => Object.hasOwn(catalog, type);

/** What is in the catalog of a type; `null` = nothing. */
export const catalogEntry = (type: string): CatalogEntry<AnyEvent> | null => (isEventType(type) ? catalog[type] : null);

/** Every member that opens something to whoever has it, of whatever event. */
export const codeMembers: ReadonlySet<string> = new Set(
  Object.values<CatalogEntry<AnyEvent>>(catalog).flatMap(({ codes }) => codes),
);

/** A stored event, raised to the version of now and checked. Never throws. */
export const decodeEvent = ({ type, schemaVersion, data }: StoredEvent): Decoded => {
  const entry = catalogEntry(type);
  if (entry === null) return { kind: 'unknown_type' };
  if (schemaVersion > entry.version) return { kind: 'newer_version' };
  if (!Number.isInteger(schemaVersion) || schemaVersion < 1)
    return { kind: 'invalid', problem: `${type} has no version ${schemaVersion}` };
  let raised = data;
  for (let version = schemaVersion; version < entry.version; version += 1) {
    raised = entry.upcasters[version]?.(raised);
  }
  const parsed = entry.schema.safeParse(raised);
  if (!parsed.success) return { kind: 'invalid', problem: `${type}: ${z.prettifyError(parsed.error)}` };
  return { kind: 'event', event: { type, data: parsed.data } as AnyEvent };
};
