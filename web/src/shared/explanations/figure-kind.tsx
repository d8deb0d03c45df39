import { showTime } from '@zakup/domain/calendar';
import { plural } from '@zakup/domain/russian';
import { createContext, type ReactNode, use, useMemo } from 'react';
import { useLostAt } from '../live/live-context.tsx';
import { useWaitingIn } from '../outbox/outbox-context.tsx';
import { type PredictedCampaign, usePredictedCampaign } from '../predictions/use-predicted-campaign.ts';
import type { Lineage } from './lineage.ts';

/** Of which of the two kinds a figure is while changes wait, in words. */
export interface FigureKind {
  /** `waiting`: with what waits; `confirmed`: as the server has it. */
  readonly kind: 'waiting' | 'confirmed';
  readonly words: string;
}

interface Counted extends Pick<PredictedCampaign, 'included' | 'left'> {
  readonly campaignId: string;
}

const PredictedContext = createContext<Counted | null>(null);

/** `с 2 неотправленными`, `с 2 неотправленными, без 1`; `подтверждено на 14:36, без 2 неотправленных`. `lostAt`: milliseconds. */
export const kindOf = (included: number, left: number, lostAt: number | null): FigureKind | null => {
  if (included > 0)
    return {
      kind: 'waiting',
      words: `с ${included} ${plural(included, 'неотправленной', 'неотправленными', 'неотправленными')}${left > 0 ? `, без ${left}` : ''}`,
    };
  if (left === 0) return null;
  const at = lostAt === null ? '' : ` на ${showTime(new Date(lostAt).toISOString())}`;
  return {
    kind: 'confirmed',
    words: `подтверждено${at}, без ${left} ${plural(left, 'неотправленной', 'неотправленных', 'неотправленных')}`,
  };
};

/** What somebody earns is the server's to count: its formulas look at more than a screen holds. */
const serverOnly: ReadonlySet<string> = new Set(['earnings', 'allEarnings', 'bonus']);

export const campaignOfFigure = (about: Lineage | null, scope: string | null): string | null => {
  if (about?.of === 'campaign') return about.id;
  return scope?.startsWith('campaign:') === true ? scope.slice('campaign:'.length) : null;
};

/** `null` while nothing waits that the figure could be ahead of or behind. */
export const useFigureKind = (campaignId: string | null, figure?: string): FigureKind | null => {
  const counted = use(PredictedContext);
  const waiting = useWaitingIn(campaignId);
  const lostAt = useLostAt();
  const isPredicted = counted !== null && counted.campaignId === campaignId && !serverOnly.has(figure ?? '');
  return isPredicted ? kindOf(counted.included, counted.left, lostAt) : kindOf(0, waiting, lostAt);
};

/** A figure within words, which does not explain itself. */
export const KindMark = ({
  campaignId,
  figure,
  children,
}: {
  readonly campaignId: string;
  readonly figure?: string;
  readonly children: ReactNode;
}) => {
  const kind = useFigureKind(campaignId, figure);
  return (
    <span className="z-kind" data-kind={kind?.kind} title={kind?.words}>
      {children}
      {kind && <span className="z-visually-hidden"> ({kind.words})</span>}
    </span>
  );
};

/** Says for a whole screen what its marks mean, and of which kind its pictures and sentences are. `null`: it is about all campaigns. */
export const KindNote = ({ campaignId }: { readonly campaignId: string | null }) => {
  const kind = useFigureKind(campaignId);
  return (
    kind && (
      <span className="z-kind-note" data-kind={kind.kind}>
        {kind.words}
      </span>
    )
  );
};

/** Counts the campaign's figures below with what waits. */
export const PredictedScreen = ({
  campaignId,
  children,
}: {
  readonly campaignId: string;
  readonly children: ReactNode;
}) => {
  const { analytics, included, left } = usePredictedCampaign(campaignId);
  const isKnown = analytics !== null;
  const value = useMemo(() => (isKnown ? { campaignId, included, left } : null), [isKnown, campaignId, included, left]);
  return <PredictedContext value={value}>{children}</PredictedContext>;
};
