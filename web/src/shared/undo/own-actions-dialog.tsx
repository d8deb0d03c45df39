import { dayOf, showTime } from '@zakup/domain/calendar';
import { showCampaignName } from '@zakup/domain/topics';
import { useSyncExternalStore } from 'react';
import { showDay } from '../day/shown-day.ts';
import { campaignOf } from '../outbox/entry.ts';
import { progressOf, stateText } from '../import/import-state.ts';
import { useDoc, useReplica } from '../replica/replica-context.tsx';
import { LiveRegion } from '../toasts/live-region.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Meter } from '../ui/meter.tsx';
import { EmptyState } from '../ui/states.tsx';
import { actionText } from './action-labels.ts';
import type { ListedAction, OwnActions } from './own-actions.ts';
import { isImport, isUndoneElsewhere } from './own-import.ts';
import './undo.css';

const stateLabels: Readonly<Record<ListedAction['state'], string>> = {
  done: 'сделано',
  undone: 'отменено',
  left: 'сделано, позже изменено другими',
  unsent: 'ждёт отправки',
  busy: 'отправляется',
};

const verbs: Readonly<Record<ListedAction['state'], 'Отменить' | 'Повторить' | null>> = {
  done: 'Отменить',
  undone: 'Повторить',
  left: 'Отменить',
  unsent: 'Отменить',
  busy: null,
};

/** «14:02», with the day where that is not today's. */
const momentText = (at: number): string => {
  const instant = new Date(at).toISOString();
  const day = dayOf(instant);
  return day === dayOf(new Date().toISOString()) ? showTime(instant) : `${showDay(day)}, ${showTime(instant)}`;
};

/** How far the server has come with undoing an import, or with bringing it in again. */
const ImportGoing = ({ id }: { readonly id: string }) => {
  const doc = useDoc('import', id);
  const progress = doc === null ? null : progressOf(doc);
  if (doc === null || progress === null) return null;
  return <Meter value={progress} tone="accent" label="Ход" text={stateText(doc)} />;
};

const ActionItem = ({
  listed: { action, state },
  actions,
}: {
  readonly listed: ListedAction;
  readonly actions: OwnActions;
}) => {
  const replica = useReplica();
  const text = actionText(replica, action);
  const isOver = isUndoneElsewhere(action);
  const verb = verbs[state];
  const waits = isImport(action) ? 'Выполняется' : 'Отправляется';
  const campaignId = campaignOf(action);
  const campaign = campaignId === null ? null : replica.get('campaign', campaignId);
  return (
    <li className="z-own-action">
      <span>
        <b>{text}</b>
        <span className="z-second">
          {[
            momentText(action.at),
            campaign === null ? null : showCampaignName(campaign.name),
            isOver
              ? 'отменено другим сотрудником'
              : isImport(action) && state === 'busy'
                ? 'выполняется'
                : stateLabels[state],
          ]
            .filter((part) => part !== null)
            .join(' · ')}
        </span>
        {isImport(action) && <ImportGoing id={action.id} />}
      </span>
      {!isOver && (
        <Button
          small
          // Not disabled: it keeps the focus until it says the other way.
          aria-disabled={verb === null}
          aria-label={`${verb ?? waits}: ${text}`}
          onClick={() => (verb === 'Повторить' ? actions.redo(action.id) : actions.undo(action.id))}
        >
          {verb ?? waits}
        </Button>
      )}
    </li>
  );
};

/** What the person did to placements last, each with the way back or forth. */
export const OwnActionsDialog = ({
  actions,
  onClose,
}: {
  readonly actions: OwnActions;
  readonly onClose: () => void;
}) => {
  const list = useSyncExternalStore(actions.subscribe, actions.list);
  return (
    <Dialog title="Мои последние действия" width={560} onClose={onClose}>
      {list.length === 0 ? (
        <EmptyState title="Здесь будут ваши изменения размещений">
          С этого устройства, до выхода из системы. Каждое можно отменить и повторить.
        </EmptyState>
      ) : (
        <>
          <ol className="z-own-actions">
            {list.map((listed) => (
              <ActionItem key={listed.action.id} listed={listed} actions={actions} />
            ))}
          </ol>
          <p className="z-secondary">
            <LiveRegion later>{`Отменено: ${list.filter(({ state }) => state === 'undone').length}`}</LiveRegion>.
            Показаны изменения с этого устройства, последние сто, до выхода из системы.
          </p>
        </>
      )}
    </Dialog>
  );
};
