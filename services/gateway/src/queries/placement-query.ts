import { day, roubles } from '@zakup/contracts/requests/fields';
import { messages } from '@zakup/domain/messages';
import { z } from 'zod';
import { texts } from '../texts.ts';

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

const value = z
  .string({ error: texts.valueInvalid })
  .min(1, { error: texts.valueInvalid })
  .max(100, { error: texts.valueInvalid })
  .optional();
const whole = (error: string, max: number) =>
  z
    .string({ error })
    .regex(/^[1-9]\d{0,8}$/u, { error })
    .transform(Number)
    .refine((number) => number <= max, { error });
const amount = roubles(messages.priceInvalid).optional();

/** Query members of a campaign's table (TABLE-8). */
export const placementQuery = {
  sortBy: z.enum([...storedSorts, ...shownSorts], { error: texts.sortInvalid }).default('date'),
  sortOrder: z.enum(['asc', 'desc'], { error: texts.sortOrderInvalid }).default('asc'),
  page: whole(texts.pageInvalid, 1_000_000).default(1),
  pageSize: whole(texts.pageSizeInvalid, 500).default(50),
  buyerId: value,
  contractorId: value,
  creativeId: value,
  category: value,
  format: value,
  paymentStatus: value,
  status: value,
  dateFrom: day.optional(),
  dateTo: day.optional(),
  priceFrom: amount,
  priceTo: amount,
  search: z.string({ error: texts.valueInvalid }).trim().max(100, { error: texts.valueInvalid }).optional(),
};
export type PlacementQuery = z.output<z.ZodObject<typeof placementQuery>>;
