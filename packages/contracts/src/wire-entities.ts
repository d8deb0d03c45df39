import { channelSizes } from '@zakup/domain/analytics/channel-size';
import { z } from 'zod';
import { positionSchema } from './position.ts';
import type { ImportWire } from './imports.ts';
import type { NotificationWire } from './notifications.ts';
import { revisionSchema } from './position.ts';

/** Entities as every reply and every socket `doc` carries them. Money is roubles with at most two decimals; instants are UTC ISO 8601. */

const entity = { id: z.string(), revision: revisionSchema, createdAt: z.string(), updatedAt: z.string() };
const role = z.enum(['CEO', 'CBDO', 'TEAM_LEAD', 'MEDIA_BUYER', 'ANALYTIC']);
const salaryType = z.enum(['budget', 'performance', 'percentage']);

export const placementSchema = z.object({
  ...entity,
  campaignId: z.string(),
  buyerId: z.string(),
  contractorId: z.string(),
  /** A creative's id, or `NO_CREATIVE`. */
  creativeId: z.string(),
  category: z.string(),
  format: z.string(),
  price: z.number(),
  leads: z.number().int(),
  /** price / leads, two decimals; 0 without leads. */
  costPerLead: z.number(),
  date: z.string(),
  paymentStatus: z.string(),
  status: z.string(),
  /** Empty when there is none. */
  comment: z.string(),
  /** An `https://t.me/…` address. */
  postUrl: z.string().nullable(),
});
export type PlacementWire = z.infer<typeof placementSchema>;

/** Sums of all placements that a table is narrowed to, in roubles; `costPerLead` is 0 without leads. */
export const placementTotalsSchema = z.object({
  price: z.number(),
  leads: z.number().int(),
  count: z.number().int(),
  costPerLead: z.number(),
  paid: z.number(),
  unpaid: z.number(),
});
export type PlacementTotalsWire = z.infer<typeof placementTotalsSchema>;

export const channelSchema = z.object({ ...entity, name: z.string(), avatar: z.string().nullable() });
export type ChannelWire = z.infer<typeof channelSchema>;

export const participantSchema = z.object({
  userId: z.string(),
  budget: z.number(),
  /** Absent terms = the person's own. */
  salaryType: z.string().nullable(),
  salaryRate: z.number().nullable(),
  cplThreshold: z.number().nullable(),
});
export const campaignSchema = z.object({
  ...entity,
  name: z.string(),
  channelId: z.string(),
  totalBudget: z.number(),
  /** Echo of `totalBudget`. */
  budget: z.number(),
  status: z.enum(['DRAFT', 'ACTIVE', 'COMPLETED']),
  startDate: z.string().nullable(),
  endDate: z.string().nullable(),
  participants: z.array(participantSchema),
  /** By whom (a user's id) and when it was completed; `null` unless it is COMPLETED. Absent while it is not yet folded. */
  completion: z.object({ at: z.string(), by: z.string() }).nullable().optional(),
});
export type CampaignWire = z.infer<typeof campaignSchema>;

const line = {
  spent: z.number(),
  leads: z.number().int(),
  placements: z.number().int(),
  averageCostPerLead: z.number(),
};

const channelSize = z.enum(channelSizes);

export const creativeSchema = z.object({
  ...entity,
  name: z.string(),
  abbreviation: z.string(),
  type: z.enum(['TEXT_ONLY', 'TEXT_WITH_IMAGE', 'TEXT_WITH_VIDEO']),
  notes: z.string(),
  isActive: z.boolean(),
  /** What it brought in campaigns that are not deleted; `sizes` from the largest down. Absent in replies to changes, and while it is not yet folded. */
  results: z
    .object({ ...line, efficiency: z.string(), sizes: z.array(z.object({ size: channelSize, ...line })) })
    .optional(),
});
export type CreativeWire = z.infer<typeof creativeSchema>;

export const noteSchema = z.object({
  id: z.string(),
  /** Revision of the contractor's stream at which the note was added. */
  revision: revisionSchema,
  contractorId: z.string(),
  note: z.string(),
  authorId: z.string(),
  authorName: z.string(),
  createdAt: z.string(),
});
export type NoteWire = z.infer<typeof noteSchema>;

