import { Lock } from '@blueprintjs/icons';
import type { CampaignWire } from '@zakup/contracts/entities';
import { may } from '@zakup/domain/permissions';
import { useAsker } from '../../shared/live/use-may.ts';
import { useEntriesOf, useOutbox } from '../../shared/outbox/outbox-context.tsx';
import { predictedStatus } from '../../shared/predictions/campaign-prediction.ts';
import { Button } from '../../shared/ui/button.tsx';

/** Why nothing can be changed here, and the way out for those who may take it. */
export const CompletedNotice = ({ campaign }: { readonly campaign: CampaignWire }) => {
  const outbox = useOutbox();
  const asker = useAsker();
  const entries = useEntriesOf('campaign', campaign.id);
  const refused = entries.find((entry) => entry.state.kind === 'rejected');
  const reopening = predictedStatus(campaign, entries) !== 'COMPLETED';
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
  return (
    <div className="z-panel z-completed">
      <Lock size={14} />
      <p>
        Размещения только для чтения: кампания завершена. Выгрузка и история работают.
        {refused?.state.kind === 'rejected' && <span className="z-bad"> Отклонено: {refused.state.reason}</span>}
      </p>
      {asker && may(asker, 'campaign.reopen').allowed && (
        <Button small disabled={reopening} onClick={reopen}>
          {reopening ? 'Сохранение…' : 'Открыть снова'}
        </Button>
      )}
    </div>
  );
};
