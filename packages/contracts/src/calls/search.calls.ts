import { searchQuery } from '../requests/queries.ts';
import { callsOf, read } from './call.ts';
import * as replies from './replies.ts';

export const searchCalls = callsOf('Поиск', {
  'GET /search': read(['lists.read'], {
    summary:
      'Палитра: кампании, каналы, контрагенты, креативы, люди и размещения по нику; limit — сколько каждого вида',
    query: searchQuery,
    data: replies.searchData,
  }),
});
