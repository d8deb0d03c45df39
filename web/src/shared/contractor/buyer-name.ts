import type { UserWire } from '@zakup/contracts/wire-entities';

/** Who bought, also where that person is not known any more. */
export const buyerName = (users: readonly UserWire[], id: string): string =>
  users.find((user) => user.id === id)?.name ?? 'Неизвестный байер';
