import { LiveRegion } from '../../../shared/toasts/live-region.tsx';
import { Cross, Filter, More, Search, ListColumns } from '@blueprintjs/icons';
import { formatNumber } from '@zakup/domain/russian';
import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { failedDialog } from '../../../shared/ui/failed-dialog.tsx';
import { MenuButton, menuWaiting } from '../../../shared/ui/menu-button.tsx';
import { lazyPart } from '../../../shared/ui/lazy-part.tsx';
import { Skeleton } from '../../../shared/ui/states.tsx';
import type { ColumnsListProps } from './columns-list.tsx';
import type { FilterFieldsProps } from './filter-fields.tsx';
import type { MoreMenuProps } from './more-menu.tsx';
import { anyStatus } from '@zakup/domain/views/view-parameters';
import type { PlacementFilters } from './placement-filters.ts';
import { Popover } from '../../../shared/ui/popover.tsx';
import { usePreload } from '../../../shared/ui/use-preload.ts';

const FilterFields = lazyPart(async () => (await import('./filter-fields.tsx')).FilterFields, {
  waiting: (
    <div className="z-filter-fields">
      <Skeleton rows={4} height={54} label="Загрузка фильтра" />
    </div>
  ),
});
const FilterDialog = lazyPart(async () => (await import('./filter-dialog.tsx')).FilterDialog, {
  failed: failedDialog,
});
const MoreMenu = lazyPart(async () => (await import('./more-menu.tsx')).MoreMenu, {
  waiting: menuWaiting(8),
});
const ColumnsList = lazyPart(async () => (await import('./columns-list.tsx')).ColumnsList, {
  waiting: <Skeleton rows={8} height={20} label="Загрузка столбцов" />,
});

/** Opens with Ctrl+F or its button; Escape clears and closes it. */
export const SearchBox = ({
  value,
  input,
  onChange,
  onLeave,
}: {
  readonly value: string;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onChange: (text: string) => void;
  /** Escape: the keyboard goes back to the table. */
  readonly onLeave: () => void;
}) => {
  const [open, setOpen] = useState(false);
  const shown = open || value !== '';
  useEffect(() => {
    if (open) input.current?.focus();
  }, [open, input]);
  if (!shown)
    return (
      <Button
        look="plain"
        small
        icon={<Search size={14} />}
        data-search=""
        aria-keyshortcuts="Control+F"
        title="Найти: Ctrl F в таблице"
        onClick={() => setOpen(true)}
      >
        Найти
      </Button>
    );
  return (
    <span className="z-table-search">
      <Search size={14} />
      <input
        ref={input}
        className="z-input"
        type="search"
        aria-label="Найти в размещениях"
        placeholder="Ник, тематика, креатив, байер"
        maxLength={100}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onBlur={() => setOpen(false)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          onChange('');
          setOpen(false);
          onLeave();
        }}
      />
    </span>
  );
};

/** A popup that a calendar opened from inside does not close. */
const BarPopover = ({
  label,
  icon,
  preload,
  children,
}: {
  readonly label: string;
  readonly icon: ReactNode;
  /** Loads the code of what is in it; stable. */
  readonly preload: () => void;
  readonly children: ReactNode;
}) => {
  const [open, setOpen] = useState(false);
  usePreload(preload);
  return (
    <Popover
      placement="bottom-end"
      arrow={false}
      isOpen={open}
      onInteraction={(next, event) => {
        const target = event?.target;
        if (!next && target instanceof Element && target.closest('[data-floating]')) return;
        setOpen(next);
      }}
      content={<div className="z-bar-popover">{children}</div>}
      renderTarget={({ isOpen, ref, ...target }) => (
        <button
          {...target}
          onPointerEnter={preload}
          onFocus={preload}
          ref={ref}
          type="button"
          className="z-button z-button-plain z-button-small"
          aria-haspopup="dialog"
          aria-expanded={isOpen}
        >
          {icon}
          {label}
        </button>
      )}
    />
  );
};

