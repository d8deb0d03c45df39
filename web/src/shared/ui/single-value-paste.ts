import type { ClipboardEvent, DragEvent } from 'react';

export const severalCells = 'Скопировано несколько ячеек, а здесь поместится одна. Ничего не вставлено';

/** A spreadsheet parts cells by tabs and rows by line breaks, and ends even a single cell with one. */
const holdsSeveralCells = (text: string): boolean => /[\t\r\n]/u.test(text.replace(/^[\r\n]+|[\r\n]+$/gu, ''));

/**
 * For a field of one value: several cells that are pasted or dropped are not put in, as browsers leave the line breaks out and glue the
 * values together. What is in the field stays.
 */
export const singleValuePaste = (onRefused: () => void) => {
  const refuse = (event: ClipboardEvent | DragEvent, text: string): void => {
    if (!holdsSeveralCells(text)) return;
    event.preventDefault();
    onRefused();
  };
  return {
    onPaste: (event: ClipboardEvent): void => refuse(event, event.clipboardData.getData('text')),
    onDrop: (event: DragEvent): void => refuse(event, event.dataTransfer.getData('text')),
  };
};
