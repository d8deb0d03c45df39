import type { CampaignWire } from '@zakup/contracts/wire-entities';
import { may } from '@zakup/domain/permissions';
import { useAsker } from '../../shared/live/use-may.ts';
import type { Entry } from '../../shared/outbox/entry.ts';
import { useEntriesOf, useOutbox } from '../../shared/outbox/outbox-context.tsx';
import { predictedStatus } from '../../shared/predictions/campaign-prediction.ts';

export interface Reopening {
  /** The command is on its way. */
  readonly busy: boolean;
  /** The last try, which the server refused; absent = it did not. */
  readonly refused: Entry | undefined;
  /** Null = not completed, or not for this person. */
  readonly reopen: (() => void) | null;
}

/** The way back from completed. */
export const useReopen = (campaign: CampaignWire): Reopening => {
  const outbox = useOutbox();
  const asker = useAsker();
  const entries = useEntriesOf('campaign', campaign.id);
  const refused = entries.find((entry) => entry.state.kind === 'rejected');
  const isCompleted = campaign.status === 'COMPLETED';
  const reopen = (): void => {
    if (refused) outbox.dismiss(refused.id);
    outbox.issue({
      target: { kind: 'campaign', id: campaign.id },
      method: 'POST',
      path: `/api/campaigns/${campaign.id}/reopen`,
      body: {},
      baseRevision: null,
      label: 'Открыть кампанию снова',
      scope: 'workspace',
    });
  };
  return {
    busy: isCompleted && predictedStatus(campaign, entries) !== 'COMPLETED',
    refused,
    reopen: isCompleted && asker !== null && may(asker, 'campaign.reopen').allowed ? reopen : null,
  };
};
