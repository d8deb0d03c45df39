import type { Aliases } from '../aliases.ts';
import type { Narrowed } from './figure-history.ts';

/** What narrows figures to some of the placements. */

export const byContractor = (aliases: Aliases, id: string): Narrowed => {
  const parts = new Set(aliases.parts(aliases.receiver(id)));
  return { field: 'contractorId', has: (value) => parts.has(value), movedAway: 'Перенесено на другого контрагента' };
};

export const byBuyer = (userId: string): Narrowed => ({
  field: 'buyerId',
  has: (value) => value === userId,
  movedAway: 'Перенесено на другого байера',
});

export const byCreative = (creativeId: string): Narrowed => ({
  field: 'creativeId',
  has: (value) => value === creativeId,
  movedAway: 'Перенесено на другой креатив',
});

/** From one day to another, both included; absent = without that end. */
export const byDay = (from: string | undefined, to: string | undefined): Narrowed => ({
  field: 'date',
  has: (value) => (from === undefined || value >= from) && (to === undefined || value <= to),
  movedAway: 'Перенесено на другую дату',
});
