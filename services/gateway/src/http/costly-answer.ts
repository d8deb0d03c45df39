import { lastEntryOf } from '../read-models/one-moment.ts';
import { seesOthersEarnings } from '@zakup/contracts/shown-event';
import { type Viewer } from './person.ts';
import type { Answer } from './answer.ts';
import type { Made, ReadContext } from './read-context.ts';
import { readWhile } from './while-waited.ts';

/** Whoever has the same rights is answered the same; who does not see what others earn sees something of their own. */
const rightsOf = ({ person }: Viewer): readonly unknown[] => [
  person.role,
  person.isOwner,
  person.permissions,
  person.licence,
  seesOthersEarnings(person) ? null : person.userId,
];

/** What the answer is of: the licence's last change, however much others did since. */
const momentOfContext = async ({ at, deps, licence, position }: ReadContext): Promise<number> =>
  at?.position ?? ((await lastEntryOf(deps.readStore, licence.id)) || position);

/** Made once for all who ask the same, few of a licence at a time. Null: its turn did not come. */
export const costlyAnswer = async ({ context, documents, make }: Made, url: string): Promise<Answer | null> => {
  const { guard } = context.deps;
  const asked = new URL(url, 'http://localhost');
  asked.searchParams.delete('after');
  const moment = await momentOfContext(context);
  const of = [context.licence.id, moment, context.at !== null, rightsOf(context)];
  const key = JSON.stringify([...of, asked.pathname, asked.search]);
  const alone = async (waiting: AbortSignal): Promise<Answer | null> => {
    const place = await guard.place(context.licence.id, waiting);
    if (place === null) return null;
    try {
      const answer = await make({ ...context, waiting, readStore: readWhile(waiting, documents) });
      if ('content' in answer) throw new Error(`${asked.pathname} answers a file and does not weigh like one`);
      return answer;
    } finally {
      place.leave();
    }
  };
  const shared = await guard.shared.of(key, context.waiting, alone);
  // On a licence that keeps changing somebody else's may be of a little earlier.
  const isBehind = (shared?.position ?? moment) < moment;
  return isBehind ? alone(context.waiting) : shared;
};
