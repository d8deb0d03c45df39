import { importMapping, type ImportMapping, type ImportReport } from '@zakup/contracts/imports';
import { z } from 'zod';
import { keepItem } from '../storage/keep-item.ts';

/** Of a person, by the layout of columns: how files of that layout were read last. */
const storedMappings = z.array(z.object({ layout: z.string(), mapping: importMapping })).catch([]);

/** So many layouts are remembered, the last used first. */
const mostLayouts = 20;

const keyOf = (personId: string): string => `importMappings.${personId}`;

/** Headings in their order. */
const layoutOf = ({ columns }: Pick<ImportReport, 'columns'>): string => columns.map(({ header }) => header).join('\t');

const read = (storage: Storage, personId: string): z.output<typeof storedMappings> => {
  try {
    return storedMappings.parse(JSON.parse(storage.getItem(keyOf(personId)) ?? '[]'));
  } catch {
    return [];
  }
};

/** How a file of this layout was read last; `null` = none was. */
export const keptMapping = (
  storage: Storage,
  personId: string,
  report: Pick<ImportReport, 'columns'>,
): ImportMapping | null => read(storage, personId).find(({ layout }) => layout === layoutOf(report))?.mapping ?? null;

/** Remembers it but for cells that were mended; a browser that keeps nothing asks anew the next time. */
export const keepMapping = (
  storage: Storage,
  personId: string,
  report: Pick<ImportReport, 'columns'>,
  chosen: ImportMapping,
): void => {
  const { cells: _, ...mapping } = chosen;
  const layout = layoutOf(report);
  const others = read(storage, personId).filter((one) => one.layout !== layout);
  keepItem(storage, keyOf(personId), JSON.stringify([{ layout, mapping }, ...others].slice(0, mostLayouts)));
};
