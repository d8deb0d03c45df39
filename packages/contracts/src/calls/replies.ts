import { z } from 'zod';
import { importReportSchema, importSchema } from '../imports.ts';
import {
  adminLicenseSchema,
  analyticsSchema,
  campaignSchema,
  channelSchema,
  contractorSchema,
  creativeSchema,
  earningsSchema,
  licenseSchema,
  noteSchema,
  permissionsSchema,
  personSchema,
  placementSchema,
  placementTotalsSchema,
  deliverySchema,
  deliveryTrySchema,
  keySchema,
  webhookSchema,
  sessionSchema,
  userSchema,
} from '../wire-entities.ts';
import { historyEntrySchema } from '../history.ts';
import { positionSchema, revisionSchema } from '../position.ts';
import { problemBodySchema } from '../problems.ts';

/** What replies carry in `data`. Named schemas are the components of the OpenAPI document. */

export const problem = problemBodySchema.meta({ id: 'Problem' });
const placement = placementSchema.meta({ id: 'Placement' });
const channel = channelSchema.meta({ id: 'Channel' });
const campaign = campaignSchema.meta({ id: 'Campaign' });
const creative = creativeSchema.meta({ id: 'Creative' });
const note = noteSchema.meta({ id: 'Note' });
const contractor = contractorSchema.extend({ notesHistory: z.array(note) }).meta({ id: 'Contractor' });
const user = userSchema.meta({ id: 'User' });
const person = personSchema.meta({ id: 'Person' });
const license = licenseSchema.meta({ id: 'License' });
const adminLicense = adminLicenseSchema.meta({ id: 'AdminLicense' });
const earnings = earningsSchema.meta({ id: 'Earnings' });
const historyEntry = historyEntrySchema.meta({ id: 'HistoryEntry' });
const session = sessionSchema.meta({ id: 'Session' });
const key = keySchema.meta({ id: 'Key' });
const webhook = webhookSchema.meta({ id: 'Webhook' });

export const placementData = z.object({ placement });
/** `total` and `totals` are of all pages. */
export const placementsData = z.object({
  placements: z.array(placement),
  total: z.int().min(0),
  totals: placementTotalsSchema,
});
const salaryLine = z.object({
  placementId: z.string(),
  campaignId: z.string(),
  campaignName: z.string(),
  date: z.string(),
  price: z.number(),
  leads: z.int().min(0),
  costPerLead: z.number(),
});
const sum = z.object({ count: z.int().min(0), price: z.number() });
/** Newest first; sums are of all lines, on all pages. */
const salaryRow = z
  .object({
    userId: z.string(),
    name: z.string(),
    role: z.string(),
    isActive: z.boolean(),
    salaryType: z.string().nullable(),
    /** Roubles a lead, below which a placement counts; null to a key, which is told no terms, as are scheme, formula and reasons. */
    threshold: z.number().nullable(),
    salaryReportBonus: z.number(),
    /** How it was calculated, in Russian. */
    formula: z.string(),
    countedTotal: sum,
    leftOutTotal: sum,
    counted: z.array(salaryLine),
    leftOut: z.array(salaryLine.extend({ reason: z.string() })),
  })
  .meta({ id: 'SalaryRow' });
export type SalaryRowWire = z.infer<typeof salaryRow>;
export const salaryData = z.object({ rows: z.array(salaryRow) });
/** The bonus and the earnings are never added. */
export const statementData = z.object({
  salary: salaryRow,
  earnings: z.array(
    earningsSchema
      .pick({ campaignId: true, terms: true, budget: true, spent: true, earnings: true, zeroLeads: true })
      .extend({ campaignName: z.string(), formula: z.string() }),
  ),
});

const explained = {
  figure: z.string(),
  title: z.string(),
  unit: z.enum(['money', 'whole', 'ratio', 'percent']),
  value: z.number(),
  shown: z.string(),
  formula: z.string(),
  terms: z.array(z.object({ name: z.string(), shown: z.string(), source: z.string() })),
};
const lastEvents = {
  /** Newest first. */
  moved: z.array(historyEntry),
  /** False where the history is longer than what was looked through. */
  historyComplete: z.boolean(),
};

