import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ComponentType, useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { failedDialog } from './failed-dialog.tsx';
import { lazyPart } from './lazy-part.tsx';

interface Props {
  readonly onClose: () => void;
}

const Came = () => <p>Пришло</p>;
const Broken = (): never => {
  throw new Error('Внутри сломалось');
};

/** Loads what `answers` say, one after the other; what is an error does not come. */
const loader = (answers: readonly (ComponentType<Props> | Error)[]) => {
  const left = [...answers];
  return vi.fn<() => Promise<ComponentType<Props>>>(async () => {
    const next = left.shift();
    if (next === undefined || next instanceof Error) throw next ?? new Error('Asked once more than expected');
    return next;
  });
};

const Frame = ({ part: Part }: { readonly part: ComponentType<Props> }) => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Открыть
      </button>
      {open && <Part onClose={() => setOpen(false)} />}
    </>
  );
};

const opened = async (part: ComponentType<Props>) => {
  render(<Frame part={part} />);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Открыть' }));
  return user;
};

// React says of every crash what it caught.
beforeEach(() => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  return () => errors.mockRestore();
});

it('LZP-1 a part that does not come says so in its place, the rest stays, and «Повторить» loads it anew', async () => {
  const load = loader([new TypeError('Failed to fetch dynamically imported module'), Came]);
  const user = await opened(lazyPart(load));
  expect((await screen.findByRole('alert')).textContent).toContain('Попробуйте обновить страницу');
  expect(screen.getByRole('button', { name: 'Открыть' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Повторить' }));
  expect(await screen.findByText('Пришло')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(load).toHaveBeenCalledTimes(2);
});

it('LZP-8 «Обновить страницу» does so: after another version was put in place the part comes in no other way', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
  const user = await opened(lazyPart(loader([new TypeError('Failed to fetch dynamically imported module')])));
  await user.click(await screen.findByRole('button', { name: 'Обновить страницу' }));
  expect(reload).toHaveBeenCalledTimes(1);
  reload.mockRestore();
});

it('LZP-2 one that crashes says so as well; what failed twice says so twice', async () => {
  const user = await opened(lazyPart(loader([Broken, new TypeError('Failed to fetch'), Came])));
  for (const _ of ['crashed', 'did not come'])
    await user.click(await screen.findByRole('button', { name: 'Повторить' }));
  expect(await screen.findByText('Пришло')).toBeTruthy();
});

it('LZP-3 a dialog that does not come says so in a dialog, can be closed, and is loaded anew when it is opened again', async () => {
  const user = await opened(lazyPart(loader([new TypeError('Failed to fetch'), Came]), { failed: failedDialog }));
  expect(await screen.findByRole('dialog', { name: 'Ошибка загрузки компонента' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Закрыть' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Открыть' }));
  expect(await screen.findByText('Пришло')).toBeTruthy();
});

it('LZP-4 what came once is there at once the next time', async () => {
  const load = loader([Came]);
  const part = lazyPart(load);
  const { unmount } = render(<Frame part={part} />);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Открыть' }));
  await screen.findByText('Пришло');
  unmount();
  await opened(part);
  expect(screen.getByText('Пришло')).toBeTruthy();
  expect(load).toHaveBeenCalledTimes(1);
});

it('LZP-9 what was loaded beforehand is there at once, and what did not come then is asked for when it is opened', async () => {
  const load = loader([new TypeError('Failed to fetch'), Came]);
  const part = lazyPart(load);
  part.preload();
  await Promise.allSettled(load.mock.results.map(({ value }) => value));
  part.preload();
  await Promise.allSettled(load.mock.results.map(({ value }) => value));
  part.preload();
  await opened(part);
  expect(screen.getByText('Пришло')).toBeTruthy();
  expect(load).toHaveBeenCalledTimes(2);
  cleanup();
  const late = lazyPart(loader([new TypeError('Failed to fetch'), Came]));
  late.preload();
  await opened(late);
  expect(await screen.findByText('Пришло')).toBeTruthy();
});
