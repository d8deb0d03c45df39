import { Menu, MenuDivider, MenuItem } from '@blueprintjs/core';
import { Blank, Tick } from '@blueprintjs/icons';
import { useMoment } from '../../../shared/moment/moment-context.ts';
import { focusLateMenu } from '../../../shared/ui/menu-focus.ts';
import { openOwnActions } from '../../../shared/undo/undo-requests.ts';
import { type Grouping, groupings } from '@zakup/domain/views/view-parameters';
import { groupingLabels } from '../rows/grouping.ts';

export interface MoreMenuProps {
  /** `null` = this person may not take files along. */
  readonly onExport: ((format: 'csv' | 'xlsx') => void) | null;
  readonly onPrint: () => void;
  readonly onCopyLink: () => void;
  /** `null` = this person may not add any. */
  readonly onRepeat: (() => void) | null;
  readonly grouping: Grouping | null;
  readonly onGrouping: (grouping: Grouping | null) => void;
  /** `null` = there is no keyboard to tell of. */
  readonly onKeys: (() => void) | null;
}

/** What else may be done with the table. */
export const MoreMenu = ({ onExport, onPrint, onCopyLink, onRepeat, grouping, onGrouping, onKeys }: MoreMenuProps) => (
  <Menu ulRef={focusLateMenu}>
    {onRepeat && <MenuItem text="Повторить прошлую неделю…" onClick={onRepeat} />}
    {onExport && <MenuItem text="Скачать XLSX" onClick={() => onExport('xlsx')} />}
    {onExport && <MenuItem text="Скачать CSV" onClick={() => onExport('csv')} />}
    <MenuItem text="Печать" onClick={onPrint} />
    <MenuItem text="Скопировать ссылку на вид" onClick={onCopyLink} />
    {/* What is undone there is undone now: a table of the past has no such list. */}
    {useMoment() === null && <MenuItem text="Мои последние действия" onClick={openOwnActions} />}
    <MenuDivider title="Группы" />
    {groupings.map((one) => (
      <MenuItem
        key={one}
        text={groupingLabels[one]}
        icon={grouping === one ? <Tick size={14} /> : <Blank size={14} />}
        onClick={() => onGrouping(one)}
      />
    ))}
    <MenuItem
      text="Без групп"
      icon={grouping === null ? <Tick size={14} /> : <Blank size={14} />}
      onClick={() => onGrouping(null)}
    />
    {onKeys && <MenuDivider />}
    {onKeys && <MenuItem text="Клавиши" label="?" onClick={onKeys} />}
  </Menu>
);
