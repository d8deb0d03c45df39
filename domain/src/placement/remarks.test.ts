import { describe, expect, it } from 'vitest';
import { parsePostUrl } from './remarks.ts';

describe('the address of a post', () => {
  it('PL-1680 is one of t.me, completed and over https', () => {
    for (const typed of ['https://t.me/some/17', 'http://t.me/some/17', 't.me/some/17', '  HTTPS://T.ME/some/17\n'])
      expect(parsePostUrl(typed)).toBe('https://t.me/some/17');
    expect(parsePostUrl('t.me/c/1234567/89?single')).toBe('https://t.me/c/1234567/89?single');
  });

  it('PL-1681 is nothing else', () => {
    for (const typed of [
      '',
      ' ',
      't.me',
      't.me/',
      'https://t.me',
      'https://t.me/',
      'https://t.me/ ',
      '//t.me/some',
      'ftp://t.me/some',
      'tg://resolve?domain=some',
      'javascript:alert(1)//t.me/some',
      'java\nscript:alert(1)',
      'https://t.me.evil.example/some',
      'https://t.me@evil.example/some',
      'https://evil.example/t.me/some',
      'https://t.me\\some',
      'https://t.me:443/some',
      'https://telegram.me/some',
      'https://www.t.me/some',
      'https://t.me/so me',
      'https://t.me/some\n17',
      'https://t.me/some\u0000',
      'https://t.me/\u200bsome',
      'https://t.me/"onclick=',
      '@some',
    ])
      expect([typed, parsePostUrl(typed)]).toEqual([typed, null]);
  });

  it('PL-1682 has at most 200 characters when it is complete', () => {
    const longest = `t.me/${'x'.repeat(187)}`;
    expect(parsePostUrl(longest)).toHaveLength(200);
    expect(parsePostUrl(`${longest}x`)).toBeNull();
    expect(parsePostUrl(`https://${longest}`)).toHaveLength(200);
    expect(parsePostUrl(`https://${longest}x`)).toBeNull();
  });
});
