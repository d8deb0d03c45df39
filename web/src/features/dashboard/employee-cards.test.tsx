import { screen } from '@testing-library/react';
import type { UserWire } from '@zakup/contracts/wire-entities';
import { formatRoubles, kopecks } from '@zakup/domain/money';
import { describe, expect, it } from 'vitest';
import { budgetUse, cplFigure, type EmployeeFigures } from '../../shared/campaign/figures.ts';
import { stage } from '../../shared/testing/stage.tsx';
import { EmployeeCards } from './employee-cards.tsx';

const user = (id: string): UserWire => ({ id, revision: 0, name: `Анна ${id}`, role: 'MEDIA_BUYER', isActive: true });

const figures = (id: string, budget: number, spent: number): EmployeeFigures => ({
  user: user(id),
  budget: kopecks(budget),
  spent: kopecks(spent),
  leads: 0,
  remainder: kopecks(budget - spent),
  use: budgetUse(kopecks(spent), kopecks(budget)),
  cpl: cplFigure(kopecks(spent), 0, kopecks(0)),
  earnings: null,
  terms: null,
});

describe('employee cards', () => {
  it('DB-10 a remainder is red when it is negative, also of who has no budget', async () => {
    const employees = [
      figures('a', 1000, 900),
      figures('b', 1000, 1000),
      figures('c', 1000, 1700),
      figures('d', 0, 400),
    ];
    stage({ element: <EmployeeCards campaignId="c" employees={employees} isWhole /> });
    const remainders = (await screen.findAllByText('Остаток')).map(({ nextElementSibling }) => nextElementSibling);
    expect(remainders.map((one) => one?.textContent)).toEqual(
      [100, 0, -700, -400].map((one) => formatRoubles(kopecks(one))),
    );
    expect(remainders.map((one) => one?.classList.contains('z-bad'))).toEqual([false, false, true, true]);
  });
});
