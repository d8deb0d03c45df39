import { useQuery } from '@tanstack/react-query';
import type { AnalyticsWire } from '@zakup/contracts/wire-entities';
import { useMemo } from 'react';
import { useApi } from '../api/api-context.tsx';
import { useMoment } from '../moment/moment-context.ts';
import { useDoc, useDrawn } from '../replica/replica-context.tsx';
import { type PreviewDoc, usePreviewDocs } from './use-preview-docs.ts';
import { analyticsQuery } from './summary-query.ts';

/** Of so many placements all are there about as soon as a first page of them. */
const fewPlacements = 1000;

/**
 * Asks for the figures of a campaign whose load is still on its way, and shows them in its place where it will take a while. What it answers are the
 * sums alone; undefined until they came. Of a load that is drawn nothing is asked: what it lacks was deleted, and the server has it no more.
 */
export const useCampaignPreview = (campaignId: string, isRefused: boolean): AnalyticsWire['summary'] | undefined => {
  const now = useMoment() === null;
  const drawn = useDrawn(`campaign:${campaignId}`);
  const isThere = useDoc('analytics', campaignId) !== null;
  const { data, isFetchedAfterMount } = useQuery({
    ...analyticsQuery(useApi(), campaignId),
    enabled: now && !isThere && !drawn,
    // Others may have asked a moment ago: that answer may lack what was changed since.
    refetchOnMount: 'always',
    staleTime: 0,
  });
  const isWorth = data !== undefined && data.summary.totalPlacements > fewPlacements;
  const analytics = now && !drawn && !isRefused && isFetchedAfterMount && isWorth ? data : null;
  const docs = useMemo(
    (): readonly PreviewDoc[] | null => analytics && [{ kind: 'analytics', id: campaignId, doc: analytics }],
    [analytics, campaignId],
  );
  usePreviewDocs(campaignId, 'analytics', docs);
  return now ? data?.summary : undefined;
};
