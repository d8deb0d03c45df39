import { auditQuery } from '@zakup/contracts/requests/history.queries';
import { describe, expect, it } from 'vitest';
import { type Filters, filtersIn, journalPath } from './journal-address.ts';

const opened = (path: string): Filters => filtersIn(new URL(path, 'http://here').searchParams);

describe('ways into the journal', () => {
  it.each<[string, Filters]>([
    ['a campaign’s figure', { campaign: '906ca3aa248fa8981ae1c4ee' }],
    ['a contractor’s figure', { entity: 'contractor:906ca3aa' }],
    ['a row', { entity: 'placement:906ca3aa' }],
    ['an absence', { from: '2026-11-21T08:05:09.123Z' }],
    [
      'everything at once',
      { search: '@кухня & дом', person: 'anna', field: 'price', source: 'paste', to: '2026-11-21' },
    ],
  ])('WLO-50 from %s: the journal reads from the address what was meant, and the call takes it', (_, filters) => {
    expect(opened(journalPath(filters))).toEqual(filters);
    expect(auditQuery.safeParse(filters).error).toBeUndefined();
  });

  it('WLO-51 without filters there is no query; blank filters and what is another’s are none', () => {
    expect(journalPath({})).toBe('/journal');
    expect(opened('/journal?person=+&tab=deleted&entity=creative%3Ac1')).toEqual({ entity: 'creative:c1' });
  });
});
