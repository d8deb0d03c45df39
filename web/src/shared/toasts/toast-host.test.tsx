import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, onTestFinished, vi } from 'vitest';
import { liveRegion, sayAnnounced } from './live-region.ts';
import { ToastHost } from './toast-host.tsx';
import { freeTop, topOf } from './toast-place.ts';
import { announce, toasts, toastStore } from './toasts.ts';

it('TST-1 one polite region says what went well and offers a way back; only what went wrong interrupts', async () => {
  render(<ToastHost />);
  const run = vi.fn<() => void>();
  act(() => {
    toasts.success('Размещение добавлено');
    toasts.info('Удалено: @dacha, 5 000 ₽', { text: 'Вернуть', run });
    toasts.error('Не вернулось');
  });
  const regions = [...document.querySelectorAll('[aria-live="polite"], output, [role="status"]')];
  expect(regions).toHaveLength(1);
  for (const text of ['Размещение добавлено', 'Удалено: @dacha, 5 000 ₽'])
    expect(regions[0]?.contains(await screen.findByText(text))).toBe(true);
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual(['Не вернулось']);
  await userEvent.setup().click(screen.getByRole('button', { name: 'Вернуть' }));
  expect(run).toHaveBeenCalledOnce();
  await waitFor(() => expect(screen.queryByText('Удалено: @dacha, 5 000 ₽')).toBeNull());
});

it('UND-1981 a way back is offered for a minute, and can be put away', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  render(<ToastHost />);
  const run = vi.fn<() => void>();
  const offered = (): boolean => screen.queryByRole('button', { name: 'Вернуть' }) !== null;
  act(() => void toasts.wayBack('Удалено: @dacha', run));
  act(() => void vi.advanceTimersByTime(59_000));
  expect(offered()).toBe(true);
  act(() => void vi.advanceTimersByTime(1_000));
  expect(offered()).toBe(false);
  act(() => void toasts.wayBack('Удалено: @dacha', run));
  act(() => screen.getByRole('button', { name: 'Скрыть сообщение' }).click());
  expect(offered()).toBe(false);
  expect(run).not.toHaveBeenCalled();
});

it('UND-1982 the last three ways back stand, so that what goes wrong is said at once, and none outlasts the screens of whoever has them', () => {
  const { unmount } = render(<ToastHost />);
  act(() => {
    for (let at = 1; at <= 25; at += 1) toasts.wayBack(`Удалено: @nick${at}`, () => undefined);
    toasts.error('Не вернулось');
  });
  expect(screen.getAllByText(/^Удалено: /u).map(({ textContent }) => textContent)).toEqual([
    'Удалено: @nick23',
    'Удалено: @nick24',
    'Удалено: @nick25',
  ]);
  expect(screen.getByText('Не вернулось')).toBeDefined();
  unmount();
  render(<ToastHost />);
  expect(screen.queryByText(/^Удалено: /u)).toBeNull();
});

it('TST-2 what is announced is in the same region, for screen readers alone, and said anew when it happens again', () => {
  const stop = sayAnnounced(document);
  render(<ToastHost />);
  announce('Изменения сохранены');
  const first = screen.getByText('Изменения сохранены');
  expect(first.closest('[aria-live="polite"]')).toBe(liveRegion(document));
  expect(first.className).toContain('z-visually-hidden');
  announce('Изменения сохранены');
  expect(first.isConnected).toBe(false);
  expect(screen.getByText('Изменения сохранены')).toBeDefined();
  stop();
  expect(screen.queryByText('Изменения сохранены')).toBeNull();
});

it('TST-5 the region is there before anything is said, without a host of toasts, and what is said goes into that very one', () => {
  liveRegion(document).remove();
  toastStore.silence(toastStore.announced()?.id ?? 0);
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const stop = sayAnnounced(document);
  const region = document.querySelector('[aria-live="polite"]');
  expect(region?.textContent).toBe('');
  announce('Скопировано');
  expect(region?.textContent).toBe('Скопировано');
  vi.advanceTimersByTime(5_000);
  expect(region?.textContent).toBe('');
  render(<ToastHost />);
  act(() => void toasts.success('Сохранено'));
  expect(region?.textContent).toBe('Сохранено');
  expect(document.querySelectorAll('[aria-live="polite"]')).toHaveLength(1);
  stop();
});

