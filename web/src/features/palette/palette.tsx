import { Classes, Dialog as BlueprintDialog } from '@blueprintjs/core';
import { Search } from '@blueprintjs/icons';
import { useEffect, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import { problemText } from '../../shared/api/api-problem.ts';
import { useOpenContractor } from '../../shared/dialogs/contractor-opener.tsx';
import { useMoment } from '../../shared/moment/moment-context.ts';
import { LiveRegion } from '../../shared/toasts/live-region.tsx';
import { useFocusBack } from '../../shared/ui/use-focus-back.ts';
import { useGo } from '../../shared/ui/use-go.ts';
import { openHit, type PaletteAction, type PaletteItem } from './palette-item.ts';
import { PaletteList } from './palette-list.tsx';
import { usePaletteChoice } from './use-palette-choice.ts';
import { longestQuery, type PaletteSearch, usePaletteSearch } from './use-palette-search.ts';

/** How far the search has come: how many are found, that none is, or why it failed. */
const PaletteState = ({
  search: { typed, items, isFound, isFetching, error, retry },
  opensFirst,
}: {
  readonly search: PaletteSearch;
  /** The first that is found will be opened. */
  readonly opensFirst: boolean;
}) => (
  <>
    {opensFirst && !isFound && error === null && items.length > 0 && (
      <LiveRegion className="z-palette-none">Ищем… Откроется первое найденное</LiveRegion>
    )}
    {isFound && items.length > 0 && typed.trim() !== '' && (
      <LiveRegion className="z-visually-hidden">Найдено: {items.length}</LiveRegion>
    )}
    {(items.length === 0 || error !== null) && (
      <LiveRegion className="z-palette-none">
        {error !== null ? (
          <>
            {problemText(error)}{' '}
            <button type="button" className="z-link" onClick={retry}>
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
  </>
);

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
  const go = useGo();
  const isPast = useMoment() !== null;
  const openContractor = useOpenContractor();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const search = usePaletteSearch(actions);
  const { typed, items } = search;
  useFocusBack();
  // Not before the effects of the dialog: by them an open popover lets go of the focus.
  useEffect(() => field.current?.focus(), []);
  const select = (item: PaletteItem): void => {
    onClose();
    if (item.kind === 'action') item.action.run();
    else openHit(item.hit, { go, openContractor });
  };
  const { list, at, opensFirst, choose, reset, onKeyDown } = usePaletteChoice({ id, search, onSelect: select });

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
              search.setTyped(event.target.value);
              reset();
            }}
            onKeyDown={onKeyDown}
            ref={field}
          />
        </div>
        {isPast && <p className="z-palette-now">Поиск – по тому, что есть сейчас; найденное откроется как сейчас</p>}
        <PaletteList id={id} list={list} items={items} at={at} onChoose={choose} onSelect={select} />
        <PaletteState search={search} opensFirst={opensFirst} />
      </BlueprintDialog>
    </div>,
    document.body,
  );
};
