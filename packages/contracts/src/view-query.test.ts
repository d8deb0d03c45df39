import { describe, expect, it } from 'vitest';
import { parseViewQuery } from './view-query.ts';

describe('the query of a saved view', () => {
  it('VIW-2348 its members stand in the order of an address, without the page', () => {
    expect(parseViewQuery('page=3&group=week&sort=-date&payment=unpaid&buyer=b1&buyer=b2')).toBe(
      'buyer=b1&buyer=b2&payment=unpaid&sort=-date&group=week',
    );
    expect(parseViewQuery('search=%D1%91%D0%BB%D0%BA%D0%B0+5&cplTo=99.5&contractor=c1')).toBe(
      'search=%D1%91%D0%BB%D0%BA%D0%B0+5&cplTo=99.5&contractor=c1',
    );
    expect(parseViewQuery('')).toBe('');
    const ids = (name: string) =>
      Array.from({ length: 150 }, (_, index) => `${name}=${String(index).padStart(24, '0')}`);
    const whole = [...ids('buyer'), ...ids('creative')].join('&');
    expect(parseViewQuery(whole)).toBe(whole);
  });

  it.each([
    'tab=users',
    'buyer=',
    'buyer=b1&buyer=b1',
    'sort=date&sort=-date',
    'sort=name',
    'group=day',
    'payment=maybe',
    'topic=Unheard',
    'from=2026-02-30',
    'priceFrom=5,2',
    'leadsTo=-1',
    'contractor=<b>',
    `search=${'x'.repeat(101)}`,
    Array.from({ length: 151 }, (_, index) => `buyer=b${index}`).join('&'),
    Array.from({ length: 150 }, (_, index) => `buyer=${'b'.repeat(100)}${index}`).join('&'),
  ])('VIW-2349 what says anything else is none: %s', (query) => {
    expect(parseViewQuery(query)).toBeNull();
  });
});