/** Where the list goes on, as of the same moment; null = that was all of it, or none of it was asked for. */
const next = z.string().nullable();
/** Of all lines that are there, also of those that are on other pages. */
const lineSums = { price: z.number(), leads: z.int().min(0) };
/** Null where it is not there any more, and what it was is unknown. */
const ofLeftOut = {
  campaignId: z.string().nullable(),
  contractorId: z.string().nullable(),
  buyerId: z.string().nullable(),
  date: z.string().nullable(),
  price: z.number().nullable(),
  leads: z.int().min(0).nullable(),
  costPerLead: z.number().nullable(),
};

/** Where a figure comes from: its calculation in words, what was counted, what was left out and why, and what moved it last. */
export const lineageData = z.object({
  ...explained,
  /** By their days, newest first, as the others are. */
  counted: z.object({
    total: z.int().min(0),
    ...lineSums,
    lines: z.array(
      z.object({
        placementId: z.string(),
        campaignId: z.string(),
        contractorId: z.string(),
        buyerId: z.string(),
        date: z.string(),
        price: z.number(),
        leads: z.int().min(0),
        costPerLead: z.number(),
        /** What it brings, of earnings. */
        amount: z.number().nullable(),
      }),
    ),
    next,
  }),
  /** First those that are there and do not count, then those that were deleted or moved away: these come from the history. */
  leftOut: z.object({
    /** `there` and `gone` together. */
    total: z.int().min(0),
    there: z.int().min(0),
    gone: z.int().min(0),
    ...lineSums,
    lines: z.array(
      z.object({
        placementId: z.string(),
        /** By its contractor. */
        name: z.string().nullable(),
        reason: z.string(),
        /** When it was taken out; null = it is there, and does not count. */
        at: z.string().nullable(),
        ...ofLeftOut,
      }),
    ),
    next,
  }),
  ...lastEvents,
});

export const salaryEventsData = z.object(lastEvents);

const ofLine = { kind: z.enum(['campaign', 'channel']), id: z.string(), name: z.string() };
/** Of all campaigns. */
export const licenceLineageData = z.object({
  ...explained,
  counted: z.object({
    total: z.int().min(0),
    lines: z.array(
      z.object({
        ...ofLine,
        /** Of a campaign. */
        status: z.enum(['DRAFT', 'ACTIVE', 'COMPLETED']).nullable(),
        /** Its budget, roubles. */
        amount: z.number().nullable(),
      }),
    ),
    /** Of all lines, roubles. */
    amount: z.number(),
    next,
  }),
  /** First what is there and does not count, then what was deleted, the last one first. */
  leftOut: z.object({
    total: z.int().min(0),
    lines: z.array(
      z.object({
        ...ofLine,
        reason: z.string(),
        /** When it was deleted; null = it is there. */
        at: z.string().nullable(),
      }),
    ),
    /** Of `total`: those that are there, and those that were deleted. */
    there: z.int().min(0),
    gone: z.int().min(0),
    next,
  }),
  ...lastEvents,
});

