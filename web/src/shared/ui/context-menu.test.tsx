import { MenuItem } from '@blueprintjs/core';
import { act, render, screen, waitFor } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ContextMenu } from './context-menu.tsx';

it('FLO-3322 a menu moves with what it is about, and closes once that is out of sight', async () => {
  const about = document.createElement('div');
  document.body.append(about);
  let top = 100;
  vi.spyOn(about, 'getBoundingClientRect').mockImplementation(() => new DOMRect(40, top, 80, 32));
  let see: (isIntersecting: boolean) => void = () => undefined;
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(tell: (seen: readonly { readonly isIntersecting: boolean }[]) => void) {
        see = (isIntersecting) => tell([{ isIntersecting }]);
      }
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    about.remove();
  });
  const onClose = vi.fn<() => void>();
  const { container } = render(
    <ContextMenu label="Действия с ячейкой" about={about} left={50} top={110} onClose={onClose}>
      <MenuItem text="Копировать" />
    </ContextMenu>,
  );
  expect((await screen.findByRole('menuitem', { name: 'Копировать' })).isConnected).toBe(true);
  const point = container.querySelector<HTMLElement>('span');
  expect([point?.style.left, point?.style.top]).toEqual(['50px', '110px']);
  top = 60;
  document.dispatchEvent(new Event('scroll'));
  await waitFor(() => expect([point?.style.left, point?.style.top]).toEqual(['50px', '70px']));
  act(() => see(true));
  expect(onClose).not.toHaveBeenCalled();
  act(() => see(false));
  expect(onClose).toHaveBeenCalledOnce();
});
