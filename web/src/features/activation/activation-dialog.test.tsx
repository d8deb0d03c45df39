import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { apiClient } from '../../shared/api/api-client.ts';
import { ApiProvider } from '../../shared/api/api-context.tsx';
import { tokenStore } from '../../shared/api/tokens.ts';
import { ActivationDialog } from './activation-dialog.tsx';

const json = (status: number, body: object): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

describe('activation dialog', () => {
  it('WAC-8 all seats taken at the last step: the choice ends the oldest session and signs in', async () => {
    const entries: unknown[] = [];
    const signedIn: unknown[] = [];
    const user = userEvent.setup();
    const answers: Readonly<Record<string, (body: { endOldest?: boolean }) => Response>> = {
      '/api/licenses/request-code': () => json(200, { success: true, data: {} }),
      '/api/licenses/activate-step1': () => json(200, { success: true, data: { ownerName: 'Виктор' } }),
      '/api/licenses/activate-step2': () => json(200, { success: true, data: { ceoLoginCode: 'K7QMX4ARTN9E' } }),
      '/api/licenses/activate': (body) => {
        entries.push(body);
        return body.endOldest
          ? json(200, { success: true, data: { token: 'a.b.c', refreshToken: 'r', license: {} } })
          : json(409, { success: false, code: 'SESSION_LIMIT', error: 'Открыто слишком много сессий', instance: 'x' });
      },
    };
    const api = apiClient({
      tokens: tokenStore(localStorage),
      now: () => Date.now(),
      fetch: async (path, init) =>
        answers[path]?.(JSON.parse(init.body as string) as { endOldest?: boolean }) ?? json(404, {}),
    });
    render(
      <ApiProvider value={api}>
        <ActivationDialog
          onClose={() => undefined}
          onSignIn={(one) => signedIn.push(one.pair)}
          onUseCode={() => undefined}
        />
      </ApiProvider>,
    );
    const dialog = within(await screen.findByRole('dialog', { name: 'Активация лицензии' }));
    await user.type(dialog.getByLabelText('Лицензионный ключ'), 'license-aaaa-bbbb-cccc-7q4k{Enter}');
    await user.click(await dialog.findByLabelText('Цифра 1 из 6'));
    await user.keyboard('409118');
    await user.type(await dialog.findByLabelText('Пароль'), 'seven-roads');
    await user.type(dialog.getByLabelText('Пароль ещё раз'), 'seven-roads{Enter}');
    await user.click(await dialog.findByRole('button', { name: 'Войти в систему' }));
    await user.click(await dialog.findByRole('button', { name: 'Завершить самую старую' }));
    expect(entries).toEqual([
      { licenseKey: 'LICENSE-AAAA-BBBB-CCCC-7Q4K', password: 'seven-roads' },
      { licenseKey: 'LICENSE-AAAA-BBBB-CCCC-7Q4K', password: 'seven-roads', endOldest: true },
    ]);
    expect(signedIn).toEqual([{ token: 'a.b.c', refreshToken: 'r' }]);
  });
});
