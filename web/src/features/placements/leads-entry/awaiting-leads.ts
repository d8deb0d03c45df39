import type { Day } from '@zakup/domain/calendar';
import { byCreation, type PlacementRow } from '../rows/placement-row.ts';

/** Whether a placement is out by `day`, as its day has come or its status says so, and nothing is entered under 'Приход'. */
export const isAwaitingLeads = ({ placement: { leads, date, status } }: PlacementRow, day: Day): boolean => {
  if (leads !== 0) return false;
  switch (status) {
    case 'PUBLISHED':
    case 'DONE':
      return true;
    case 'CANCELLED':
    case 'REMOVED_EARLY':
      return false;
    default:
      return date <= day;
  }
};

/** One's own first, then the oldest first. */
export const byOwnAndDay =
  (personId: string) =>
  (a: PlacementRow, b: PlacementRow): number => {
    const [isOwn, isOther] = [a.placement.buyerId === personId, b.placement.buyerId === personId];
    if (isOwn !== isOther) return isOwn ? -1 : 1;
    if (a.placement.date !== b.placement.date) return a.placement.date < b.placement.date ? -1 : 1;
    return byCreation(a, b);
  };