/** Best first; what it is, what to show of it, and where it leads: a campaign, and a channel or contractor, where there is one. */
export const searchData = z.object({
  hits: z.array(
    z.object({
      kind: z.enum(['campaign', 'channel', 'contractor', 'creative', 'person', 'placement']),
      id: z.string(),
      title: z.string(),
      subtitle: z.string(),
      campaignId: z.string().nullable(),
      channelId: z.string().nullable(),
      contractorId: z.string().nullable(),
    }),
  ),
});
export type SearchHit = z.infer<typeof searchData>['hits'][number];
export const channelData = z.object({ channel });
export const channelsData = z.object({ channels: z.array(channel) });
export const campaignData = z.object({ campaign });
export const campaignsData = z.object({ campaigns: z.array(campaign) });
export const creativeData = z.object({ creative });
export const creativesData = z.object({ creatives: z.array(creative) });
export const contractorData = z.object({ contractor });
export const contractorsData = z.object({ contractors: z.array(contractor) });
export const noteData = z.object({ note });
export const userData = z.object({ user: person });
/** Whole with `people.read`, else the four public members. */
export const usersData = z.object({ users: z.array(z.union([person, user])) });
/** Null = never. UTC instants, ISO 8601. */
export const peopleActivityData = z.object({
  people: z.array(
    z.object({
      userId: z.string(),
      signedInAt: z.string().nullable(),
      /** The last that is known of them: a sign-in, a change, a request of an open session. */
      activeAt: z.string().nullable(),
    }),
  ),
});
export const licenseData = z.object({ license });
/** `openSessions`: those that count for the licence's `maxConcurrentSessions`; `ownerSessions`: the owner's, counted apart. */
const sessionCounts = { openSessions: z.int().min(0), ownerSessions: z.int().min(0) };
export const ownLicenseData = licenseData.extend(sessionCounts);
export const earningsData = z.object({
  earnings: z.array(earnings),
  /** By the percent on the person's own record: everything spent × it; the terms of the campaign are shown beside it where they differ. */
  statements: z.array(
    z.object({
      userId: z.string(),
      salaryRate: z.number().nullable(),
      amount: z.number(),
      formula: z.string(),
      differs: z.boolean(),
    }),
  ),
});
export const sessionsData = z.object({ sessions: z.array(session) });
/** Oldest first, those that are over too. */
export const keysData = z.object({ keys: z.array(key) });
/** `secret`: told this once, when it is made. */
export const createdKeyData = z.object({ key, secret: z.string().optional() });
/** Oldest first. */
export const webhooksData = z.object({ webhooks: z.array(webhook) });
export const webhookData = z.object({ webhook });
/** `secret`: told this once, when it is made. */
export const createdWebhookData = z.object({ webhook, secret: z.string().optional() });
export const deliveriesData = z.object({
  deliveries: z.array(deliverySchema.meta({ id: 'Delivery' })),
  /** `cursor` of the next page; null = nothing follows. */
  next: z.string().nullable(),
});
/** What came of a message of type `ping`. */
export const webhookTestData = z.object({ delivery: deliveryTrySchema });

/** Newest first; a placement's id is in `placementId`. */
export const contractorCardData = z.object({
  contractor,
  history: z.array(
    placementSchema
      .omit({ id: true })
      .extend({ placementId: z.string(), campaignName: z.string(), channelId: z.string() }),
  ),
  notes: z.array(note),
});

const { byBuyer, byCreative } = analyticsSchema.shape;
const rates = { conversionRate: z.number(), roi: z.number() };
const buyerReport = byBuyer.element.extend(rates);
const efficiency = z.string();
const creativeReport = byCreative.element.extend({ ...rates, efficiency });
export const reportData = analyticsSchema.extend({
  byBuyer: z.array(buyerReport),
  byCreative: z.array(creativeReport),
  topBuyers: z.array(buyerReport).max(3),
  topCreatives: z.array(creativeReport).max(3),
  /** Placements without a creative, which are no card of their own. */
  withoutCreative: z.int().min(0),
  indicators: z.object({
    budgetUsePercent: z.number(),
    leadsPerPlacement: z.number(),
    placementsPerBuyer: z.number(),
    budgetPerCreative: z.number(),
    roi: z.number(),
    conversionRate: z.number(),
  }),
});

const sums = byCreative.element.omit({ creativeId: true });
export const creativeResultsData = z.object({
  creative,
  total: sums.extend({ ...rates, efficiency }),
  /** By the price of a placement, from the largest down. */
  sizes: z.array(sums.extend({ size: z.enum(['large', 'medium', 'small']), label: z.string() })),
  /** Where it was used, by spend. */
  byCampaign: z.array(
    sums.extend({
      campaignId: z.string(),
      campaignName: z.string(),
      channelId: z.string(),
      status: campaignSchema.shape.status,
    }),
  ),
  /** The ten newest by day. */
  lastPlacements: z.array(placementSchema.extend({ campaignName: z.string() })).max(10),
});

/** By `index`; a placement is null when the item deleted it. */
export const batchData = z.object({
  results: z.array(
    z.union([
      z.strictObject({ index: z.int().min(0), ok: z.literal(true), placement: placement.nullable() }),
      z.strictObject({ index: z.int().min(0), ok: z.literal(false), problem }),
    ]),
  ),
});

