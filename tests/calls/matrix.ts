import type { Call } from '@zakup/contracts/calls/call';
import { type CallName, callNames, calls } from '@zakup/contracts/calls/calls';
import { messages } from '@zakup/domain/messages';
import { type Action, may, type Person, type Verdict } from '@zakup/domain/permissions';
import { afterAll, beforeAll } from 'vitest';
import { examples, type Sent } from './examples.ts';
import { type Got, send } from './send.ts';
import { type Actor, givenTeam, type Team } from './team.ts';
import { type Asker, askers, type WhoMay } from './who-may.ts';

/** Whether there may be something that the right opens. */
const mayDo = may as (person: Person, action: Action, subject: 'some') => Verdict;
export const isOpenTo = ({ rights }: Call, person: Person): boolean =>
  rights.length === 0 || rights.some((right) => mayDo(person, right, 'some').allowed);

export const callsOf = (realm: Call['realm']): readonly CallName[] =>
  callNames.filter((name) => calls[name].realm === realm);

export const opens = ({ who }: WhoMay, asker: Asker): boolean => typeof who !== 'string' && who.includes(asker);

export const told = ({ status, code, error }: Got): string =>
  code === null ? `${status}` : `${status} ${code} ${error}`;
export const done = '200';
export const closed = `403 ACCESS_DENIED ${messages.accessDenied}`;
export const signedOut = /^401 UNAUTHENTICATED /u;

type Answers = Readonly<Record<Asker, string>>;
export const expected = (answer: (asker: Asker) => string): Answers =>
  Object.fromEntries(askers.map((asker) => [asker, answer(asker)])) as Answers;

/** The same call, made ready by each asker before anything is sent. */
export const ready = async (team: Team, name: CallName): Promise<readonly (readonly [Asker, Sent])[]> => {
  const requests: (readonly [Asker, Sent])[] = [];
  for (const asker of askers) requests.push([asker, await examples[name](team, team.askers[asker])]);
  return requests;
};

export const answersTo = async (
  team: Team,
  name: CallName,
  requests: readonly (readonly [Asker, Sent])[],
  by: Readonly<Record<Asker, Pick<Actor, 'token'>>> = team.askers,
): Promise<Answers> => {
  const answers: Partial<Record<Asker, string>> = {};
  for (const [asker, sent] of requests) answers[asker] = told(await send(team.api, name, sent, by[asker].token));
  return answers as Answers;
};

export const withoutToken = ({ params = {}, query = {}, body, headers = {} }: Sent): Sent => ({
  params,
  query,
  body,
  headers,
});

export const given = (): { readonly team: Team } => {
  const world: { team?: Team } = {};
  beforeAll(async () => {
    world.team = await givenTeam();
  }, 60_000);
  afterAll(() => world.team?.api.close());
  return world as { readonly team: Team };
};
