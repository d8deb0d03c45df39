import { Lock } from '@blueprintjs/icons';
import type { CampaignWire } from '@zakup/contracts/wire-entities';
import { useLayoutEffect, useRef } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { useNarrow } from '../../shared/ui/use-media.ts';
import { useCompletion } from './completion-note.tsx';
import { useReopen } from './use-reopen.ts';

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
  const { busy, refused, reopen } = useReopen(campaign);
  const isCompleted = campaign.status === 'COMPLETED';
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
      {reopen !== null && (
        <Button small disabled={busy} onClick={reopen}>
          {busy ? 'Сохранение…' : 'Открыть снова'}
        </Button>
      )}
    </div>
  );
};
