import { type Asker, askerOfKey } from '@zakup/credentials/authenticate';
import type { Problem } from '@zakup/contracts/problems';
import type { Person, Verdict } from '@zakup/domain/permissions';
import { sendProblem } from '@zakup/service-kit/problem-middleware';
import type { Request, Response } from 'express';
import { sendFile } from '../exports/send-file.ts';
import { inPlace } from './limits/in-place.ts';
import type { Place } from './limits/places.ts';
import { tooManyFiles, tooManyReports } from './limits/read-guard.ts';
import { type Viewer, viewerOf } from './person.ts';
import type { Made, ReadContext } from './read-context.ts';
import { noteTaken } from './note-taken.ts';
import { expired, late } from './refused.ts';

/** Of what a file depends that may change while it is taken. */
export interface FileAsked {
  readonly route: {
    readonly may: (person: Person, given: Request['query']) => Verdict;
    readonly shows?: (person: Person) => object;
  };
  readonly viewer: Viewer;
  readonly given: Request['query'];
  readonly ip: string | undefined;
}

const stillOpen = async ({ session, deps }: ReadContext): Promise<Asker | null> => {
  if (session.key === undefined) return deps.credentials.session(session.id, deps.now());
  const key = await deps.credentials.key(session.id, deps.now());
  return key === null ? null : askerOfKey(key);
};

/** Whether who asked may still have it: their session, their rights, and what is in it of these. */
const stillMay = (context: ReadContext, { route, viewer, given }: FileAsked) => {
  const shown = ({ person }: Viewer): string => JSON.stringify(route.shows?.(person) ?? null);
  const begun = shown(viewer);
  return async (): Promise<Problem | null> => {
    const open = await stillOpen(context);
    const asker = open === null ? null : await viewerOf({ ...context.deps, patience: 0 }, open);
    if (asker === null) return expired;
    const may = route.may(asker.person, given);
    if (!may.allowed) return { code: may.code, message: may.message };
    return shown(asker) === begun ? null : late;
  };
};

/** Sends a file: few of a session at once, and made in turns with what else is costly in the licence. */
export const sendFileOf = async (response: Response, made: Made, asked: FileAsked): Promise<void> => {
  const { context } = made;
  const { deps, waiting, licence } = context;
  const counted = deps.guard.file(context.session.id);
  if (counted === null) return sendProblem(response, tooManyFiles);
  let place: Place | null = null;
  try {
    place = await deps.guard.place(licence.id, waiting);
    if (place === null) return sendProblem(response, tooManyReports);
    const answer = await made.make(context);
    if (!('content' in answer)) throw new Error('Not a file');
    const refusalNow = stillMay(context, asked);
    let refused: Problem | null;
    try {
      refused = waiting.aborted ? late : await refusalNow();
      if (refused === null) await noteTaken(context, answer.taken, asked.ip);
    } catch (error) {
      answer.content.destroy();
      throw error;
    }
    if (refused !== null) {
      answer.content.destroy();
      return waiting.aborted ? undefined : sendProblem(response, refused);
    }
    const turn = inPlace(place, () => deps.guard.place(licence.id, waiting, null), deps.guard.timers);
    try {
      await sendFile(response, answer, { mayGoOn: async () => (await refusalNow()) === null, turn, at: context.at });
    } finally {
      turn.end();
    }
  } catch (error) {
    if (!waiting.aborted) throw error;
  } finally {
    place?.leave();
    counted.leave();
  }
};
