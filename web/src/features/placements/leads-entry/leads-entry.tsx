import type { Day } from '@zakup/domain/calendar';
import { formatNumber } from '@zakup/domain/russian';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useSession } from '../../../shared/session/session-context.tsx';
import { LiveRegion } from '../../../shared/toasts/live-region.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { useDiscardQuestion } from '../../../shared/ui/dialog.tsx';
import { LoadMore } from '../../../shared/ui/load-more.tsx';
import { Meter } from '../../../shared/ui/meter.tsx';
import { ModalDrawer } from '../../../shared/ui/modal-drawer.tsx';
import { openOwnActions } from '../../../shared/undo/undo-requests.ts';
import type { CampaignPlacements } from '../rows/use-campaign-placements.ts';
import { LeadsEntryRow } from './leads-entry-row.tsx';
import { type LeadsEntryState, useLeadsEntry } from './use-leads-entry.ts';
import './leads-entry.css';

/** So many stand in the document ahead of the one in use. */
const ahead = 40;

const partOf = (id: string, part = ''): HTMLElement | null =>
  document.querySelector(`.z-leads-list [data-placement="${CSS.escape(id)}"] ${part}`);

/** The keyboard begins in the first field. */
const begin = (list: HTMLElement | null): void =>
  list?.querySelector<HTMLElement>('input:not(:disabled)')?.focus({ preventScroll: true });

/** Which of the placements has the keyboard, and the ways from one to the next. */
const useSteps = ({ opened, current, isOpen, save, skip }: LeadsEntryState) => {
  const [at, setAt] = useState<string | null>(null);
  const [count, setCount] = useState(ahead);
  /** The keyboard is on its way from one to another, saved already. */
  const isMoving = useRef(false);
  /** The keyboard goes on to the end of the list as soon as there is one. */
  const [wantsEnd, setWantsEnd] = useState(false);
  const placeOf = (id: string): number => opened.findIndex((row) => row.id === id);
  const goTo = (id: string | undefined): void => {
    if (id === undefined) return;
    if (placeOf(id) >= count) flushSync(() => setCount(placeOf(id) + ahead));
    isMoving.current = true;
    partOf(id, 'input')?.focus();
    isMoving.current = false;
  };
  const nextOf = (id: string): string | undefined => {
    const place = placeOf(id);
    return [...opened.slice(place + 1), ...opened.slice(0, place)].find((row) => isOpen(row.id))?.id;
  };
  const goOn = (id: string): void => {
    const next = nextOf(id);
    setWantsEnd(next === undefined);
    goTo(next);
  };
  const isOver = !opened.some(({ id }) => isOpen(id));
  return {
    at,
    isOver,
    wantsEnd,
    count,
    more: () => setCount((before) => before + ahead),
    goTo,
    onFocus: (id: string) => {
      setAt(id);
      setWantsEnd(false);
      setCount((before) => Math.max(before, placeOf(id) + ahead));
      partOf(id)?.scrollIntoView?.({ block: 'start' });
    },
    onBlur: (id: string) => {
      if (!isMoving.current) save(id);
    },
    onNext: (id: string) => {
      if (save(id)) goOn(id);
    },
    onSkip: (id: string) => {
      skip(id);
      goOn(id);
    },
    onBack: (id: string) => {
      if (!save(id)) return;
      goTo(opened.slice(0, placeOf(id)).findLast((row) => current.has(row.id))?.id);
    },
  };
};

