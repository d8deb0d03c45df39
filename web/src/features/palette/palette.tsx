import { LiveRegion } from '../../shared/toasts/live-region.tsx';
import { Classes, Dialog as BlueprintDialog } from '@blueprintjs/core';
import { Search } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import type { SearchHit } from '@zakup/contracts/calls/replies';
import { type KeyboardEvent, useDeferredValue, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useApi } from '../../shared/api/api-context.tsx';
import { problemText } from '../../shared/api/api-problem.ts';
import { useOpenContractor } from '../../shared/dialogs/contractor-opener.tsx';
import { useMoment } from '../../shared/time-travel/moment-context.ts';
import { asGroup, asListbox, asOption } from '../../shared/ui/listbox-roles.ts';
import { useFocusBack } from '../../shared/ui/use-focus-back.ts';
import { useGo } from '../../shared/ui/use-go.ts';
import {
  asideOf,
  groupsOf,
  groupTitles,
  itemKey,
  itemsOf,
  itemTitle,
  openHit,
  type PaletteAction,
  type PaletteItem,
} from './palette-item.ts';

const longestQuery = 200;
const none: readonly SearchHit[] = [];

/** How far a key moves in the list; null = it is no such key. */
const stepOf = (key: string, size: number): number | null => {
  switch (key) {
    case 'ArrowDown':
      return 1;
    case 'ArrowUp':
      return size - 1;
    default:
      return null;
  }
};

/**
 * Finds anything of the licence and does what is asked; arrows choose, Enter does it, Escape closes. All of it is there in the render that
 * brings it, and its field has the focus when that render's effects have run: Blueprint's own portal and a lazy dialog come renders later,
 * and a key that comes before them would be lost.
 */
export const Palette = ({
  actions,
  onClose,
}: {
  readonly actions: readonly PaletteAction[];
  readonly onClose: () => void;
}) => {
  const api = useApi();
  const go = useGo();
  const isPast = useMoment() !== null;
  const openContractor = useOpenContractor();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  /** Whether the person chose among what is listed. */
  const [chosen, setChosen] = useState(false);
  /** Enter came before what is looked for: the first of it is opened as it comes. */
  const [opensFirst, setOpensFirst] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const asked = useDeferredValue(typed.trim().slice(0, longestQuery));
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery<readonly SearchHit[]>({
    queryKey: ['search', asked],
    enabled: asked !== '',
    placeholderData: (before) => before,
    queryFn: async ({ signal }) =>
      (await api.get<{ hits: readonly SearchHit[] }>('/api/search', { query: { q: asked }, signal })).data.hits,
  });
  useFocusBack();
  // Not before the effects of the dialog: by them an open popover lets go of the focus.
  useEffect(() => field.current?.focus(), []);
  const items = itemsOf(typed, actions, typed.trim() === '' ? none : (data ?? none));
  const failed = error !== null && typed.trim() !== '';
  const isAsked = asked === typed.trim().slice(0, longestQuery);
  /** What is listed is what was typed, not what was before it. */
  const isFound = typed.trim() === '' || (isAsked && data !== undefined && !isPlaceholderData && !failed);
  const at = Math.min(active, Math.max(0, items.length - 1));
  useEffect(() => {
    list.current?.querySelector(`#${CSS.escape(`${id}${at}`)}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);

  const select = (item: PaletteItem): void => {
    onClose();
    if (item.kind === 'action') item.action.run();
    else openHit(item.hit, { go, openContractor });
  };
  const choose = (index: number): void => {
    setActive(index);
    setChosen(true);
    setOpensFirst(false);
  };
  const enter = (item: PaletteItem | undefined): void => {
    // Beside a text that is still looked for stands what an earlier one found.
    if (item !== undefined && (item.kind === 'action' || isFound || chosen)) select(item);
    else setOpensFirst(!failed && !isFound);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const step = stepOf(event.key, items.length);
    if (step !== null && items.length > 0) choose((at + step) % items.length);
    else if (event.key === 'Enter') enter(items[at]);
    else return;
    event.preventDefault();
  };
  const openFirst = useEffectEvent((): void => {
    if (items[0] !== undefined) select(items[0]);
  });
  useEffect(() => {
    if (opensFirst && isFound) openFirst();
  }, [opensFirst, isFound]);

  return createPortal(
    <div className={`${Classes.PORTAL} z-palette-layer`}>
      <BlueprintDialog
        isOpen
        lazy={false}
        usePortal={false}
        onClose={onClose}
        aria-labelledby={`${id}title`}
        transitionDuration={120}
        className="z-dialog z-palette"
      >
        <h2 id={`${id}title`} className="z-visually-hidden">
          Поиск и команды
        </h2>
        <div className="z-palette-field">
          <Search size={16} />
          <input
            className="z-input"
            type="text"
            role="combobox"
            aria-label="Поиск и команды"
            aria-expanded={items.length > 0}
            aria-autocomplete="list"
            aria-controls={`${id}list`}
            aria-activedescendant={items.length > 0 ? `${id}${at}` : undefined}
            autoComplete="off"
            placeholder="Кампания, ник, креатив, человек или действие"
            maxLength={longestQuery}
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              setActive(0);
              setChosen(false);
              setOpensFirst(false);
            }}
            onKeyDown={onKeyDown}
            ref={field}
          />
        </div>
        {isPast && <p className="z-palette-now">Поиск – по тому, что есть сейчас; найденное откроется как сейчас</p>}
        <div ref={list} {...asListbox} id={`${id}list`} className="z-palette-list" aria-label="Найденное">
          {groupsOf(items).map(({ group, items: ofGroup }) => (
            <div key={`${group} ${ofGroup[0]?.index}`} {...asGroup} aria-label={groupTitles[group]}>
              <div className="z-palette-group" aria-hidden="true">
                {groupTitles[group]}
              </div>
              {ofGroup.map(({ item, index }) => (
                <button
                  type="button"
                  key={itemKey(item)}
                  id={`${id}${index}`}
                  {...asOption(index === at)}
                  className="z-palette-item"
                  onPointerMove={() => choose(index)}
                  onClick={() => select(item)}
                >
                  <span>{itemTitle(item)}</span>
                  {asideOf(item) !== undefined && <small>{asideOf(item)}</small>}
                </button>
              ))}
            </div>
          ))}
        </div>
        {opensFirst && !isFound && !failed && items.length > 0 && (
          <LiveRegion className="z-palette-none">Ищем… Откроется первое найденное</LiveRegion>
        )}
        {isFound && items.length > 0 && typed.trim() !== '' && (
          <LiveRegion className="z-visually-hidden">Найдено: {items.length}</LiveRegion>
        )}
        {(items.length === 0 || failed) && (
          <LiveRegion className="z-palette-none">
            {failed ? (
              <>
                {problemText(error)}{' '}
                <button type="button" className="z-link" onClick={() => void refetch()}>
                  Повторить
                </button>
              </>
            ) : isFetching || !isFound ? (
              'Ищем…'
            ) : (
              'Ничего не найдено'
            )}
          </LiveRegion>
        )}
      </BlueprintDialog>
    </div>,
    document.body,
  );
};
