import type { ClipboardEvent, DragEvent } from 'react';

export const severalCells = 'Скопировано несколько ячеек, а здесь поместится одна. Ничего не вставлено';

/** A spreadsheet parts cells by tabs and rows by line breaks, and ends even a single cell with one. */
const holdsSeveralCells = (text: string): boolean => /[\t\r\n]/u.test(text.replace(/^[\r\n]+|[\r\n]+$/gu, ''));

/** What was pasted, as the clipboard has it. */
export interface PastedClip {
  readonly text: string;
  /** `null` = it came as text alone. */
  readonly html: string | null;
}

export const pastedClip = (clipboard: Pick<DataTransfer, 'getData'>): PastedClip => {
  const html = clipboard.getData('text/html');
  return { text: clipboard.getData('text/plain'), html: html === '' ? null : html };
};

/**
 * For a field of one value: several cells that are pasted or dropped are not put in, as browsers leave the line breaks out and glue the
 * values together. What is in the field stays. `onSpread`: takes several cells that are pasted in the place of the field.
 */
export const singleValuePaste = (onRefused: () => void, onSpread?: (clip: PastedClip) => void) => {
  const refuse = (event: ClipboardEvent | DragEvent, text: string): void => {
    if (!holdsSeveralCells(text)) return;
    event.preventDefault();
    onRefused();
  };
  return {
    onPaste: (event: ClipboardEvent): void => {
      const clip = pastedClip(event.clipboardData);
      if (onSpread === undefined || !holdsSeveralCells(clip.text)) return refuse(event, clip.text);
      event.preventDefault();
      onSpread(clip);
    },
    onDrop: (event: DragEvent): void => refuse(event, event.dataTransfer.getData('text')),
  };
};
