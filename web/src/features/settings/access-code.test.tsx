import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { AccessCode } from './access-code.tsx';

it('ST-1150 a code that one is not told has no eye and nothing to copy; one that one is told opens', async () => {
  const { rerender } = render(<AccessCode code="" of="Виктор Лапин" copy />);
  expect(screen.getByText('скрыт')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
  rerender(<AccessCode code="K7QWE2345K4T" of="Виктор Лапин" copy />);
  await userEvent.click(screen.getByRole('button', { name: 'Показать код: Виктор Лапин' }));
  expect(screen.getByText('K7QWE2345K4T')).toBeTruthy();
});
