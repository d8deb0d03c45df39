import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type Answer, type Call, stage } from '../testing/stage.tsx';
import { KeyPicture } from './key-picture.tsx';
import { RecoveryCodes, SecondFactor } from './second-factor.tsx';

const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const url = `otpauth://totp/Zakup:${encodeURIComponent('Анна')}?issuer=Zakup&secret=${secret}`;
const recoveryCodes = Array.from({ length: 10 }, (_, index) => `AAAA${index + 2}-BBBBB`);

describe('one’s own second factor', () => {
  it('SFA-1470 is switched on by the password, the key and a first code; recovery codes are shown once', async () => {
    const sent: unknown[] = [];
    let since: string | null = null;
    const serve = ({ method, path, body }: Call): Answer => {
      if (method === 'GET') return { data: { since, recoveryCodesLeft: since === null ? 0 : 10 } };
      sent.push([path, body]);
      if (path.endsWith('/begin')) return { data: { secret, url } };
      since = '2026-11-21T09:00:00.000Z';
      return { data: { recoveryCodes } };
    };
    const { user } = stage({
      element: <SecondFactor path="/api/auth/second-factor" owner="me" rescuer="colleague" />,
      serve,
    });
    await user.click(await screen.findByRole('button', { name: 'Включить второй фактор' }));
    await user.click(screen.getByRole('button', { name: 'Продолжить' }));
    expect(screen.getByText('Пожалуйста, заполните все поля')).toBeTruthy();
    await user.type(screen.getByLabelText('Пароль для входа'), 'secret12');
    await user.click(screen.getByRole('button', { name: 'Продолжить' }));
    expect((await screen.findByTestId('second-factor-key')).textContent).toBe(
      secret.replaceAll(/(.{4})(?=.)/gu, '$1 '),
    );
    await user.type(screen.getByLabelText('Код из приложения'), '123456');
    await user.click(screen.getByRole('button', { name: 'Включить' }));
    const shown = await screen.findByRole('list', { name: 'Резервные коды' });
    expect(shown.textContent).toBe(recoveryCodes.join(''));
    expect(sent).toEqual([
      ['/api/auth/second-factor/begin', { currentPassword: 'secret12' }],
      ['/api/auth/second-factor/confirm', { code: '123456' }],
    ]);
    await user.click(screen.getByRole('button', { name: 'Коды сохранены' }));
    expect(await screen.findByText(/Осталось резервных кодов: 10/u)).toBeTruthy();
    expect(screen.queryByRole('list', { name: 'Резервные коды' })).toBeNull();
  });

  it.each([
    ['colleague', /снимет коллега, который может выдать вам временный пароль/u],
    ['admin', /снимет администратор установки/u],
    ['server', /доступ к серверу: командой npm run admin:reset/u],
  ] as const)('SCR-1645 beside the codes it says who helps when they are lost too: %s', async (rescuer, words) => {
    stage({ element: <RecoveryCodes codes={recoveryCodes} rescuer={rescuer} onKept={() => undefined} /> });
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.queryByText(/войти нельзя/u)).toBeNull();
  });

  it('SFA-1471 a key’s picture is one that a camera finds: three corners, a white margin, black on white in every theme', async () => {
    stage({ element: <KeyPicture text={url} label="Ключ" /> });
    const picture = await screen.findByRole('img', { name: 'Ключ' });
    const path = picture.querySelector('path')?.getAttribute('d') ?? '';
    const size = Number(picture.getAttribute('viewBox')?.split(' ')[2]);
    const dark = new Set([...path.matchAll(/M(\d+) (\d+)h1/gu)].map(([, x, y]) => `${x} ${y}`));
    const corner = (left: number, top: number): boolean =>
      [0, 6].every((edge) =>
        Array.from({ length: 7 }, (_, step) => step).every((step) => dark.has(`${left + step} ${top + edge}`)),
      );
    expect([corner(4, 4), corner(size - 11, 4), corner(4, size - 11)]).toEqual([true, true, true]);
    expect([...dark].filter((at) => at.split(' ').some((one) => Number(one) < 4 || Number(one) >= size - 4))).toEqual(
      [],
    );
    expect([
      picture.querySelector('rect')?.getAttribute('fill'),
      picture.querySelector('path')?.getAttribute('fill'),
    ]).toEqual(['white', 'black']);
  });
});
