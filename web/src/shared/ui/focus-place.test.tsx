import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ConfirmDialog, Dialog } from './dialog.tsx';
import { keepFocus } from './focus-place.ts';

let stop: () => void = () => undefined;
beforeEach(() => {
  stop = keepFocus(document);
});
afterEach(() => {
  stop();
  history.replaceState(null, '', '/');
});

/** Three rows, each with its two buttons; whoever deletes one is asked first. */
const List = ({ gone = [] }: { readonly gone?: readonly string[] }) => {
  const [own, setOwn] = useState(['Первый', 'Второй', 'Третий']);
  const rows = own.filter((name) => !gone.includes(name));
  const [asked, setAsked] = useState<string | null>(null);
  return (
    <section>
      <button type="button">Добавить</button>
      {rows.length === 0 ? (
        <p>Ещё нет</p>
      ) : (
        <ul>
          {rows.map((name) => (
            <li key={name}>
              {name}
              <button type="button">Изменить: {name}</button>
              <button type="button" onClick={() => setAsked(name)}>
                Удалить: {name}
              </button>
            </li>
          ))}
        </ul>
      )}
      {asked !== null && (
        <ConfirmDialog
          title="Удалить?"
          confirm="Да"
          onCancel={() => setAsked(null)}
          onConfirm={() => {
            setOwn(own.filter((name) => name !== asked));
            setAsked(null);
          }}
        />
      )}
    </section>
  );
};

const focused = (): string | null | undefined => document.activeElement?.textContent;

const removed = async (name: string): Promise<void> => {
  const user = userEvent.setup();
  screen.getByRole('button', { name: `Удалить: ${name}` }).focus();
  await user.keyboard('{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Да' }));
};

it('FOC-1 who deletes a row goes on with the same button of the next one, then of the last one, then beside the list', async () => {
  render(<List />);
  await removed('Второй');
  await expect.poll(focused).toBe('Удалить: Третий');
  await removed('Третий');
  await expect.poll(focused).toBe('Удалить: Первый');
  await removed('Первый');
  await expect.poll(focused).toBe('Добавить');
});

it('FOC-2 a row that somebody else deletes hands the focus on, too; who stands elsewhere stays there', async () => {
  const { rerender } = render(<List />);
  const edit = screen.getByRole('button', { name: 'Изменить: Первый' });
  edit.focus();
  rerender(<List gone={['Первый']} />);
  await expect.poll(focused).toBe('Изменить: Второй');
  rerender(<List gone={['Первый', 'Третий']} />);
  await expect.poll(focused).toBe('Изменить: Второй');
});

it('FOC-3 a question answered with no gives the focus back to who asked, also over another dialog', async () => {
  const user = userEvent.setup();
  render(
    <Dialog title="Список" onClose={() => undefined}>
      <List />
    </Dialog>,
  );
  const button = await screen.findByRole('button', { name: 'Удалить: Второй' });
  button.focus();
  await user.keyboard('{Enter}');
  await screen.findByRole('alertdialog', { name: 'Удалить?' });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(button));
});

it('FOC-4 on another page the focus begins at its content', async () => {
  const Pages = () => {
    const [there, setThere] = useState(false);
    return (
      <main tabIndex={-1}>
        {there ? (
          <p>Там</p>
        ) : (
          <button
            type="button"
            onClick={() => {
              history.pushState(null, '', '/there');
              setThere(true);
            }}
          >
            Туда
          </button>
        )}
      </main>
    );
  };
  render(<Pages />);
  screen.getByRole('button', { name: 'Туда' }).focus();
  await userEvent.setup().keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')));
});

/** Rows that go when their button is pressed, as what is restored goes from the list of the deleted. */
const Restorable = () => {
  const [names, setNames] = useState(['Первый', 'Второй', 'Третий']);
  return (
    <ul>
      {names.map((name) => (
        <li key={name}>
          {name}{' '}
          <button type="button" onClick={() => setNames((now) => now.filter((one) => one !== name))}>
            Вернуть
          </button>
        </li>
      ))}
    </ul>
  );
};
const rowNames = (): readonly (string | null)[] => screen.getAllByRole('listitem').map((row) => row.textContent);

it('FOC-5 a row that goes by its own button hands the focus to the next row, where a second Enter does nothing and Tab leads on', async () => {
  const user = userEvent.setup();
  render(<Restorable />);
  await user.tab();
  await user.keyboard('{Enter}');
  await expect.poll(focused).toBe('Второй Вернуть');
  expect(document.activeElement).toBe(screen.getAllByRole('listitem')[0]);
  await user.keyboard('{Enter} ');
  expect(rowNames()).toEqual(['Второй Вернуть', 'Третий Вернуть']);
  await user.tab();
  expect(document.activeElement).toBe(screen.getAllByRole('button')[0]);
  expect(screen.getAllByRole('listitem')[0]?.hasAttribute('tabindex')).toBe(false);
  await user.keyboard('{Enter}');
  await expect.poll(focused).toBe('Третий Вернуть');
});

