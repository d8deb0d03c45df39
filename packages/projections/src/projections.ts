import { aliases } from './aliases.ts';
import { history } from './history.ts';
import { imports } from './imports.ts';
import { notifications } from './notifications.ts';
import { savedViews } from './saved-views.ts';
import type { Projection } from './projection.ts';
import { resyncBounds } from './resync-bounds.ts';
import { campaignRow } from './rows/campaign.row.ts';
import { channelRow } from './rows/channel.row.ts';
import { contractorRow } from './rows/contractor.row.ts';
import { creativeRow } from './rows/creative.row.ts';
import { employeeRow } from './rows/employee.row.ts';
import { licenceRow } from './rows/licence.row.ts';
import { notes } from './rows/note.row.ts';
import { placementRow } from './rows/placement.row.ts';
import type { AnyRowProjection } from './rows/row-projection.ts';
import { analyticsTotals } from './totals/analytics.totals.ts';
import { contractorTotals } from './totals/contractor.totals.ts';
import { creativeTotals } from './totals/creative.totals.ts';
import { earningsTotals } from './totals/earnings.totals.ts';

/** What becomes of streams that have a row. */
export const rowProjections: readonly AnyRowProjection[] = [
  licenceRow,
  employeeRow,
  channelRow,
  campaignRow,
  creativeRow,
  contractorRow,
  placementRow,
];

/** How everything stands. In this order each gets what an event made of its row: later ones read what earlier ones wrote. */
export const stateProjections: readonly Projection[] = [
  notes,
  aliases,
  analyticsTotals,
  contractorTotals,
  creativeTotals,
  earningsTotals,
  resyncBounds,
];

/** Everything that the read models hold: how things stand, and what was told of how they came to. */
export const projections: readonly Projection[] = [...stateProjections, history, imports, notifications, savedViews];