export const historyData = z.object({ entries: z.array(historyEntry) });
/** Newest first; a page may have fewer entries than were asked for, and more may follow all the same. */
export const auditData = z.object({
  entries: z.array(historyEntry),
  /** Null = nothing follows. */
  nextCursor: z.string().nullable(),
});

const cplClass = z.enum(['good', 'middle', 'bad', 'none']);
/** In outside form; null = there is none: a CPL without leads, a share of no budget. */
const move = { from: z.number().nullable(), to: z.number().nullable() };
/** What the command of an entry moved, directly before its first event and after its own events: only what is not the same. */
export const movesData = z.object({
  /** `scattered`: its events lie too far apart among others' to be told. `unreadable`: this version cannot read the log up to there. */
  outcome: z.enum(['told', 'scattered', 'unreadable']),
  campaigns: z.array(
    z.object({
      id: z.string(),
      /** Of then; null = it had none. */
      name: z.string().nullable(),
      figures: z.array(
        z.object({
          figure: z.enum(['budget', 'spent', 'paid', 'remaining', 'budgetUse', 'placements', 'leads', 'cpl']),
          ...move,
          /** Of a CPL. */
          classes: z.object({ from: cplClass, to: cplClass }).optional(),
        }),
      ),
      /** Earnings only of whom the viewer may see them. */
      people: z.array(
        z.object({ userId: z.string(), name: z.string(), figure: z.enum(['remaining', 'earnings']), ...move }),
      ),
    }),
  ),
  /** Campaigns of the command that nothing is told of, as there are too many. */
  campaignsLeftOut: z.int().min(0),
  /** Others changed the same campaigns between its events: what they moved is not in `to`. */
  othersBetween: z.boolean(),
  /** It changed something that figures of other campaigns may follow from, which are not told. */
  licenceWide: z.boolean(),
});

const event = z.object({ position: z.int().min(0), at: z.string() });
/** Days at UTC+3 on which something was recorded, the first one first; `first` and `last` are positions. */
export const timelineData = z.object({
  days: z.array(z.object({ day: z.string(), count: z.int().min(1), first: z.int().min(0), last: z.int().min(0) })),
  /** The last event up to the moment that was asked for, and those next to it; null = there is none. */
  at: event.nullable(),
  previous: event.nullable(),
  next: event.nullable(),
});

export const undoData = z.object({
  /** The command that was undone. */
  undone: z.uuid(),
  changed: z.array(z.object({ kind: z.string(), id: z.string(), revision: revisionSchema })),
});

export const tokensData = z.object({ token: z.string(), refreshToken: z.string() });
export const signedInData = tokensData.extend({
  user: person,
  license,
  /** True after a one-time password: the token opens only the change of password, logout and the session. */
  passwordChangeRequired: z.literal(true).optional(),
});
/** The first secret was right, and a second one is asked for: the token opens nothing but `POST /auth/second-factor`, for 5 minutes. */
export const signInStepData = z.object({
  secondFactorRequired: z.literal(true),
  token: z.string(),
  expiresAt: z.string(),
});
/** The same where everybody of the licence must have one and this person has none: the token opens nothing but setting it up, for 30 minutes. */
export const setUpStepData = z.object({
  secondFactorSetUpRequired: z.literal(true),
  token: z.string(),
  expiresAt: z.string(),
});
export const signInData = z.union([signedInData, signInStepData, setUpStepData]);
/** Null = the password is all that is asked for. */
export const secondFactorData = z.object({ since: z.string().nullable(), recoveryCodesLeft: z.int().min(0) });
/** Of a colleague. */
export const secondFactorOfData = z.object({ since: z.string().nullable() });
/** The key for an authenticator as text, and as a link for its picture. */
export const secondFactorKeyData = z.object({ secret: z.string(), url: z.string() });
/** Told this once; each opens one sign-in. */
export const recoveryCodesData = z.object({ recoveryCodes: z.array(z.string()).length(10) });
export const endedData = z.object({ ended: z.int().min(0) });
export const ownSessionData = z.object({
  user: person,
  license,
  /** What is open by rights and the licence's features together. */
  permissions: permissionsSchema,
  /** Named by the operator: sees the administration of the own licence. No right by itself. */
  admin: z.boolean(),
  serverTime: z.string(),
  position: positionSchema,
  /** Null while changes are taken. */
  readOnly: z.object({ reason: z.enum(['disk', 'licence']) }).nullable(),
  /** True after a one-time password: nothing but its change is open. */
  passwordChangeRequired: z.literal(true).optional(),
});

