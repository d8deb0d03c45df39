import { Menu, MenuItem } from '@blueprintjs/core';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { lazyPart } from './lazy-part.tsx';
import { MenuButton, menuWaiting } from './menu-button.tsx';
import { focusLateMenu } from './menu-focus.ts';

const Items = () => (
  <Menu ulRef={focusLateMenu}>
    <MenuItem text="Первое" />
    <MenuItem text="Второе" />
  </Menu>
);

it('GRD-2376 the keyboard goes into a menu that was loaded before, or comes later, and Escape gives it back to the button', async () => {
  let come: (items: typeof Items) => void = () => undefined;
  const code = new Promise<typeof Items>((resolve) => {
    come = resolve;
  });
  const Part = lazyPart(() => code, { waiting: menuWaiting(2) });
  render(<MenuButton menu={<Part />}>Меню</MenuButton>);
  const user = userEvent.setup();
  const button = screen.getByRole('button', { name: 'Меню' });
  await user.click(button);
  await waitFor(() =>
    expect(screen.getByText('Загрузка меню').closest('.bp6-portal')?.contains(document.activeElement)).toBe(true),
  );
  await act(async () => come(Items));
  const first = async () => (await screen.findByText('Первое')).closest('[role="menuitem"]');
  const isIn = async () => expect(document.activeElement).toBe(await first());
  await waitFor(isIn);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(button));

  await user.keyboard('{Enter}');
  await waitFor(isIn);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(button));
  expect(screen.queryByRole('menuitem')).toBeNull();
});
