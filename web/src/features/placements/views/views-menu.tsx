import { Menu, MenuDivider, MenuItem } from '@blueprintjs/core';
import { Blank, Tick } from '@blueprintjs/icons';
import type { ViewWire } from '@zakup/contracts/wire-entities';
import type { ReactNode } from 'react';
import { focusLateMenu } from '../../../shared/ui/menu-focus.ts';

interface ViewsMenuProps {
  /** By name. */
  readonly views: readonly ViewWire[];
  /** Whose own views stand first. */
  readonly userId: string;
  readonly isShown: (view: ViewWire) => boolean;
  readonly onShow: (view: ViewWire) => void;
  /** `null` = this person saves none. */
  readonly onSave: (() => void) | null;
  /** The one that was chosen, where this person may change it. */
  readonly changed: {
    readonly view: ViewWire;
    /** `null` = the table shows what it says. */
    readonly onUpdate: (() => void) | null;
    readonly onRename: () => void;
    readonly onRemove: () => void;
  } | null;
}

/** What may be done to views, and the views to choose from. */
export const ViewsMenu = ({ views, userId, isShown, onShow, onSave, changed }: ViewsMenuProps) => {
  const listed = (title: string, shown: readonly ViewWire[]): ReactNode =>
    shown.length > 0 && (
      <>
        <MenuDivider title={title} />
        {shown.map((view) => (
          <MenuItem
            key={view.id}
            text={view.name}
            icon={isShown(view) ? <Tick size={14} /> : <Blank size={14} />}
            aria-current={isShown(view)}
            onClick={() => onShow(view)}
          />
        ))}
      </>
    );
  return (
    <Menu className="z-views" ulRef={focusLateMenu}>
      {onSave && <MenuItem text="Сохранить вид…" onClick={onSave} />}
      {changed?.onUpdate && <MenuItem text={`Обновить «${changed.view.name}»`} onClick={changed.onUpdate} />}
      {changed && <MenuItem text={`Переименовать «${changed.view.name}»…`} onClick={changed.onRename} />}
      {changed && <MenuItem text={`Удалить «${changed.view.name}»`} onClick={changed.onRemove} />}
      {views.length === 0 && <MenuItem disabled text="Сохранённых видов пока нет" />}
      {listed(
        'Мои',
        views.filter(({ shared, authorId }) => !shared && authorId === userId),
      )}
      {listed(
        'Команды',
        views.filter(({ shared }) => shared),
      )}
    </Menu>
  );
};
