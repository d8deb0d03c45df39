import { WarningSign } from '@blueprintjs/icons';
import { campaignOf, type Entry, isHeld, waitsForRefused } from '../../shared/outbox/entry.ts';
import { useEntries, useOutbox } from '../../shared/outbox/outbox-context.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { useEffect, useRef } from 'react';

const whyOf = (entry: Entry, entries: readonly Entry[]): string => {
  const { state } = entry;
  switch (state.kind) {
    case 'pending':
      if (waitsForRefused(entry, entries)) return 'Не сохранено. Сначала решите, что делать с отклонённым';
      return isHeld(entry) ? 'Не сохранено. Отправим сами' : 'Отправляется';
    case 'acknowledged':
      return 'Сохранено';
    case 'rejected':
      return `Отклонено: ${state.reason}`;
    case 'conflict': {
      const by = state.conflicts[0]?.by.name ?? '';
      return by === '' ? 'Это уже изменили после вас' : `Это уже изменено: ${by}`;
    }
  }
};

const listPaths: Readonly<Partial<Record<Entry['target']['kind'], string>>> = {
  channel: '/settings?tab=channels',
  campaign: '/settings?tab=campaigns',
  creative: '/creatives',
};

/** Where it is shown; null = nowhere by itself. */
const placeOf = (entry: Entry): string | null => {
  const campaign = campaignOf(entry);
  return campaign === null ? (listPaths[entry.target.kind] ?? null) : `/dashboard?campaign=${campaign}`;
};

/** The change to stand at; a new one with each time that somebody asks for it. */
export interface Wanted {
  readonly entryId: string;
}

/** Changes of one's own that are not on the server: refused and contested ones first, with the way on. */
export const OutboxRows = ({
  wanted,
  onGo,
}: {
  readonly wanted: Wanted | null;
  readonly onGo: (path: string) => void;
}) => {
  const outbox = useOutbox();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (wanted !== null) list.current?.querySelector<HTMLElement>('.z-bell-wanted .z-bell-choice button')?.focus();
  }, [wanted]);
  const open = useEntries().filter(({ state }) => state.kind !== 'acknowledged');
  const waiting = open.filter(({ state }) => state.kind !== 'pending');
  const unsent = open.filter(({ state }) => state.kind === 'pending');
  if (open.length === 0) return null;
  return (
    <ul ref={list} className="z-bell-list z-bell-own" aria-label="Ваши изменения">
      {[...waiting, ...unsent].map((entry) => {
        const place = placeOf(entry);
        const label = entry.label === '' ? 'Изменение' : entry.label;
        return (
          <li key={entry.id} className={entry.id === wanted?.entryId ? 'z-bell-wanted' : undefined}>
            <WarningSign size={14} className={entry.state.kind === 'pending' ? 'z-quiet' : 'z-mid'} />
            <div>
              {place === null ? (
                <b>{label}</b>
              ) : (
                <button type="button" className="z-link" onClick={() => onGo(place)}>
                  {label}
                </button>
              )}
              <p className="z-secondary">{whyOf(entry, open)}</p>
              {isHeld(entry) && !waitsForRefused(entry, open) && (
                <div className="z-bell-choice">
                  <Button small aria-label={`Повторить: ${label}`} onClick={() => outbox.flush()}>
                    Повторить
                  </Button>
                </div>
              )}
              {entry.state.kind === 'rejected' && (
                <div className="z-bell-choice">
                  <Button small aria-label={`Повторить: ${label}`} onClick={() => outbox.tryAgain(entry.id)}>
                    Повторить
                  </Button>
                  <Button small aria-label={`Убрать: ${label}`} onClick={() => outbox.dismiss(entry.id)}>
                    Убрать
                  </Button>
                </div>
              )}
              {entry.state.kind === 'conflict' && (
                <div className="z-bell-choice">
                  <Button small aria-label={`Оставить моё: ${label}`} onClick={() => outbox.keepMine(entry.id)}>
                    Оставить моё
                  </Button>
                  <Button small aria-label={`Взять новое: ${label}`} onClick={() => outbox.takeTheirs(entry.id)}>
                    Взять новое
                  </Button>
                </div>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
};
