import { parsePosition } from '@zakup/contracts/position';
import { messages } from '@zakup/domain/messages';
import type { Request } from 'express';
import { z } from 'zod';
import type { GatewayDeps } from '../deps.ts';
import { checkpointOf, waitForPosition } from './wait-for-position.ts';
import { invalid, Refused } from './refused.ts';

/** For routes that take `after` alone. */
export const noQuery = z.strictObject({});

export type Waited = { readonly kind: 'complete' | 'late' } | { readonly kind: 'wrong'; readonly message: string };

/** Waits for `?after=`. A position that is none, or beyond the log, is refused later: what the path names comes first. */
export const waited = async (deps: GatewayDeps, after: unknown): Promise<Waited> => {
  if (after === undefined) return { kind: 'complete' };
  const position = typeof after === 'string' ? parsePosition(after) : null;
  if (position === null) return { kind: 'wrong', message: messages.positionInvalid };
  if ((await checkpointOf(deps)) >= position) return { kind: 'complete' };
  if (position > (await deps.eventStore.head())) return { kind: 'wrong', message: messages.positionAhead };
  return { kind: (await waitForPosition(deps, position)) ? 'complete' : 'late' };
};

const problemsOf = (error: z.ZodError) =>
  invalid(
    error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => ({ pointer: `/${key}`, detail: messages.unknownParameter }))
        : // The member alone: which of its values it is, when it is given several times, has no place of its own.
          [{ pointer: `/${issue.path.slice(0, 1).map(String).join('')}`, detail: issue.message }],
    ),
  );

/** Parses the query; `after` was waited for before. Refuses what does not fit. */
export const parseQuery = <Query extends z.ZodObject>(
  schema: Query,
  given: Request['query'],
  after: Waited,
): z.output<Query> => {
  if (after.kind === 'wrong') throw new Refused(invalid([{ pointer: '/after', detail: after.message }]));
  const { after: _, ...members } = given;
  const parsed = schema.safeParse(members);
  if (!parsed.success) throw new Refused(problemsOf(parsed.error));
  return parsed.data;
};