it('FOC-1200 a button that waits for an answer has the focus again once it may be pressed, unless the person went elsewhere', async () => {
  const Form = ({ busy }: { readonly busy: boolean }) => (
    <fieldset>
      <input aria-label="Имя" />
      <button type="button" disabled={busy}>
        Сохранить
      </button>
    </fieldset>
  );
  const { rerender } = render(<Form busy={false} />);
  const save = screen.getByRole('button', { name: 'Сохранить' });
  /** As browsers do with what is disabled under the focus; jsdom would leave the focus there. */
  const waits = (): void => {
    save.focus();
    save.blur();
    rerender(<Form busy />);
    expect(document.activeElement).toBe(document.body);
  };
  waits();
  rerender(<Form busy={false} />);
  await waitFor(() => expect(document.activeElement).toBe(save));
  waits();
  const name = screen.getByLabelText('Имя');
  name.focus();
  rerender(<Form busy={false} />);
  await new Promise(requestAnimationFrame);
  expect(document.activeElement).toBe(name);
});

it('FOC-1201 where nothing is left to press in what floats, it has the focus itself until something comes there', async () => {
  const Panel = ({ more = false }: { readonly more?: boolean }) => {
    const [open, setOpen] = useState(true);
    return (
      <div data-floating="">
        <section aria-label="Уведомления">
          {open && (
            <ul>
              <li>
                Цена
                <button type="button" onClick={() => setOpen(false)}>
                  Оставить моё
                </button>
              </li>
            </ul>
          )}
          {more ? <button type="button">Прочитать все</button> : <p>Уведомлений нет</p>}
        </section>
      </div>
    );
  };
  const { rerender } = render(<Panel />);
  screen.getByRole('button', { name: 'Оставить моё' }).focus();
  await userEvent.setup().keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Уведомления' })));
  rerender(<Panel more />);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Прочитать все' })));
});

it('FOC-6 a key that is held acts only where it was pressed, wherever the focus goes meanwhile', () => {
  render(<Restorable />);
  const [first, second] = screen.getAllByRole('button') as [HTMLElement, HTMLElement];
  /** Whether the key got as far as the button, and might press it. */
  const arrives = (button: HTMLElement, key: string, repeat: boolean): boolean => {
    const heard = vi.fn<() => void>();
    button.addEventListener('keydown', heard, { once: true });
    const isLeft = fireEvent.keyDown(button, { key, repeat });
    button.removeEventListener('keydown', heard);
    expect(heard).toHaveBeenCalledTimes(isLeft ? 1 : 0);
    return isLeft;
  };
  for (const key of ['Enter', ' ']) {
    expect([arrives(first, key, false), arrives(first, key, true)]).toEqual([true, true]);
    second.focus();
    expect([arrives(second, key, true), arrives(second, key, true)]).toEqual([false, false]);
    expect([arrives(second, key, false), arrives(second, key, true)]).toEqual([true, true]);
  }
  expect([arrives(first, 'ArrowDown', true), arrives(first, 'x', true)]).toEqual([true, true]);
});

it('FOC-7 a part of something that floats is drawn anew under the focus, which goes on in it; once that is closed, nothing takes it', async () => {
  const Floats = ({ part }: { readonly part: 'failed' | 'coming' | 'mended' | 'gone' }) => (
    <>
      <button type="button">Рядом</button>
      {part !== 'gone' && (
        <div data-floating="">
          {part === 'failed' && <button type="button">Повторить</button>}
          {part === 'mended' && (
            <section>
              <button type="button">Месяц назад</button>
            </section>
          )}
        </div>
      )}
    </>
  );
  const { rerender } = render(<Floats part="failed" />);
  screen.getByRole('button', { name: 'Повторить' }).focus();
  rerender(<Floats part="coming" />);
  await new Promise(requestAnimationFrame);
  expect(document.activeElement).toBe(document.body);
  rerender(<Floats part="mended" />);
  await expect.poll(focused).toBe('Месяц назад');
  rerender(<Floats part="gone" />);
  await new Promise(requestAnimationFrame);
  expect(document.activeElement).toBe(document.body);
});

it('FOC-8 when the whole of a page gives way to another one under the same address, the keyboard goes on in that, not in its frame', async () => {
  const Pages = () => {
    const [isIn, setIn] = useState(false);
    return isIn ? (
      <div>
        <a href="#content">К содержимому</a>
        <main tabIndex={-1}>Дашборд</main>
      </div>
    ) : (
      <main>
        <button type="button" onClick={() => setIn(true)}>
          Сменить пароль
        </button>
      </main>
    );
  };
  render(<Pages />);
  await userEvent.click(screen.getByRole('button', { name: 'Сменить пароль' }));
  await waitFor(() => expect(focused()).toBe('Дашборд'));
});

it('FOC-9 a note beside the content that goes when it is pressed leaves the keyboard to the content, not to whatever stood last there', async () => {
  const Page = () => {
    const [isTold, setTold] = useState(true);
    return (
      <main>
        <button type="button">Последнее внизу</button>
        <div className="z-notes">
          {isTold && (
            <button type="button" onClick={() => setTold(false)}>
              Повторить
            </button>
          )}
        </div>
      </main>
    );
  };
  render(<Page />);
  await userEvent.click(screen.getByRole('button', { name: 'Повторить' }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')));
});
