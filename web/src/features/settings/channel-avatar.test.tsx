import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ChannelAvatar } from './channel-avatar.tsx';

const shown = (avatar: string): HTMLElement =>
  render(<ChannelAvatar channel={{ id: 'ch1', name: 'Кухня за 15 минут', avatar }} />).container;

it('CHN-1414 of what was stored before it was refused nothing is made an address of: the initials stand there', () => {
  for (const avatar of [
    'javascript:alert(1)',
    ' JAVA\tSCRIPT:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'data:image/svg+xml,<svg onload="alert(1)"/>',
    'vbscript:msgbox(1)',
  ]) {
    const container = shown(avatar);
    expect([avatar, container.innerHTML.includes('src='), container.textContent]).toEqual([avatar, false, 'КЗ']);
  }
  expect(shown('data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP==').querySelector('img')).not.toBeNull();
});
