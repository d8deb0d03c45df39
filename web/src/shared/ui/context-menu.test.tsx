import { MenuItem } from '@blueprintjs/core';
import { act, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { ContextMenu } from './context-menu.tsx';

/** What lies uppermost, wherever it is looked. */
let uppermost: Element | null = null;
beforeEach(() => {
  document.elementFromPoint = () => uppermost;
});

it('FLO-3322 a menu moves with what it is about, and closes once that is out of sight', async () => {
  const about = document.createElement('div');
  document.body.append(about);
  uppermost = about;
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

it('FLO-3421 a menu closes when what it is about slides under something else, but not under the menu itself', async () => {
  const row = document.createElement('div');
  const [about, inside, pinned] = ['td', 'span', 'td'].map((name) => document.createElement(name)) as [
    HTMLElement,
    HTMLElement,
    HTMLElement,
  ];
  about.append(inside);
  row.append(pinned, about);
  document.body.append(row);
  onTestFinished(() => {
    vi.restoreAllMocks();
    row.remove();
  });
  let left = 400;
  vi.spyOn(about, 'getBoundingClientRect').mockImplementation(() => new DOMRect(left, 100, 80, 32));
  const onClose = vi.fn<() => void>();
  const { container } = render(
    <ContextMenu label="Действия с ячейкой" about={about} left={410} top={110} onClose={onClose}>
      <MenuItem text="Копировать" />
    </ContextMenu>,
  );
  const item = await screen.findByRole('menuitem', { name: 'Копировать' });
  const point = container.querySelector<HTMLElement>('span');
  const slide = (to: number, over: Element): void => {
    [left, uppermost] = [to, over];
    document.dispatchEvent(new Event('scroll'));
  };
  slide(300, inside);
  await waitFor(() => expect(point?.style.left).toBe('310px'));
  slide(200, item);
  await waitFor(() => expect(point?.style.left).toBe('210px'));
  expect(onClose).not.toHaveBeenCalled();
  slide(100, pinned);
  await waitFor(() => expect(onClose).toHaveBeenCalled());
});

it('FLO-3422 a menu of one place in a row of headings closes when a pinned heading comes over that place', async () => {
  const about = document.createElement('div');
  const [heading, pinned] = [document.createElement('div'), document.createElement('div')];
  pinned.className = 'pinned';
  about.append(pinned, heading);
  document.body.append(about);
  onTestFinished(() => {
    vi.restoreAllMocks();
    about.remove();
  });
  let left = 0;
  vi.spyOn(about, 'getBoundingClientRect').mockImplementation(() => new DOMRect(left, 50, 2_000, 30));
  const looked: number[] = [];
  document.elementFromPoint = (x) => {
    looked.push(x);
    return x < 250 ? pinned : heading;
  };
  const onClose = vi.fn<() => void>();
  render(
    <ContextMenu label="Столбец" about={about} over=".pinned" left={600} top={80} onClose={onClose}>
      <MenuItem text="Шире" />
    </ContextMenu>,
  );
  await screen.findByRole('menuitem', { name: 'Шире' });
  left = -300;
  document.dispatchEvent(new Event('scroll'));
  await waitFor(() => expect(looked.at(-1)).toBe(301));
  expect(onClose).not.toHaveBeenCalled();
  left = -400;
  document.dispatchEvent(new Event('scroll'));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
});
