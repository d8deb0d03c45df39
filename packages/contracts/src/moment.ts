import { z } from 'zod';
import { parsePosition, positionSchema } from './position.ts';

/** The moment that an answer is of: the event after which everything was as it is told. */
export const momentSchema = z.strictObject({
  position: positionSchema,
  /** When the log recorded the event, ISO 8601 with milliseconds. */
  time: z.iso.datetime(),
});

const instant = z.iso.datetime({ offset: true });

/**
 * `?at=`: a position of the log, or an ISO time with its zone, which becomes UTC milliseconds. `null` = neither. A plus sign that was not
 * encoded arrives as a space.
 */
export const parseMoment = (
  text: string,
): { readonly by: 'position'; readonly position: number } | { readonly by: 'time'; readonly time: number } | null => {
  const position = parsePosition(text);
  if (position !== null) return { by: 'position', position };
  const time = text.replace(/ (?=\d\d:\d\d$)/u, '+');
  if (text.length > 40 || !instant.safeParse(time).success) return null;
  const milliseconds = Date.parse(time);
  return Number.isNaN(milliseconds) ? null : { by: 'time', time: milliseconds };
};