export const ownerData = z.object({ ownerName: z.string(), ownerTelegram: z.string() });
export const loginCodeData = z.object({ ceoLoginCode: z.string() });

/** Codes and passwords made by the server are shown once: a repeat of the command answers without the password. */
export const employeeData = z.object({ user: person, authCode: z.string(), temporaryPassword: z.string().optional() });
export const authCodeData = z.object({ authCode: z.string() });
export const temporaryPasswordData = z.object({ user: person, temporaryPassword: z.string().optional() });

export const adminTokenData = z.object({ token: z.string() });
/** `secondFactorSetup`: one is required and there is none yet, so that the token opens its `begin` and `confirm` instead. */
export const adminSignInData = z.union([
  signInStepData.extend({ secondFactorSetup: z.literal(true).optional() }),
  adminTokenData,
]);
/** `wanted`: what the server is set up for, where other machines reach it. */
export const adminSecondFactorData = secondFactorData.extend({ wanted: z.enum(['optional', 'asked', 'required']) });
/** With a token where the admin could not be signed in without it. */
export const adminRecoveryCodesData = recoveryCodesData.extend({ token: z.string().optional() });
export const adminLicenseData = z.object({ license: adminLicense });
export const issuedLicenseData = adminLicenseData.extend({ activationCode: z.string() });
export const activationCodeData = z.object({ activationCode: z.string() });
export const adminLicensesData = z.object({
  /** `ownerSecondFactor`: the owner has one, which the admin may take away for them. */
  licenses: z.array(
    adminLicenseSchema.extend({
      ...sessionCounts,
      ownerSecondFactor: z.boolean(),
      /**
       * When somebody of the team was last there: the last use of an open session, or the last thing that a person or a key of it did,
       * whichever is later; null = nobody was yet. Nothing that the administration or a process did counts.
       */
      lastActiveAt: z.string().nullable(),
    }),
  ),
});
const rebuildAsked = z.object({ state: z.literal('asked'), askedAt: z.string() });

/** Building the read models anew beside those that are read. */
const rebuildWire = z.discriminatedUnion('state', [
  rebuildAsked,
  z.object({
    state: z.enum(['running', 'done']),
    startedAt: z.string(),
    finishedAt: z.string().optional(),
    /** Folded since it was begun, or gone on with. */
    events: z.int().min(0),
    position: positionSchema,
    head: positionSchema,
    percent: z.int().min(0).max(100),
    secondsLeft: z.int().min(0).nullable(),
  }),
]);
export const rebuildData = z.object({ rebuild: rebuildAsked });

/** What comparing stored documents with their events has come to. */
const selfCheckWire = z.object({
  at: z.string(),
  licences: z.int().min(0),
  documents: z.int().min(0),
  differences: z.int().min(0),
  healed: z.int().min(0),
  found: z.array(
    z.object({
      at: z.string(),
      licenceId: z.string(),
      documents: z.array(z.object({ kind: z.string(), id: z.string(), what: z.string() })),
      healed: z.int().min(0),
    }),
  ),
});

export const adminSignInWire = z.object({
  /** `refused`: tries from one network that followed each other. */
  outcome: z.enum(['in', 'refused']),
  since: z.string(),
  until: z.string(),
  count: z.int().min(1),
  /** Empty = not known. */
  network: z.string(),
});
export type AdminSignInWire = z.infer<typeof adminSignInWire>;
export const adminSignInsData = z.object({ signIns: z.array(adminSignInWire) });

export const importData = z.object({ import: importSchema });
export const importsData = z.object({
  imports: z.array(importSchema),
  /** `cursor` of the next page; null = nothing follows. */
  next: z.string().nullable(),
});
/** What an import would do, or, without `dryRun`, the import that has begun. */
export const importedData = z.union([z.object({ report: importReportSchema }), importData]);

