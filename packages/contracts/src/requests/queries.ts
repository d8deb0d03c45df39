import { channelSizes } from '@zakup/domain/analytics/channel-size';
import { figures } from '@zakup/domain/analytics/figures';
import { licenceFigures } from '@zakup/domain/analytics/licence-figures';
import { messages } from '@zakup/domain/messages';
import { z } from 'zod';
import { baseRevision, day, leads, roubles } from './fields.ts';

/** Members of query strings. Names that are not there are refused. */

/** `?baseRevision=` of a DELETE. */
export const revisionQuery = z.strictObject(
  {
    baseRevision: z
      .string({ error: messages.revisionInvalid })
      .regex(/^\d{1,16}$/u, { error: messages.revisionInvalid })
      .transform(Number)
      .pipe(baseRevision)
      .optional(),
  },
  { error: messages.unknownParameter },
);

/** `?name=true` or `false`; absent = false. */
const flag = z
  .enum(['true', 'false'], { error: messages.flagInvalid })
  .optional()
  .transform((value) => value === 'true');

export const includeInactiveQuery = z.strictObject({ includeInactive: flag });
export const revealQuery = z.strictObject({ reveal: flag });
export const contractorQuery = z.strictObject({
  channelId: z.string({ error: messages.valueInvalid }).min(1, { error: messages.valueInvalid }).optional(),
});

/** Fields that the read store sorts by itself. */
export const storedSorts = [
  'date',
  'price',
  'leads',
  'category',
  'format',
  'paymentStatus',
  'status',
  'createdAt',
] as const;
/** Fields sorted by what is shown for them: the name behind an id, or a computed figure. */
const shownSorts = ['costPerLead', 'contractorId', 'creativeId', 'buyerId'] as const;

const oneValue = z
  .string({ error: messages.valueInvalid })
  .min(1, { error: messages.valueInvalid })
  .max(100, { error: messages.valueInvalid });
const value = oneValue.optional();
/** Of all lists of a query together fewer than the thousand members that are read of one. */
const mostValues = 150;
/** Given once or several times: any of them. */
const values = z
  .preprocess(
    (given) => (typeof given === 'string' ? [given] : given),
    z.array(oneValue, { error: messages.valueInvalid }).max(mostValues, { error: messages.valueInvalid }),
  )
  .optional();
const whole = (error: string, max: number) =>
  z
    .string({ error })
    .regex(/^[1-9]\d{0,8}$/u, { error })
    .transform(Number)
    .refine((number) => number <= max, { error });
const amount = roubles(messages.priceInvalid).optional();

const order = {
  sortBy: z.enum([...storedSorts, ...shownSorts], { error: messages.sortInvalid }).default('date'),
  sortOrder: z.enum(['asc', 'desc'], { error: messages.sortOrderInvalid }).default('asc'),
};
/** What a table is filtered by beside whom and what, and days. Bounds include both ends; rows without leads have no CPL and are within no bound of it. */
const traits = {
  category: values,
  paymentStatus: values,
  status: values,
  /** Leaves out the rows of this status. */
  statusNot: value,
  priceFrom: amount,
  priceTo: amount,
  leadsFrom: leads.optional(),
  leadsTo: leads.optional(),
  /** Roubles, compared with the CPL as it is shown: rounded to kopecks. */
  cplFrom: amount,
  cplTo: amount,
  search: z.string({ error: messages.valueInvalid }).trim().max(100, { error: messages.valueInvalid }).optional(),
};
const filters = {
  buyerId: values,
  contractorId: value,
  creativeId: values,
  dateFrom: day.optional(),
  dateTo: day.optional(),
  ...traits,
};

/** A campaign's table (TABLE-8). */
export const placementQuery = z.strictObject({
  ...order,
  page: whole(messages.pageInvalid, 1_000_000).default(1),
  pageSize: whole(messages.pageSizeInvalid, 500).default(50),
  ...filters,
  format: values,
});
export type PlacementQuery = z.output<typeof placementQuery>;
const period = { from: day.optional(), to: day.optional() };
const lines = {
  page: whole(messages.pageInvalid, 1_000_000).default(1),
  pageSize: whole(messages.pageSizeInvalid, 500).default(50),
};

