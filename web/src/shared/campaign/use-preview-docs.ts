import type { DocKind } from '@zakup/contracts/wire-entities';
import { useEffect } from 'react';
import { isOfCampaign } from '../outbox/entry.ts';
import { useOwnOutbox } from '../outbox/outbox-context.tsx';
import { useDrawn, useReplica } from '../replica/replica-context.tsx';

export interface PreviewDoc {
  readonly kind: DocKind;
  readonly id: string;
  readonly doc: object;
}

/** No scope of the server has such a name. */
export const previewScope = (campaignId: string, name: string): string => `preview:${name}:${campaignId}`;

/**
 * Shows documents of a campaign that were asked for ahead of its load, in a scope of this browser alone, until there are none or the screen is
 * left. They stand at position 0: whatever the server sends of them is newer, and settles what was changed in them. While something of the
 * campaign is on its way when they come they are not shown, as nobody knows whether they have it. True while they are there.
 */
export const usePreviewDocs = (
  campaignId: string,
  /** Names the scope; one for each user of this. */
  name: string,
  /** Stable; null = none. */
  docs: readonly PreviewDoc[] | null,
): boolean => {
  const replica = useReplica();
  const outbox = useOwnOutbox();
  const scope = previewScope(campaignId, name);
  useEffect(() => {
    if (docs === null || outbox?.entries().some((entry) => isOfCampaign(entry, campaignId)) === true) return undefined;
    replica.apply({ scope, position: 0, docs: docs.map((one) => ({ ...one, position: 0 })), last: true });
    return () => replica.forget(scope);
  }, [replica, outbox, campaignId, scope, docs]);
  return useDrawn(scope) && docs !== null;
};
