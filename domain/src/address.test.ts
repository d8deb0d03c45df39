import { describe, expect, it } from 'vitest';
import { isAvatar, isLink, isPictureInText, schemeOf } from './address.ts';

const dangerous = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' \u0001javascript:alert(1)',
  'java\nscript:alert(1)',
  'java\tscript\r:alert(1)',
  '\u00a0javascript:alert(1)',
  'vbscript:msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg+xml,<svg onload="alert(1)"/>',
  'data:image/svg+xml;base64,PHN2Zy8+',
  'data:image/png,not base64',
  'data:,x',
  'blob:https://example.org/1',
  'file:///etc/passwd',
  'about:blank',
  'ftp://example.org/a.png',
  'view-source:https://example.org',
];
const pixel = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

describe('addresses within texts', () => {
  it('CHN-1410 of all schemes a link has http, https and tg alone, an avatar http, https and pictures of dots', () => {
    for (const text of dangerous) expect([text, isLink(text), isAvatar(text)]).toEqual([text, false, false]);
    for (const text of ['https://t.me/kanal/15', 'HTTP://example.org', 'tg://resolve?domain=kanal'])
      expect([text, isLink(text)]).toEqual([text, true]);
    for (const text of ['', '🍲', '👨‍🍳', 'ку', 'a.png', '/a.png', 'https://example.org/a.png', pixel])
      expect([text, isAvatar(text)]).toEqual([text, true]);
    expect(['tg://resolve', 'a.png', pixel].map(isLink)).toEqual([true, false, false]);
    expect(['tg://resolve', 'a.png', pixel].map(isPictureInText)).toEqual([false, false, true]);
  });

  it('CHN-1411 a scheme is found the way a browser finds it', () => {
    expect(['Javascript:x', ' java\nscript:x', 'x', 'ку: ку', '12:30'].map(schemeOf)).toEqual([
      'javascript',
      'javascript',
      null,
      null,
      null,
    ]);
  });
});
