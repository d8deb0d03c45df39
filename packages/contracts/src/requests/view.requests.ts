import { limits } from '@zakup/domain/limits';
import { messages } from '@zakup/domain/messages';
import { z } from 'zod';
import { parseViewQuery } from '../view-query.ts';
import { baseRevision, text } from './fields.ts';

/** Views of a campaign's table under names. */

const name = text(messages.viewNameInvalid, 1, limits.viewName);
/** As an address says it (TABLE-36), without `?`; the page is left out. */
const query = z.string({ error: messages.viewQueryInvalid }).transform((given, context) => {
  const parsed = parseViewQuery(given);
  if (parsed !== null) return parsed;
  context.addIssue({ code: 'custom', message: messages.viewQueryInvalid });
  return z.NEVER;
});

/** `shared`: for the team; absent = for oneself. */
export const saveViewRequest = z.object({
  name,
  query,
  shared: z.boolean({ error: messages.valueInvalid }).optional(),
});
/** Members present are changed. `baseRevision`: the `revision` of the view that the person saw. */
export const changeViewRequest = z.object({ baseRevision, name, query }).partial();
