import { isAvatar } from '@zakup/domain/address';
import { isKept } from '@zakup/domain/limits';
import { messages } from '@zakup/domain/messages';
import { kopecks } from '@zakup/domain/money';
import { z } from 'zod';
import { baseRevision, day, id, limits, nick, rate, roubles, salaryType, text } from './fields.ts';

/** Channels, campaigns, creatives, contractors and their notes. Changes take the members present. */

const name = text(messages.nameInvalid, 1, limits.name);
const avatar = text(messages.textTooLong, 0, limits.text)
  .refine(isAvatar, { error: messages.avatarInvalid })
  .nullable();

export const createChannelRequest = z.object({ name, avatar: avatar.optional() });
export const changeChannelRequest = z.object({
  baseRevision: baseRevision.optional(),
  name: name.optional(),
  avatar: avatar.optional(),
});

const budget = roubles(messages.budgetInvalid);
const participant = z.object(
  {
    userId: id(messages.participantsInvalid),
    budget: budget.optional().transform((amount) => amount ?? kopecks(0)),
    salaryType: salaryType.nullish().transform((value) => value ?? null),
    salaryRate: rate.nullish().transform((value) => value ?? null),
    cplThreshold: roubles(messages.thresholdInvalid)
      .nullish()
      .transform((value) => value ?? null),
  },
  { error: messages.participantsInvalid },
);
const mostParticipants = 500;
/** The length is asked before any entry is looked at. */
const participants = z
  .preprocess((value, context) => {
    if (Array.isArray(value) && value.length <= mostParticipants) return value as unknown[];
    context.addIssue({ code: 'custom', message: messages.participantsInvalid });
    return z.NEVER;
  }, z.array(participant).max(mostParticipants))
  .refine((list) => new Set(list.map((entry) => entry.userId)).size === list.length, {
    error: messages.participantsInvalid,
  });
const campaignStatus = z.enum(['DRAFT', 'ACTIVE', 'COMPLETED'], { error: messages.statusInvalid });

/** `totalBudget` is canonical, `budget` accepted. */
const campaignMembers = {
  channelId: id(messages.channelRequired),
  totalBudget: budget,
  budget,
  status: campaignStatus,
  startDate: day.nullable(),
  endDate: day.nullable(),
  participants,
};
export const createCampaignRequest = z.object({ name, ...campaignMembers }).partial({
  totalBudget: true,
  budget: true,
  status: true,
  startDate: true,
  endDate: true,
  participants: true,
});
export const changeCampaignRequest = z.object({ baseRevision, name, ...campaignMembers }).partial();

const creativeMembers = {
  name,
  abbreviation: text(messages.textTooLong, 0, limits.name),
  type: z.enum(['TEXT_ONLY', 'TEXT_WITH_IMAGE', 'TEXT_WITH_VIDEO'], { error: messages.creativeTypeInvalid }),
  notes: text(messages.noteTooLong, 0, limits.note),
};
export const createCreativeRequest = z.object(creativeMembers).partial({ abbreviation: true, type: true, notes: true });
export const changeCreativeRequest = z
  .object({ baseRevision, ...creativeMembers, isActive: z.boolean({ error: messages.statusInvalid }) })
  .partial();

const contractorMembers = {
  adminUsername: nick,
  channelName: text(messages.nameInvalid, 0, limits.name),
  category: text(messages.chooseTopic, 1, limits.name),
};
export const createContractorRequest = z.object(contractorMembers).partial({ channelName: true, category: true });
const verdict = z
  .object(
    {
      list: z.enum(['white', 'black'], { error: messages.verdictInvalid }),
      reason: z
        .string({ error: messages.verdictReasonRequired })
        .trim()
        .min(1, { error: messages.verdictReasonRequired })
        .max(limits.verdictReason, { error: messages.verdictReasonTooLong, abort: true })
        .refine(isKept, { error: messages.textInvalid }),
    },
    { error: messages.verdictInvalid },
  )
  .nullable();
export const changeContractorRequest = z
  .object({ baseRevision, ...contractorMembers, isActive: z.boolean({ error: messages.statusInvalid }), verdict })
  .partial();

export const mergeContractorRequest = z.object({
  baseRevision: baseRevision.optional(),
  intoId: id(messages.mergeTargetRequired),
});

export const addNoteRequest = z.object({
  note: z
    .string({ error: messages.noteRequired })
    .trim()
    .min(1, { error: messages.noteRequired })
    .max(limits.note, { error: messages.noteTooLong, abort: true })
    .refine(isKept, { error: messages.textInvalid }),
});
