import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { Collapsible } from './collapsible.tsx';
import { useExpanded } from './use-expanded.ts';

const Blocks = () => {
  const [employees, toggleEmployees] = useExpanded('employeeAnalyticsExpanded');
  const [creatives, toggleCreatives] = useExpanded('creativeAnalyticsExpanded');
  return (
    <>
      <Collapsible title="Сотрудники" count={4} expanded={employees} onToggle={toggleEmployees}>
        Анна
      </Collapsible>
      <Collapsible title="Креативы" count={5} expanded={creatives} onToggle={toggleCreatives}>
        Рецепт
      </Collapsible>
    </>
  );
};

it('SHL-20 each block closes and opens by itself, and stays as it was left', async () => {
  localStorage.clear();
  const { unmount } = render(<Blocks />);
  await userEvent.setup().click(screen.getByRole('button', { name: /Сотрудники/u }));
  expect(screen.queryByText('Анна')).toBeNull();
  expect(screen.getByText('Рецепт')).toBeTruthy();
  expect(localStorage.getItem('employeeAnalyticsExpanded')).toBe('false');
  unmount();
  render(<Blocks />);
  expect(screen.queryByText('Анна')).toBeNull();
  expect(screen.getByRole('button', { name: /Сотрудники/u }).getAttribute('aria-expanded')).toBe('false');
  expect(screen.getByText('Рецепт')).toBeTruthy();
});
