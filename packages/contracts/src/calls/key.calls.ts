import { createKeyRequest } from '../requests/key.requests.ts';
import { callsOf, change, read } from './call.ts';
import * as replies from './replies.ts';

export const keyCalls = callsOf('Ключи', {
  'GET /keys': read(['keys.manage'], {
    closedToKeys: true,
    summary: 'Ключи лицензии, старые сначала, без секретов; только владельцу',
    data: replies.keysData,
  }),
  'POST /keys': change(['keys.manage'], {
    closedToKeys: true,
    summary: 'Новый ключ для программ; секрет (zk_…) показывается один раз; только владельцу',
    body: createKeyRequest,
    data: replies.createdKeyData,
    problems: ['CONFLICT'],
  }),
  'DELETE /keys/{id}': change(['keys.manage'], {
    closedToKeys: true,
    summary: 'Удалить ключ: он больше ничего не откроет; только владельцу',
  }),
});
