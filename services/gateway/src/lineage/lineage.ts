import { presentHistory } from '@zakup/contracts/history';
import type { PlacementRow } from '@zakup/contracts/read-models';
import { type ExplainedFigure, explainFigure, type Figure } from '@zakup/domain/analytics/figures';
import type { Query } from '@zakup/read-store/read-store';
import { asReceived, figureHistory, movedShown, type OfParticipant } from './figure-history.ts';
import { findLines, type FoundLines, type LinesAsked } from './lineage-lines.ts';
import { explainPay, judgedByTerms, type Pay, payHistory } from './lineage-pay.ts';
import type { Lineage, LineageSources, LineageSubject } from './lineage-subject.ts';
import { byNone } from './figure-filter.ts';

/** What of participants moves the figure; undefined = nothing does. */
const participantOf = (figure: Figure | Pay['figure'], userId: string | null): OfParticipant | undefined => {
  if (figure === 'earnings' || figure === 'allEarnings') return { userId, part: 'terms' };
  const isOfBudget = figure === 'budget' || figure === 'remaining' || figure === 'budgetUse';
  return isOfBudget && userId !== null ? { userId, part: 'budget' } : undefined;
};

const fieldsOf = (figure: Figure | Pay['figure'], participantId: string | null): ReadonlySet<string> => {
  const budget = participantId === null ? ['totalBudget'] : [];
  switch (figure) {
    case 'paid':
    case 'unpaid':
      return new Set(['price', 'paymentStatus']);
    case 'remaining':
    case 'budgetUse':
      return new Set(['price', ...budget]);
    case 'leads':
      return new Set(['leads']);
    case 'budget':
      return new Set(budget);
    case 'placements':
      return new Set();
    case 'spent':
    case 'averagePrice':
    case 'ownRate':
      return new Set(['price']);
    case 'cpl':
    case 'roi':
    case 'earnings':
      return new Set(['price', 'leads']);
    case 'allEarnings':
      return new Set(['price', 'leads', 'buyerId']);
    case 'leadsPerPlacement':
    case 'conversion':
      return new Set(['leads']);
    case 'placementsPerBuyer':
      return new Set(['buyerId']);
    case 'budgetPerCreative':
      return new Set(['price', 'creativeId']);
  }
};

/** Why a placement within a sum does not count; null = it does. */
const reasonIn = (figure: Figure, { paymentStatus }: PlacementRow): string | null => {
  if (figure === 'paid' && paymentStatus !== 'paid') return 'Не оплачено';
  if (figure === 'unpaid' && paymentStatus === 'paid') return 'Оплачено';
  return null;
};

const judgeOf = (asked: Figure | Pay): Pick<LinesAsked, 'reasonOf' | 'rateOf'> => {
  if (typeof asked === 'string') return { reasonOf: (row) => reasonIn(asked, row) };
  return asked.figure === 'ownRate' ? { reasonOf: () => null } : judgedByTerms(asked);
};

const explain = (
  asked: Figure | Pay,
  found: FoundLines,
  { licence, totalBudget, participantId }: LineageSubject,
): ExplainedFigure =>
  typeof asked === 'string'
    ? explainFigure(asked, {
        totals: found.totals,
        totalBudget,
        ...(participantId !== null && { budgetOf: 'participant' }),
        buyers: found.buyers.size,
        creatives: found.creatives,
        leadValue: licence.settings.leadValue,
      })
    : explainPay(asked, found);

/** Where a figure comes from. Lines that a person is not paid for are there, and say why; deleted and moved ones are told by the history. */
export const lineage = async (
  sources: LineageSources,
  wanted: LineageSubject,
  asked: Figure | Pay,
): Promise<Lineage> => {
  const figure = typeof asked === 'string' ? asked : asked.figure;
  const subject = figure === 'budget' ? { ...wanted, narrowed: [byNone] } : wanted;
  const { licence, participantId, campaignIds, everywhere, narrowed, only, to, most, view } = subject;
  const found = await findLines(sources.documents, sources.aliases, {
    licenceId: licence.id,
    where: campaignIds.map((campaignId): NonNullable<Query['where']> => ({ campaignId })),
    isOf: (row) => (only === null || row.id === only) && narrowed.every(({ has }) => has(row)),
    ...judgeOf(asked),
  });
  const participant = participantOf(figure, participantId);
  const history = await figureHistory(sources.readStore, {
    licenceId: licence.id,
    campaignIds,
    everywhere,
    to,
    narrowed,
    fields: fieldsOf(figure, participantId),
    ...(participant !== undefined && { participant }),
    only,
    counted: found.ids,
    documents: sources.documents,
    ...(most !== undefined && { most }),
    view,
  });
  const beside =
    typeof asked === 'string' ? { entries: [], complete: true } : await payHistory(sources, subject, asked);
  return {
    figure,
    explained: explain(asked, found, subject),
    found,
    gone: history.leftOut.map((line) => asReceived(line, sources.aliases)),
    moved: [...history.moved, ...beside.entries.map(({ position, row }) => presentHistory(position, row, view))]
      .toSorted((a, b) => b.position - a.position)
      .slice(0, movedShown),
    historyComplete: history.complete && beside.complete,
  };
};
