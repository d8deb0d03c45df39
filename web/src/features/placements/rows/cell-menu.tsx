import { MenuDivider, MenuItem } from '@blueprintjs/core';
import { type PlacementFieldName, placementFields } from '@zakup/contracts/placement-fields';
import { useRef, useState } from 'react';
import { copiedBlock } from '../../../shared/table/copied-block.ts';
import { type BlockActions, type CellMenuRequest, filledDown, rowsOf } from '../../../shared/table/grid-range.ts';
import { toasts } from '../../../shared/toasts/toasts.ts';
import { ContextMenu } from '../../../shared/ui/context-menu.tsx';
import { fieldOfColumn } from '../columns/field-columns.ts';
import type { PlacementRow } from './placement-row.ts';
import type { CampaignPlacements } from './use-campaign-placements.ts';
import type { useRowActions } from './use-row-actions.ts';

export interface CellMenuProps
  extends Pick<BlockActions<PlacementRow>, 'onClear' | 'onFill' | 'onPaste'>,
    Pick<ReturnType<typeof useRowActions>, 'onDuplicate' | 'onChangeRows' | 'onRemoveRows'> {
  readonly request: CellMenuRequest<PlacementRow>;
  readonly placements: CampaignPlacements;
  readonly onClose: () => void;
}

const copy = async ({ block }: CellMenuRequest<PlacementRow>): Promise<void> => {
  const { text, html } = copiedBlock(block);
  const item = new ClipboardItem({
    'text/plain': new Blob([text], { type: 'text/plain' }),
    'text/html': new Blob([html], { type: 'text/html' }),
  });
  await navigator.clipboard.write([item]);
};

/** The field whose changes a column's history is of; `undefined` = the column is no field of its own. */
const fieldWithHistory = (columnId = ''): PlacementFieldName | undefined => {
  const name = fieldOfColumn.get(columnId);
  return name === undefined || placementFields[name].undoable === null ? undefined : name;
};

/** What may be done to a cell, its row, or all that is selected, with the keys that do the same. */
export const CellMenu = ({ request, placements, onClose, ...actions }: CellMenuProps) => {
  const [opener] = useState(() => document.activeElement);
  const isDone = useRef(false);
  const { rights, openers } = placements;
  const { block, row, columnId, left, top } = request;
  const close = (): void => {
    if (isDone.current) return;
    isDone.current = true;
    // Before the menu goes, so that a dialog that comes next gives the focus back to the cell.
    const cell = opener?.isConnected ? opener : document.querySelector('[role="grid"] [tabindex="0"]');
    if (cell instanceof HTMLElement) cell.focus({ preventScroll: true });
    onClose();
  };
  const item = (text: string, act: () => void, keys = '') => (
    <MenuItem
      text={text}
      label={keys}
      shouldDismissPopover={false}
      onClick={() => {
        close();
        act();
      }}
    />
  );
  const rows = rowsOf(block);
  const filled = filledDown(block);
  const { onPaste, onFill, onClear } = actions;
  const paste = async (): Promise<void> => onPaste?.({ text: await navigator.clipboard.readText(), html: null }, block);
  const isWritable = !rights.readOnly;
  return (
    <ContextMenu label="Действия с ячейкой" about={request.cell} left={left} top={top} onClose={close}>
      {item('Копировать', () => void copy(request).catch(() => toasts.info('Скопируйте клавишами Ctrl C')), 'Ctrl C')}
      {isWritable &&
        onPaste &&
        item('Вставить', () => void paste().catch(() => toasts.info('Вставьте клавишами Ctrl V')), 'Ctrl V')}
      {isWritable && onClear && !block.isTicked && item('Очистить', () => onClear(block), 'Delete')}
      {isWritable &&
        onFill &&
        filled &&
        !block.isTicked &&
        item('Заполнить вниз', () => onFill(filled, 'down'), 'Ctrl D')}
      {isWritable && <MenuDivider />}
      {isWritable && item('Повторить строку', () => actions.onDuplicate(block), 'Ctrl J')}
      {isWritable && item('Изменить…', () => actions.onChangeRows(block))}
      {row.kind === 'stored' && <MenuDivider />}
      {row.kind === 'stored' && item('История', () => openers.onHistory(row, fieldWithHistory(columnId)))}
      {row.kind === 'stored' && item('Открыть контрагента', () => openers.onOpenContractor(row))}
      {isWritable && <MenuDivider />}
      {isWritable && item('Удалить…', () => (rows.length > 1 ? actions.onRemoveRows(block) : openers.onRemove(row)))}
    </ContextMenu>
  );
};