interface FilterButtonProps extends FilterFieldsProps {
  /** How many filters are on. */
  readonly count: number;
  readonly narrow: boolean;
  readonly onReset: () => void;
  /** What chooses the order, where headings do not; stands before the filters. */
  readonly order: ReactNode;
}

export const FilterButton = ({ count, narrow, onReset, order, ...rest }: FilterButtonProps) => {
  const [open, setOpen] = useState(false);
  const label = count === 0 ? 'Фильтр' : `Фильтр: ${formatNumber(count)}`;
  usePreload(narrow ? FilterDialog.preload : undefined);
  if (!narrow)
    return (
      <BarPopover label={label} icon={<Filter size={14} />} preload={FilterFields.preload}>
        <FilterFields {...rest} />
        <div className="z-bar-popover-foot">
          <Button small onClick={onReset}>
            Сбросить фильтры
          </Button>
        </div>
      </BarPopover>
    );
  return (
    <>
      <Button
        look="plain"
        icon={<Filter size={15} />}
        onPointerEnter={FilterDialog.preload}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      {open && <FilterDialog {...rest} order={order} onReset={onReset} onClose={() => setOpen(false)} />}
    </>
  );
};

/** Which columns are shown. */
export const ColumnsButton = (props: ColumnsListProps) => (
  <BarPopover label="Столбцы" icon={<ListColumns size={14} />} preload={ColumnsList.preload}>
    <ColumnsList {...props} />
  </BarPopover>
);

export const MoreButton = (props: MoreMenuProps) => (
  <MenuButton
    className="z-button z-button-plain z-button-small z-button-icon"
    aria-label={props.onKeys === null ? 'Ещё: скачать, печать' : 'Ещё: скачать, печать, клавиши'}
    preload={MoreMenu.preload}
    menu={<MoreMenu {...props} />}
  >
    <More size={14} />
  </MenuButton>
);

/** That some rows are out of sight though nobody asked for it, and the way to them. */
export const TakenDownNote = ({
  count,
  short = false,
  onFilter,
}: {
  readonly count: number;
  /** Beside chips, and on a phone, there is room for the way only; what it is about is said to whoever points at it. */
  readonly short?: boolean;
  readonly onFilter: (change: Partial<PlacementFilters>) => void;
}) => {
  const said = `Снятые раньше срока скрыты: ${formatNumber(count)}.`;
  return (
    count > 0 && (
      <span className="z-taken-down z-secondary">
        {!short && said}
        <button
          type="button"
          className="z-link"
          title={short ? said : undefined}
          onClick={() => onFilter({ status: [anyStatus] })}
        >
          {short ? `Показать снятые: ${formatNumber(count)}` : 'Показать'}
        </button>
      </span>
    )
  );
};

/** What narrows the table, each with the way to take it away. */
export const FilterChips = ({
  chips,
  shown,
  all,
  onReset,
  children,
}: {
  readonly chips: readonly {
    readonly text: string;
    /** What the text only counts, said in full to whoever points at it or hears it. */
    readonly whole: string;
    readonly onRemove: () => void;
  }[];
  readonly shown: number;
  readonly all: number;
  readonly onReset: () => void;
  /** What else is to be said of rows that are out of sight. */
  readonly children?: ReactNode;
}) => (
  <div className="z-filter-chips">
    <LiveRegion className="z-secondary">{`показано ${formatNumber(shown)} из ${formatNumber(all)}`}</LiveRegion>
    <span className="z-filter-chip-list">
      {chips.map(({ text, whole, onRemove }) => (
        <button
          key={text}
          type="button"
          className="z-chip z-chip-accent"
          aria-label={`Убрать: ${whole}`}
          title={whole === text ? undefined : whole}
          onClick={onRemove}
        >
          <span>{text}</span>
          <Cross size={12} />
        </button>
      ))}
    </span>
    {children}
    <button type="button" className="z-link" onClick={onReset}>
      Сбросить фильтры
    </button>
  </div>
);