/** What there is to say when nothing is left to enter. */
const Over = ({
  entry: { opened, entered, skipped, current },
  isWanted,
  onAgain,
  onClose,
}: {
  readonly entry: LeadsEntryState;
  /** The keyboard is on its way here. */
  readonly isWanted: boolean;
  readonly onAgain: (first: string) => void;
  readonly onClose: () => void;
}) => {
  const left = opened.filter(({ id }) => skipped.has(id) && current.get(id)?.placement.leads === 0);
  const [first] = left;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isWanted) button.current?.focus();
  }, [isWanted]);
  return (
    <div className="z-leads-over">
      <LiveRegion>
        {opened.length === 0
          ? 'Вносить нечего: у всех вышедших размещений, которые вы можете менять, приход есть'
          : `Готово: внесено ${formatNumber(entered)} из ${formatNumber(current.size)}${left.length === 0 ? '' : `, пропущено ${formatNumber(left.length)}`}`}
      </LiveRegion>
      {first !== undefined && <Button onClick={() => onAgain(first.id)}>К пропущенным</Button>}
      {opened.length > 0 && <Button onClick={openOwnActions}>Мои последние действия</Button>}
      <Button ref={button} look="primary" onClick={onClose}>
        {opened.length === 0 ? 'Закрыть' : 'Готово'}
      </Button>
    </div>
  );
};

/**
 * Placements that are out and have no 'Приход', one under another over the whole screen, each with its number: what is typed is saved by
 * going on to the next. Which they are is settled when the list opens, so that nothing moves under a finger.
 */
export const LeadsEntry = ({
  placements,
  day,
  onClose,
}: {
  readonly placements: CampaignPlacements;
  /** Today. */
  readonly day: Day;
  readonly onClose: () => void;
}) => {
  const { names, rights } = placements;
  const { person } = useSession();
  const entry = useLeadsEntry(placements, day);
  const { at, count, isOver, wantsEnd, more, goTo, onFocus, onBlur, onNext, onSkip, onBack } = useSteps(entry);
  const { opened, current, drafts, entered } = entry;
  const { leave, question } = useDiscardQuestion(entry.hasUnreadable);
  const close = (): void => {
    for (const id of drafts.keys()) entry.save(id);
    leave(onClose);
  };
  const progress = `${formatNumber(entered)} из ${formatNumber(current.size)}`;
  return (
    <ModalDrawer
      name="Внести приход"
      position="bottom"
      size="100%"
      className="z-leads"
      bodyClassName="z-leads-body"
      closeClassName="z-leads-close"
      onClose={close}
    >
      <header className="z-leads-head">
        <h2>Внести приход</h2>
        {opened.length > 0 && (
          <>
            <LiveRegion later className="z-second">{`Внесено ${progress}`}</LiveRegion>
            <Meter
              value={current.size === 0 ? 0 : (entered / current.size) * 100}
              tone="good"
              label="Внесено"
              text={progress}
            />
          </>
        )}
      </header>
      <ol ref={begin} className="z-leads-list" aria-label="Размещения без прихода">
        {opened.slice(0, count).map((before, place) => {
          const { id, nick } = before;
          const row = current.get(id);
          return (
            <li key={id} data-placement={id} data-current={at === id || undefined}>
              {row === undefined ? (
                <span className="z-second">
                  {nick}: <LiveRegion>размещение удалено</LiveRegion>
                </span>
              ) : (
                <LeadsEntryRow
                  row={row}
                  names={names}
                  draft={drafts.get(id)}
                  isCurrent={at === id}
                  isFirst={place === 0}
                  isSkipped={entry.skipped.has(id)}
                  isOwn={row.placement.buyerId === person.id}
                  isEditable={rights.editable(row)}
                  command={entry.commands.get(id)}
                  onFocus={() => onFocus(id)}
                  onBlur={() => onBlur(id)}
                  onType={(text) => entry.type(row, text)}
                  onNext={() => onNext(id)}
                  onSkip={() => onSkip(id)}
                  onBack={() => onBack(id)}
                  onUndo={() => entry.undo(id)}
                />
              )}
            </li>
          );
        })}
      </ol>
      {opened.length > count && <LoadMore rest={opened.length - count} onMore={more} />}
      {isOver && (
        <Over
          entry={entry}
          isWanted={wantsEnd}
          onAgain={(id) => {
            entry.unskip();
            goTo(id);
          }}
          onClose={close}
        />
      )}
      {question}
    </ModalDrawer>
  );
};
