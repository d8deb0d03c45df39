import type { Contractor } from './state.ts';

/** Every nick by which the contractor is found, its own first: those of whoever was merged into it stay with it, also after a rename. */
export const nicksOf = ({ nick, received = [] }: Pick<Contractor, 'nick' | 'received'>): readonly string[] => [
  ...new Set([nick, ...received.flatMap(({ nicks }) => nicks)]),
];

/** Whether it goes by this nick; of one that was merged: whether it did. */
export const holdsNick = (contractor: Pick<Contractor, 'nick' | 'received'>, nick: string): boolean =>
  nicksOf(contractor).includes(nick);

/** Whether the nick came with somebody who was merged into it. */
export const isReceived = ({ received = [] }: Pick<Contractor, 'received'>, nick: string): boolean =>
  received.some(({ nicks }) => nicks.includes(nick));
