import { useQuery } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { useApi } from '../api/api-context.tsx';
import { type Answer, stage } from '../testing/stage.tsx';
import { QueryFailure } from './query-failure.tsx';

const Reading = () => {
  const api = useApi();
  const query = useQuery({
    queryKey: ['number'],
    queryFn: async () => (await api.get<{ readonly number: number }>('/api/number')).data.number,
  });
  return (
    <>
      <QueryFailure query={query} />
      <p>{query.data === undefined ? 'числа нет' : `Число: ${query.data}`}</p>
      <button type="button" onClick={() => void query.refetch()}>
        Обновить
      </button>
    </>
  );
};
const moscow = /Данные на \d\d:\d\d\./u;

describe('loads that fail', () => {
  it('WLO-10 without older data a failed read says why and is asked for again', async () => {
    let answer: Answer = 'no answer';
    const { user } = stage({ element: <Reading />, serve: () => answer });
    expect((await screen.findByRole('alert')).textContent).toContain('Ошибка соединения с сервером');
    expect(screen.queryByText(moscow)).toBeNull();
    answer = { data: { number: 7 } };
    await user.click(screen.getByRole('button', { name: 'Повторить' }));
    expect(await screen.findByText('Число: 7')).toBeDefined();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('WLO-11 over older data a failed read says of when they are, and keeps them', async () => {
    let answer: Answer = { data: { number: 7 } };
    const { user } = stage({ element: <Reading />, serve: () => answer });
    await screen.findByText('Число: 7');
    answer = { problem: { code: 'INTERNAL', message: 'Сломалось.' } };
    await user.click(screen.getByRole('button', { name: 'Обновить' }));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toMatch(/^Не обновилось: Сломалось\. Данные на \d\d:\d\d\.Повторить$/u);
    expect(screen.getByText('Число: 7')).toBeDefined();
    answer = { data: { number: 8 } };
    await user.click(screen.getByRole('button', { name: 'Повторить' }));
    expect(await screen.findByText('Число: 8')).toBeDefined();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