const backupWire = z.object({
  /** When the last one was begun, whatever came of it, UTC; null = there was none. */
  last: z.string().nullable(),
  ok: z.boolean().nullable(),
  /** Of the last event in the last whole one. */
  position: positionSchema.nullable(),
  /** When the next one is due, UTC; null = none is by itself. */
  next: z.string().nullable(),
  /** Where they are put; null = `BACKUP_DIR` is not set, or the data lies on servers. */
  dir: z.string().nullable(),
  /** Why the last one was not made. */
  problem: z.string().nullable(),
  running: z.object({ bytes: z.int().min(0), of: z.int().min(0) }).nullable(),
});
export const backupData = z.object({ backup: backupWire });

export const healthData = z.object({
  services: z.array(
    z.object({
      name: z.string(),
      ok: z.boolean(),
      version: z.string().optional(),
      /** Of `command`: appends to the log in the last minute. */
      changesPerMinute: z.int().min(0).optional(),
      /** Of the last five minutes, estimated: of `command` until an append is durable, of `gateway` from a commit to the sockets. */
      p99Milliseconds: z.number().min(0).optional(),
      /** Of `gateway`, over all of its processes. */
      connections: z.int().min(0).optional(),
      /** Of `command`: whether a bot is set up. */
      telegramBot: z.boolean().optional(),
    }),
  ),
  projection: z.object({
    position: positionSchema,
    head: positionSchema,
    lagEvents: z.int().min(0).optional(),
    lagMilliseconds: z.number().min(0).optional(),
    /** The last hour; absent = nothing was noted of it yet. */
    lastHour: z
      .object({
        /** Events are counted from here on, which may be within the hour. */
        since: z.string(),
        events: z.int().min(0),
        /**
         * By the minute, oldest first; one in which nobody was at work is not among them. `lagMilliseconds`: the longest from the record
         * of an event in the log until its read models were committed, or until the end of the minute where they were not yet.
         */
        minutes: z.array(z.object({ at: z.string(), lagMilliseconds: z.number().min(0) })),
      })
      .optional(),
  }),
  sockets: z.int().min(0),
  /** Fingerprints of the keys that sign, or have signed, the seals of the history: SHA-256 of the public key, in the order in which they began. */
  sealKeys: z.array(z.object({ fingerprint: z.string(), since: z.string() })),
  /** Licences whose log no longer holds what their last seal attests: its number, and where its last event was. No further seal is made. */
  sealsRefused: z.array(z.object({ licenceId: z.string(), number: z.int().min(1), position: positionSchema })),
  seals: z.object({
    /** When the last one was made; null = none is known. */
    last: z.string().nullable(),
    /** The same licences with the positions that the seal attests, and when it was found that they are not that. */
    refused: z.array(
      z.object({
        licenceId: z.string(),
        seal: z.int().min(1),
        from: positionSchema,
        to: positionSchema,
        at: z.string().nullable(),
      }),
    ),
    /** Whether a witness elsewhere is told of every seal. */
    watching: z.boolean(),
  }),
  /** What an operator should look at now. `clock`: it is ahead, events are dated behind it; `witness`: it does not take the seals. */
  alarms: z.array(
    z.object({
      kind: z.enum(['clock', 'witness']),
      since: z.string(),
      /** How far ahead the clock is. */
      milliseconds: z.int().min(0).optional(),
    }),
  ),
  events: z.int().min(0).optional(),
  freeBytes: z.number().optional(),
  /** Bytes on disk of the stores whose files are at hand. */
  storeBytes: z.object({ events: z.number().min(0).optional(), readModels: z.number().min(0).optional() }).optional(),
  rebuild: rebuildWire.nullable(),
  selfCheck: selfCheckWire.nullable(),
  backup: backupWire,
  /** Of all licences; `waiting`: deliveries that nobody took yet. */
  webhooks: z.object({ active: z.int().min(0), failing: z.int().min(0), waiting: z.int().min(0) }),
  /** Of all licences: those that are being written, and those that are being taken back. */
  imports: z.object({ running: z.int().min(0), undoing: z.int().min(0) }),
  /** Licences whose models stand still at a position, and why. */
  parked: z.array(z.object({ licenceId: z.string(), position: positionSchema, reason: z.string() })),
  versions: z.record(z.string(), z.string()),
});
