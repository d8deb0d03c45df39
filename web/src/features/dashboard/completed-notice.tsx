import { Lock } from '@blueprintjs/icons';
import type { CampaignWire } from '@zakup/contracts/entities';
import { may } from '@zakup/domain/permissions';
import { useAsker } from '../../shared/live/use-may.ts';
import { useEntriesOf, useOutbox } from '../../shared/outbox/outbox-context.tsx';
import { predictedStatus } from '../../shared/predictions/campaign-prediction.ts';
import { useLayoutEffect, useRef } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { useNarrow } from '../../shared/ui/use-media.ts';
import { useCompletion } from './completion-note.tsx';

/**
 * Why nothing can be changed here, and the way out for those who may take it. It stays when the campaign has been opened again: nothing
 * below it moves. `isLine`: in a line of something else.
 */
export const CompletedNotice = ({
  campaign,
  isLine = false,
}: {
  readonly campaign: CampaignWire;
  readonly isLine?: boolean;
}) => {
  const outbox = useOutbox();
  const asker = useAsker();
  const entries = useEntriesOf('campaign', campaign.id);
  const refused = entries.find((entry) => entry.state.kind === 'rejected');
  const isCompleted = campaign.status === 'COMPLETED';
  const reopening = isCompleted && predictedStatus(campaign, entries) !== 'COMPLETED';
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
  const completion = useCompletion(campaign);
  // Elsewhere the status line says it.
  const ownCompletion = useNarrow() && !isLine ? completion : null;
  const panel = useRef<HTMLDivElement>(null);
  const height = useRef(0);
  useLayoutEffect(() => {
    if (panel.current === null) return;
    if (isCompleted) height.current = panel.current.offsetHeight;
    panel.current.style.minHeight = isCompleted ? '' : `${height.current}px`;
  }, [isCompleted]);
  const said = isCompleted
    ? 'Размещения только для чтения: кампания завершена. Выгрузка и история работают.'
    : 'Кампания снова открыта.';
  return (
    <div ref={panel} className={isLine ? 'z-completed z-completed-line' : 'z-panel z-completed'}>
      {isCompleted && <Lock size={14} />}
      <p title={isLine ? said : undefined}>
        {said}
        {ownCompletion !== null && <small className="z-secondary">{ownCompletion}</small>}
        {refused?.state.kind === 'rejected' && <span className="z-bad"> Отклонено: {refused.state.reason}</span>}
      </p>
      {isCompleted && asker && may(asker, 'campaign.reopen').allowed && (
        <Button small disabled={reopening} onClick={reopen}>
          {reopening ? 'Сохранение…' : 'Открыть снова'}
        </Button>
      )}
    </div>
  );
};