it('TST-6 a toast is as high as it may be without lying on the bar, a main button or what closes a dialog', () => {
  const toast = { left: 900, right: 1250, height: 40 };
  const bar = { left: 200, right: 1280, top: 0, bottom: 44 };
  const button = { left: 1020, right: 1264, top: 55, bottom: 85 };
  expect(freeTop(toast, [])).toBe(8);
  expect(freeTop(toast, [bar])).toBe(52);
  expect(freeTop(toast, [button, bar])).toBe(93);
  expect(freeTop(toast, [bar, { ...button, right: 890, left: 400 }])).toBe(52);
  expect(freeTop(toast, [bar, { ...button, top: 100, bottom: 130 }]), 'fits between').toBe(52);
  expect(freeTop({ ...toast, height: 90 }, [bar, { ...button, top: 100, bottom: 130 }])).toBe(138);
});

it('TST-1000 a toast makes room for what comes to be pressed while it is shown, but not under the pointer', async () => {
  const rects: Readonly<Record<string, DOMRect>> = {
    'z-top': new DOMRect(216, 0, 1064, 44),
    'z-button-primary': new DOMRect(1020, 55, 244, 30),
    'z-toast': new DOMRect(910, 0, 350, 40),
  };
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function rectOf(this: Element) {
    return Object.entries(rects).find(([name]) => this.classList.contains(name))?.[1] ?? new DOMRect();
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const page = (isWaiting: boolean) => (
    <>
      <header className="z-top" />
      <main>{isWaiting && <button type="button" aria-label="Добавить" className="z-button-primary" />}</main>
      <ToastHost />
    </>
  );
  const { rerender } = render(page(false));
  const top = () => liveRegion(document).style.getPropertyValue('--toasts-top');
  act(() => void toasts.success('Размещение добавлено'));
  expect(top()).toBe('52px');
  rerender(page(true));
  await expect.poll(top).toBe('93px');
  const toast = screen.getByText('Размещение добавлено').closest<HTMLElement>('.z-toast');
  if (toast === null) throw new Error('There is no toast');
  await userEvent.hover(toast);
  rerender(page(false));
  // Two more looks at where it may stand.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  expect(top(), 'what is pointed at stays').toBe('93px');
  await userEvent.unhover(toast);
  await expect.poll(top).toBe('52px');
});

it('TST-1001 toasts that need half the window still leave the bar of the frame alone', () => {
  const bar = { left: 216, right: 1280, top: 0, bottom: 44 };
  const button = { left: 1020, right: 1264, top: 55, bottom: 85 };
  const toast = { left: 900, right: 1250, height: 500 };
  expect(topOf(toast, { bars: [bar], others: [button] }, 768)).toBe(93);
  expect(topOf(toast, { bars: [bar], others: [{ ...button, top: 300, bottom: 420 }] }, 768)).toBe(52);
});

it.each(['z-top', 'z-admin-top'])(
  'TST-7 the toasts that are shown stand below the bar and the main button beside which they come (%s)',
  (bar) => {
    const rects: Readonly<Record<string, DOMRect>> = {
      [bar]: new DOMRect(216, 0, 1064, 44),
      'z-button-primary': new DOMRect(1020, 55, 244, 30),
      'z-toast': new DOMRect(910, 0, 350, 40),
    };
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function rectOf(this: Element) {
      return Object.entries(rects).find(([name]) => this.classList.contains(name))?.[1] ?? new DOMRect();
    });
    onTestFinished(() => void vi.restoreAllMocks());
    render(
      <>
        <header className={bar} />
        <main>
          <button type="button" className="z-button-primary">
            Добавить размещение
          </button>
        </main>
        <ToastHost />
      </>,
    );
    act(() => void toasts.success('Размещение добавлено'));
    expect(liveRegion(document).style.getPropertyValue('--toasts-top')).toBe('93px');
  },
);
