import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { Figure } from '../../../shared/explanations/figure.tsx';
import { markedTotals } from './filtered-totals.tsx';

test('FTP-3 an explanation stays open when its total follows what was typed', async () => {
  const cells = [
    {
      columnId: 'price',
      span: 1,
      content: (
        <Figure label="Потрачено" formula="1 + 1 = 2">
          2
        </Figure>
      ),
    },
  ];
  const Totals = ({ isOpen }: { readonly isOpen: boolean }) =>
    markedTotals(cells, isOpen).map(({ columnId, content }) => <div key={columnId}>{content}</div>);
  const { rerender } = render(<Totals isOpen />);
  await userEvent.click(screen.getByRole('button', { name: '2' }));
  expect(await screen.findByRole('dialog', { name: 'Почему эта цифра?' })).toBeDefined();
  rerender(<Totals isOpen={false} />);
  expect(screen.getByRole('dialog', { name: 'Почему эта цифра?' })).toBeDefined();
  rerender(<Totals isOpen />);
  expect(screen.getByRole('dialog', { name: 'Почему эта цифра?' })).toBeDefined();
});
