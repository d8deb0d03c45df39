import { messages } from '@zakup/domain/messages';
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type Answer, type Call, stage, stageNow } from '../../shared/testing/stage.tsx';
import { KeysTab } from './keys-tab.tsx';

const now = (): number => stageNow;
const at = (minutes: number): string => new Date(stageNow + minutes * 60_000).toISOString();
const key = {
  id: 'k1',
  name: 'Отчёты',
  access: 'read',
  prefix: 'zk_AbC123',
  createdAt: at(-600),
  expiresAt: at(600),
  lastUsedAt: at(-5),
};
const secret = 'zk_AbC123abcdefghijklmnopqrstuvwxyz0123456789ABCDEF';

const open = (serve: (call: Call) => Answer) => {
  const calls: Call[] = [];
  const staged = stage({
    element: <KeysTab now={now} />,
    serve: (call) => {
      calls.push(call);
      return serve(call);
    },
  });
  return { ...staged, calls };
};
const sent = (calls: readonly Call[], method: string): readonly Call[] =>
  calls.filter((call) => call.method === method);

describe('keys in the settings', () => {
  it('KEY-2890 each with its access, end and last use; one that is over says so; none invites to make one', async () => {
    let keys: readonly object[] = [key, { ...key, id: 'k2', name: 'Старый', expiresAt: at(-1), lastUsedAt: null }];
    open(() => ({ data: { keys } }));
    const list = await screen.findByRole('list', { name: 'Ключи' });
    const [first, second] = within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(first).toMatch(/^Отчётыzk_AbC123…, только чтение, до .*, использован 5 мин назад$/u);
    expect(second).toMatch(/срок вышел .*, ещё не использованне действует$/u);
    keys = [];
    open(() => ({ data: { keys } }));
    expect(await screen.findByText('Ключей ещё нет')).toBeDefined();
  });

  it('KEY-2891 a new one shows its secret until it is closed', async () => {
    const { user, calls } = open(({ method }) =>
      method === 'POST' ? { data: { key, secret } } : { data: { keys: [] } },
    );
    await user.click(await screen.findByRole('button', { name: 'Создать ключ' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Создать ключ' }));
    expect(sent(calls, 'POST')).toHaveLength(0);
    await user.type(dialog.getByLabelText('Название'), 'Отчёты');
    await user.selectOptions(dialog.getByLabelText('Доступ'), 'write');
    await user.selectOptions(dialog.getByLabelText('Срок'), '30');
    await user.click(dialog.getByRole('button', { name: 'Создать ключ' }));
    expect((await screen.findByTestId('key-secret')).textContent).toBe(secret);
    const expiresAt = at(30 * 24 * 60);
    expect(sent(calls, 'POST').map(({ body }) => body)).toEqual([{ name: 'Отчёты', access: 'write', expiresAt }]);
    await user.click(screen.getByRole('button', { name: 'Убрать с экрана' }));
    expect(screen.queryByText(secret)).toBeNull();
  });

  it('KEY-2892 one is deleted after a question; a refusal stays in the question', async () => {
    let refuses = true;
    let keys: readonly object[] = [key];
    const { user, calls } = open(({ method }) => {
      if (method !== 'DELETE') return { data: { keys } };
      if (refuses) return { problem: { code: 'LICENSE_INACTIVE', message: messages.licenceInactive } };
      keys = [];
      return { data: {} };
    });
    await user.click(await screen.findByRole('button', { name: 'Удалить: Отчёты' }));
    const question = within(await screen.findByRole('alertdialog'));
    await user.click(question.getByRole('button', { name: 'Удалить' }));
    expect((await question.findByRole('alert')).textContent).toBe(messages.licenceInactive);
    refuses = false;
    await user.click(question.getByRole('button', { name: 'Удалить' }));
    expect(await screen.findByText('Ключей ещё нет')).toBeDefined();
    expect(sent(calls, 'DELETE').map(({ path }) => path)).toEqual(['/api/keys/k1', '/api/keys/k1']);
  });

  it('KEY-2893 where they do not come it says so, and tries again', async () => {
    let answer: Answer = 'no answer';
    const { user } = open(() => answer);
    const again = await screen.findByRole('button', { name: /Повторить/u });
    answer = { data: { keys: [key] } };
    await user.click(again);
    expect(await screen.findByText('Отчёты')).toBeDefined();
  });
});
