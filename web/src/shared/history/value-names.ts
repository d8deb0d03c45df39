import { historyField } from '@zakup/contracts/history-fields';
import type { Replica } from '../replica/replica.ts';

/** What the id in a field is called now; undefined where it is none, or nobody knows it here. */
export const nameOf = (
  replica: Pick<Replica, 'get'>,
  kind: string,
  field: string,
  value: unknown,
): string | undefined => {
  if (typeof value !== 'string') return undefined;
  switch (historyField(kind, field)?.value) {
    case 'user':
      return replica.get('user', value)?.name;
    case 'contractor':
      return replica.get('contractor', value)?.adminUsername;
    case 'creative':
      return replica.get('creative', value)?.name;
    case 'campaign':
      return replica.get('campaign', value)?.name;
    case 'channel':
      return replica.get('channel', value)?.name;
    case 'plain':
    case 'money':
    case 'terms':
    case undefined:
      return undefined;
  }
};
