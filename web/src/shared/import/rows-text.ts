import { formatNumber, plural } from '@zakup/domain/russian';

/** «420 строк». */
export const rowsText = (count: number): string =>
  `${formatNumber(count)} ${plural(count, 'строка', 'строки', 'строк')}`;
