import { render, screen, waitFor } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Floating } from './floating.tsx';

const place = (top: number): DOMRect => new DOMRect(100, top, 80, 32);

it('FLO-1 stays with its element whatever moves that, and is not seen while the element is not', async () => {
  const anchor = document.createElement('div');
  const cover = document.createElement('div');
  const above = document.createElement('div');
  document.body.append(anchor, cover);
  let at = place(200);
  let there: Element | null = anchor;
  vi.spyOn(anchor, 'getBoundingClientRect').mockImplementation(() => at);
  vi.spyOn(document, 'elementFromPoint').mockImplementation(() => there);
  onTestFinished(() => {
    vi.restoreAllMocks();
    anchor.remove();
    cover.remove();
    above.remove();
  });
  render(<Floating anchor={anchor}>Отклонено</Floating>);
  const box = screen.getByText('Отклонено');
  expect(box.style.transform).toBe('translate(100px, 236px)');
  expect(box.hasAttribute('data-out-of-sight')).toBe(false);
  at = place(264);
  document.body.append(above);
  await waitFor(() => expect(box.style.transform).toBe('translate(100px, 300px)'));
  there = cover;
  cover.className = 'open';
  await waitFor(() => expect(box.hasAttribute('data-out-of-sight')).toBe(true));
  there = null;
  document.dispatchEvent(new Event('scroll'));
  await waitFor(() => expect(box.hasAttribute('data-out-of-sight')).toBe(true));
  there = box;
  window.dispatchEvent(new Event('resize'));
  await waitFor(() => expect(box.hasAttribute('data-out-of-sight')).toBe(false));
});

it('FLO-3492 what is told of a cell is not seen over a dialog that opens above it, but beside a menu it is', async () => {
  const anchor = document.createElement('div');
  const portal = document.createElement('div');
  const backdrop = document.createElement('div');
  const popover = document.createElement('div');
  const item = document.createElement('div');
  portal.className = 'bp6-portal';
  backdrop.className = 'bp6-overlay-backdrop';
  popover.className = 'bp6-popover';
  popover.append(item);
  let there: Element = anchor;
  vi.spyOn(anchor, 'getBoundingClientRect').mockImplementation(() => place(200));
  vi.spyOn(document, 'elementFromPoint').mockImplementation(() => there);
  document.body.append(anchor);
  onTestFinished(() => {
    vi.restoreAllMocks();
    anchor.remove();
    portal.remove();
  });
  render(<Floating anchor={anchor}>Отклонено</Floating>);
  const box = screen.getByText('Отклонено');
  there = backdrop;
  portal.append(backdrop);
  document.body.append(portal);
  await waitFor(() => expect(box.hasAttribute('data-out-of-sight')).toBe(true));
  there = item;
  backdrop.replaceWith(popover);
  await waitFor(() => expect(box.hasAttribute('data-out-of-sight')).toBe(false));
});
