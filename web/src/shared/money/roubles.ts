import { formatRoubles, formatRoublesExact, fromRoubles, type Kopecks, kopecks } from '@zakup/domain/money';

/** Kopecks of roubles from the wire; 0 for what is no sum. */
export const money = (amount: number): Kopecks => fromRoubles(amount) ?? kopecks(0);

/** Roubles from the wire as shown: `5 400,50 ₽`, kopecks only when there are any. */
export const roubles = (amount: number): string => formatRoubles(money(amount));

/** Roubles from the wire with two decimals always, for columns: `5 400,00 ₽`. */
export const exactRoubles = (amount: number): string => formatRoublesExact(money(amount));