/** The salary report: of one campaign and person, from one day to another, as far as they are given; the page is of each person's lines. */
export const salaryQuery = z.strictObject({ campaign: value, userId: value, ...period, ...lines });
/** Whose bonus, and of which part of the report. */
export const salaryEventsQuery = z.strictObject({
  userId: z
    .string({ error: messages.valueInvalid })
    .min(1, { error: messages.valueInvalid })
    .max(100, { error: messages.valueInvalid }),
  campaign: value,
  ...period,
});
/** One's own. */
export const statementQuery = z.strictObject({ campaign: value, ...period, ...lines });
export type SalarySelection = z.output<typeof statementQuery>;

/** Figures of one person’s pay, and what everybody earns, beside those of sums over placements. */
export const payFigures = ['earnings', 'ownRate', 'allEarnings', 'bonus'] as const;

/** Where a list of lines goes on: as an earlier page of it said. */
const cursor = z
  .string({ error: messages.cursorInvalid })
  .regex(/^(?:counted|leftOut)-\d{1,15}-\d{1,9}$/u, { error: messages.cursorInvalid })
  .optional();
/** A file of lines. */
const format = z.enum(['csv', 'xlsx'], { error: messages.valueInvalid });

const ofCampaign = {
  figure: z.enum([...figures, ...payFigures], { error: messages.valueInvalid }),
  userId: values,
  creativeId: values,
  contractorId: value,
  placementId: value,
  ...period,
  ...traits,
};
/**
 * Which figure, over which of the placements, from one of their days to another, and filtered as a campaign's table is; the page is of each
 * of the two lists, or what follows a cursor in its own. With one person, budgets are that participant's; of several there is none.
 */
export const campaignLineageQuery = z.strictObject({ ...ofCampaign, format: values, ...lines, cursor });
export type CampaignLineageQuery = z.output<typeof campaignLineageQuery>;
/** All lines as a file; `format` is the file's, so the placement's has another name. */
export const campaignLineageExportQuery = z.strictObject({ ...ofCampaign, placementFormat: values, format });
const ofContractor = {
  figure: z.enum(['spent', 'paid', 'unpaid', 'leads', 'placements', 'cpl', 'averagePrice'], {
    error: messages.valueInvalid,
  }),
  userId: value,
  placementId: value,
  ...period,
};
/** Of a contractor, over all campaigns, from one of their days to another as far as they are given. */
export const contractorLineageQuery = z.strictObject({ ...ofContractor, ...lines, cursor });
export const contractorLineageExportQuery = z.strictObject({ ...ofContractor, format });

const ofCreative = {
  figure: z.enum(['spent', 'leads', 'placements', 'cpl', 'roi', 'conversion'], { error: messages.valueInvalid }),
  size: z.enum(channelSizes, { error: messages.valueInvalid }).optional(),
};
/** Of a creative, over all campaigns; with a size, of the placements in channels of that size. */
export const creativeLineageQuery = z.strictObject({ ...ofCreative, ...lines, cursor });
export const creativeLineageExportQuery = z.strictObject({ ...ofCreative, format });

const ofLicence = { figure: z.enum(licenceFigures, { error: messages.valueInvalid }) };
/** Over all campaigns. */
export const licenceLineageQuery = z.strictObject({
  ...ofLicence,
  pageSize: whole(messages.pageSizeInvalid, 500).default(200),
  cursor,
});
export const licenceLineageExportQuery = z.strictObject({ ...ofLicence, format });

/** Somebody's bonus: of all campaigns, or one of them, on some days. */
export const bonusLineageQuery = z.strictObject({ ...salaryEventsQuery.shape, ...lines, cursor });
export const bonusLineageExportQuery = z.strictObject({ ...salaryEventsQuery.shape, format });

/** The palette (VIEW-5): words as they are typed, and at most how many hits of each kind. */
export const searchQuery = z.strictObject({
  q: z.string({ error: messages.valueInvalid }).max(200, { error: messages.valueInvalid }),
  limit: whole(messages.pageSizeInvalid, 50).default(5),
});

/** Which rows, and in which order. */
export type PlacementSelection = Omit<PlacementQuery, 'page' | 'pageSize'>;

/** The same table as a file (ANA-6); `format` is the file's, so the placement's has another name. */
export const placementExportQuery = z.strictObject({
  format: z.enum(['csv', 'xlsx'], { error: messages.valueInvalid }),
  ...order,
  ...filters,
  placementFormat: values,
});