export const contractorSchema = z.object({
  ...entity,
  /** `@` + the nick as first spelled. */
  adminUsername: z.string(),
  /** By which it is found too, with `@`: the nicks of whoever was merged into it; absent = there are none. */
  otherUsernames: z.array(z.string()).exactOptional(),
  channelName: z.string(),
  category: z.string(),
  isActive: z.boolean(),
  /** True while made on the fly by a placement and not edited since. */
  automatic: z.boolean(),
  /** On which list of the licence it stands, and why; absent = on none. */
  verdict: z.object({ list: z.enum(['white', 'black']), reason: z.string() }).exactOptional(),
  totalSpent: z.number(),
  totalLeads: z.number().int(),
  totalPlacements: z.number().int(),
  averageCostPerLead: z.number(),
  averagePlacementPrice: z.number(),
  firstUsed: z.string().nullable(),
  lastUsed: z.string().nullable(),
  /** Latest note's text; empty when there is none. */
  notes: z.string(),
  notesHistory: z.array(noteSchema),
});
export type ContractorWire = z.infer<typeof contractorSchema>;

export const permissionsSchema = z.record(z.string(), z.boolean());

/** What everyone with `dashboard` may see of a person. */
export const userSchema = z.object({
  id: z.string(),
  revision: revisionSchema,
  name: z.string(),
  role,
  isActive: z.boolean(),
});
export type UserWire = z.infer<typeof userSchema>;

/** What `settings` opens, and what a person sees of themselves. */
export const personSchema = z.object({
  ...entity,
  name: z.string(),
  email: z.string(),
  role,
  authCode: z.string(),
  isActive: z.boolean(),
  /** Own permissions object; null = the role's. */
  permissions: permissionsSchema.nullable(),
  licenseId: z.string(),
  salaryType: salaryType.nullable(),
  salaryRate: z.number().nullable(),
  performanceThreshold: z.number().nullable(),
  /** True for the one who activated the licence. */
  isOwner: z.boolean(),
});
export type PersonWire = z.infer<typeof personSchema>;

export const licenceSettingsSchema = z.object({
  buyersEditAll: z.boolean(),
  earningsVisible: z.boolean(),
  codeOnlyLogin: z.boolean(),
  secondFactorForAll: z.boolean(),
  changeGivenPasswords: z.boolean(),
  countZeroLeads: z.boolean(),
  /** Roubles a lead is worth in ROI. */
  leadValue: z.number(),
});
export const licenseSchema = z.object({
  ...entity,
  /** Masked to its last group unless asked for by the owner or shown in the admin realm. */
  licenseKey: z.string(),
  teamName: z.string(),
  ownerName: z.string(),
  /** Whom to ask about the licence: everybody in it sees it. */
  ownerEmail: z.string(),
  /** Empty unless the owner asked for the whole key, or in the admin realm; who may see people's data finds it as the owner's e-mail. */
  ownerTelegram: z.string(),
  expiresAt: z.string(),
  isActive: z.boolean(),
  features: z.array(z.string()),
  status: z.enum(['active', 'expired', 'grace_period', 'suspended']),
  activated: z.boolean(),
  maxConcurrentSessions: z.number().int(),
  /** The present term's grace period has begun. */
  gracePeriodUsed: z.boolean(),
  /** Its end; null while it has not begun. */
  gracePeriodExpiresAt: z.string().nullable(),
  /** When the owner asked for a renewal; null = none is open. */
  renewalRequestedAt: z.string().nullable(),
  /** When access ends, or ended, by the owner's word; null = it does not. From then on the status is `expired`, or `suspended` before all. */
  closesAt: z.string().nullable(),
  /** Only for the owner and the activation reply; null elsewhere. */
  ceoLoginCode: z.string().nullable(),
  settings: licenceSettingsSchema,
});
export type LicenseWire = z.infer<typeof licenseSchema>;

/** A licence in the admin realm: whole, never a tenant's data. */
export const adminLicenseSchema = licenseSchema.extend({
  /** Null while it is not suspended. */
  suspension: z.object({ reason: z.string(), at: z.string() }).nullable(),
  /** By the owner, who may have said why; null while nothing was said or it was taken back. */
  closing: z.object({ requestedAt: z.string(), closesAt: z.string(), reason: z.string() }).nullable(),
  /** A code that the owner asked for and nobody delivered; null = none is open. */
  pendingCode: z.object({ code: z.string(), expiresAt: z.string() }).nullable(),
});
export type AdminLicenseWire = z.infer<typeof adminLicenseSchema>;

export const analyticsSchema = z.object({
  /** The campaign's id. */
  id: z.string(),
  summary: z.object({
    totalBudget: z.number(),
    spentBudget: z.number(),
    remainingBudget: z.number(),
    averageCostPerLead: z.number(),
    totalLeads: z.number().int(),
    totalPlacements: z.number().int(),
    paidBudget: z.number(),
    unpaidBudget: z.number(),
  }),
  byBuyer: z.array(z.object({ buyerId: z.string(), ...line })),
  byCreative: z.array(z.object({ creativeId: z.string(), ...line })),
  byContractor: z.array(z.object({ contractorId: z.string(), ...line })),
  byDay: z.array(z.object({ date: z.string(), ...line })),
});
export type AnalyticsWire = z.infer<typeof analyticsSchema>;

