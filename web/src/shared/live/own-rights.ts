import type { Replica } from '../replica/replica.ts';

/** Calls back whenever the person's own entry comes with another revision: role or rights may be others now. Returns the way to stop. */
export const watchOwnRights = (
  replica: Pick<Replica, 'get' | 'subscribe'>,
  userId: string,
  onChange: () => void,
): (() => void) => {
  let seen = replica.get('user', userId)?.revision;
  return replica.subscribe(() => {
    const revision = replica.get('user', userId)?.revision;
    if (revision === undefined || revision === seen) return;
    const first = seen === undefined;
    seen = revision;
    if (!first) onChange();
  });
};
