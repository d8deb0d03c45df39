import { type RefObject, useEffect, useEffectEvent } from 'react';
import { copiedBlock, emptyTable } from './copied-block.ts';
import { cellSelector } from './grid-cells.ts';
import type { BlockActions, CellBlock } from './grid-range.ts';
import { pastedClip } from '../ui/single-value-paste.ts';

interface GridClipboardSpec<Row> extends Pick<BlockActions<Row>, 'onPaste'> {
  readonly scroller: RefObject<HTMLElement | null>;
  /** `null` = nothing. */
  readonly copied: CellBlock<Row> | null;
  /** Where a paste begins. */
  readonly pasteAt: CellBlock<Row>;
}

/** Copies and pastes while a cell of the table has the focus. The events come to the document, as nothing in a cell is selected as text. */
export const useGridClipboard = <Row>({ scroller, copied, pasteAt, onPaste }: GridClipboardSpec<Row>): void => {
  const isHere = (): boolean => {
    const focused = document.activeElement;
    return focused !== null && focused.matches(cellSelector) && scroller.current?.contains(focused) === true;
  };
  const copy = useEffectEvent((event: ClipboardEvent): void => {
    if (!copied || !isHere() || event.clipboardData === null) return;
    const { text, html } = copiedBlock(copied);
    if (html === emptyTable) return;
    event.clipboardData.setData('text/plain', text);
    event.clipboardData.setData('text/html', html);
    event.preventDefault();
  });
  const paste = useEffectEvent((event: ClipboardEvent): void => {
    // An editor that closed over it has given it to the table itself.
    if (!onPaste || event.defaultPrevented || !isHere() || event.clipboardData === null) return;
    event.preventDefault();
    onPaste(pastedClip(event.clipboardData), pasteAt);
  });
  useEffect(() => {
    const onCopy = (event: ClipboardEvent): void => copy(event);
    const onPasted = (event: ClipboardEvent): void => paste(event);
    document.addEventListener('copy', onCopy);
    document.addEventListener('paste', onPasted);
    return () => {
      document.removeEventListener('copy', onCopy);
      document.removeEventListener('paste', onPasted);
    };
  }, []);
};