const earningsLine = {
  placementId: z.string(),
  price: z.number(),
  leads: z.number().int(),
  costPerLead: z.number(),
};
export const earningsSchema = z.object({
  /** `<campaign>:<user>`. */
  id: z.string(),
  campaignId: z.string(),
  userId: z.string(),
  terms: z.object({
    salaryType: z.string().nullable(),
    salaryRate: z.number(),
    cplThreshold: z.number(),
    source: z.enum(['participant', 'user', 'none']),
  }),
  budget: z.number(),
  spent: z.number(),
  earnings: z.number(),
  counted: z.array(z.object({ ...earningsLine, amount: z.number() })),
  leftOut: z.array(z.object({ ...earningsLine, reason: z.string() })),
  zeroLeads: z.object({ count: z.number().int(), price: z.number() }),
});
export type EarningsWire = z.infer<typeof earningsSchema>;

/** A view of a campaign's table under a name. */
export const viewSchema = z.object({
  id: z.string(),
  /** Of the stream in which it is, when it changed last. */
  revision: revisionSchema,
  createdAt: z.string(),
  updatedAt: z.string(),
  name: z.string(),
  /** As the address of the table says it, without the page. */
  query: z.string(),
  /** True for one of the team. */
  shared: z.boolean(),
  authorId: z.string(),
});
export type ViewWire = z.infer<typeof viewSchema>;

/** Kinds of documents on the socket, with the type of their `doc`. */
export interface DocByKind {
  license: LicenseWire;
  user: UserWire;
  person: PersonWire;
  channel: ChannelWire;
  campaign: CampaignWire;
  creative: CreativeWire;
  contractor: ContractorWire;
  note: NoteWire;
  placement: PlacementWire;
  analytics: AnalyticsWire;
  earnings: EarningsWire;
  session: SessionWire;
  notification: NotificationWire;
  import: ImportWire;
  view: ViewWire;
}
export type DocKind = keyof DocByKind;

export const sessionSchema = z.object({
  id: z.string(),
  createdAt: z.string(),
  lastSeenAt: z.string(),
  expiresAt: z.string(),
  userAgent: z.string(),
  current: z.boolean(),
});
export type SessionWire = z.infer<typeof sessionSchema>;

/** A key with which a program acts for the owner. */
export const keySchema = z.object({
  id: z.string(),
  name: z.string(),
  access: z.enum(['read', 'write']),
  /** The first characters of its secret. */
  prefix: z.string(),
  /** UTC instants, ISO 8601. */
  createdAt: z.string(),
  /** Null = never. */
  expiresAt: z.string().nullable(),
  /** By the minute; null = not used yet. */
  lastUsedAt: z.string().nullable(),
});
export type KeyWire = z.infer<typeof keySchema>;

/** One try to deliver something. */
export const deliveryTrySchema = z.object({
  /** UTC instant, ISO 8601. */
  at: z.string(),
  /** Of the answer; null = there was none. */
  status: z.number().int().nullable(),
  /** Milliseconds that it took. */
  ms: z.number().int(),
  /** Why there was no answer that counts; null = there was one. */
  error: z.string().nullable(),
});
export type DeliveryTryWire = z.infer<typeof deliveryTrySchema>;

/** What a webhook was told, or is to be told, of one event. */
export const deliverySchema = z.object({
  /** Of the event. */
  position: positionSchema,
  /** Of the delivery, the same at every try. */
  id: z.string(),
  /** Of the event. */
  type: z.string(),
  /** The latest 20, oldest first. */
  tries: z.array(deliveryTrySchema),
  /** When it is tried again; null = it is done, or given up. */
  next: z.string().nullable(),
});
export type DeliveryWire = z.infer<typeof deliverySchema>;

/** An address that is told of events. */
export const webhookSchema = z.object({
  id: z.string(),
  url: z.string(),
  /** Types of the event catalogue, or `*` for all of them. */
  events: z.array(z.string()),
  /** Null = the whole licence. */
  campaignId: z.string().nullable(),
  /** `failing`: nothing is told until it is switched on again. */
  status: z.enum(['active', 'paused', 'failing']),
  /** What lies behind it in the log is still to be looked at. */
  position: positionSchema,
  /** The latest try; null = there was none. */
  lastDelivery: deliveryTrySchema.extend({ position: positionSchema, type: z.string() }).nullable(),
});
export type WebhookWire = z.infer<typeof webhookSchema>;
