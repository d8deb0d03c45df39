import { screen, within } from '@testing-library/react';
import { catalog } from '@zakup/domain/catalog';
import { messages } from '@zakup/domain/messages';
import { describe, expect, it } from 'vitest';
import { type Answer, type Call, stage, stageNow } from '../../../shared/testing/stage.tsx';
import { eventLabels, eventsText } from './event-labels.ts';
import { deliveryChip } from './webhook-texts.ts';
import { WebhooksTab } from './webhooks-tab.tsx';

const now = (): number => stageNow;
const at = (minutes: number): string => new Date(stageNow + minutes * 60_000).toISOString();
const tried = { at: at(-5), status: 200, ms: 120, error: null };
const webhook = {
  id: 'w1',
  url: 'https://example.ru/zakup?team=1',
  events: ['*'],
  campaignId: null,
  status: 'active',
  position: 40,
  lastDelivery: { ...tried, position: 40, type: 'PlacementAdded' },
};
const secret = 'whsec_0123456789abcdef';

const open = (serve: (call: Call) => Answer) => {
  const calls: Call[] = [];
  const staged = stage({
    element: <WebhooksTab now={now} />,
    serve: (call) => {
      calls.push(call);
      return serve(call);
    },
  });
  return { ...staged, calls };
};
const sent = (calls: readonly Call[], method: string): readonly Call[] =>
  calls.filter((call) => call.method === method);

describe('webhooks in the settings', () => {
  it('WHK-3030 each with its address, events, last delivery and how it stands with it', async () => {
    const failing = { ...webhook, id: 'w2', url: 'http://10.0.0.1/', status: 'failing', events: ['PlacementAdded'] };
    open(() => ({
      data: {
        webhooks: [
          webhook,
          { ...failing, lastDelivery: { ...failing.lastDelivery, status: null, error: messages.webhookNoConnection } },
        ],
      },
    }));
    const list = await screen.findByRole('list', { name: 'Вебхуки' });
    const [first, second] = within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(first).toMatch(
      /^example\.ru\/zakup\?team=1все события, вся команда, ответ 200 за 120 мс, 5 мин назадработает/u,
    );
    expect(second).toMatch(
      /^http:\/\/10\.0\.0\.1Размещение: добавлено, вся команда, соединение не установлено или прервано, .*остановлен/u,
    );
  });

  it('WHK-3031 a new one shows its secret until it is closed', async () => {
    const { user, calls } = open(({ method }) =>
      method === 'POST' ? { data: { webhook, secret } } : { data: { webhooks: [] } },
    );
    await user.click(await screen.findByRole('button', { name: 'Создать вебхук' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Адрес'), 'https://example.ru/zakup');
    await user.click(dialog.getByRole('button', { name: 'Создать вебхук' }));
    expect((await screen.findByTestId('webhook-secret')).textContent).toBe(secret);
    expect(sent(calls, 'POST').map(({ body }) => body)).toEqual([
      { url: 'https://example.ru/zakup', events: ['*'], campaignId: null },
    ]);
    await user.click(screen.getByRole('button', { name: 'Убрать с экрана' }));
    expect(screen.queryByText(secret)).toBeNull();
  });

  it('WHK-3032 chosen events are at least one, and a refused address stands at its field', async () => {
    const { user, calls } = open(({ method }) =>
      method === 'POST'
        ? {
            problem: {
              code: 'VALIDATION_FAILED',
              message: messages.webhookAddressPrivate,
              errors: [{ pointer: '/url', detail: messages.webhookAddressPrivate }],
            },
          }
        : { data: { webhooks: [] } },
    );
    await user.click(await screen.findByRole('button', { name: 'Создать вебхук' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Адрес'), 'http://10.0.0.1/');
    await user.selectOptions(dialog.getByLabelText('События'), 'some');
    await user.click(dialog.getByRole('button', { name: 'Создать вебхук' }));
    expect(dialog.getByText('Выберите хотя бы одно событие')).toBeDefined();
    expect(sent(calls, 'POST')).toHaveLength(0);
    await user.click(dialog.getByRole('button', { name: 'Какие события' }));
    await user.click(dialog.getByLabelText('Размещение: цена'));
    await user.click(dialog.getByRole('button', { name: 'Создать вебхук' }));
    expect(await dialog.findByText(messages.webhookAddressPrivate)).toBeDefined();
    expect(sent(calls, 'POST').map(({ body }) => (body as { events: unknown }).events)).toEqual([
      ['PlacementPriceChanged'],
    ]);
  });

  it('WHK-3033 one is paused as it is, and a refusal is told', async () => {
    let refuses = true;
    let status = 'active';
    const { user, calls } = open(({ method }) => {
      if (method !== 'PUT') return { data: { webhooks: [{ ...webhook, status }] } };
      if (refuses) return { problem: { code: 'LICENSE_INACTIVE', message: messages.licenceInactive } };
      status = 'paused';
      return { data: { webhook: { ...webhook, status } } };
    });
    await user.click(await screen.findByRole('button', { name: 'Приостановить: example.ru' }));
    expect((await screen.findByRole('alert')).textContent).toBe(messages.licenceInactive);
    refuses = false;
    await user.click(screen.getByRole('button', { name: 'Приостановить: example.ru' }));
    expect(await screen.findByRole('button', { name: 'Включить: example.ru' })).toBeDefined();
    expect(sent(calls, 'PUT').at(-1)?.body).toEqual({ status: 'paused' });
  });

  it('WHK-3034 its deliveries newest first, each sent once more; a test says what came of it; all behind a number anew', async () => {
    const deliveries = [
      { position: 41, id: 'd41', type: 'PlacementPriceChanged', tries: [{ ...tried, status: 500 }], next: at(5) },
      { position: 40, id: 'd40', type: 'PlacementAdded', tries: [tried], next: null },
    ];
    const { user, calls } = open(({ method, path }) => {
      if (path.endsWith('/test')) return { data: { delivery: { at: at(0), status: 204, ms: 12, error: null } } };
      if (method !== 'GET') return { data: {} };
      return path.includes('/deliveries') ? { data: { deliveries, next: null } } : { data: { webhooks: [webhook] } };
    });
    await user.click(await screen.findByRole('button', { name: 'Отправки: example.ru' }));
    const dialog = within(await screen.findByRole('dialog'));
    const list = await dialog.findByRole('list', { name: 'Отправки' });
    const items = within(list).getAllByRole('listitem');
    expect(items.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Размещение: цена№ 41, ответ 500 за 120 мс, 5 мин назад, ещё раз .*повторится$/u),
      expect.stringMatching(/^Размещение: добавлено№ 40, ответ 200 за 120 мс, 5 мин назаддоставлено$/u),
    ]);
    await user.click(dialog.getByRole('button', { name: 'Отправить ещё раз: Размещение: добавлено, № 40' }));
    expect(await dialog.findByText('Отправляется ещё раз: № 40')).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Пробная отправка' }));
    expect(await dialog.findByText('ответ 204 за 12 мс')).toBeDefined();
    await user.type(dialog.getByLabelText('Заново после события №'), '12 000');
    await user.click(dialog.getByRole('button', { name: 'Отправить заново' }));
    expect(await dialog.findByText(/^Отправляется заново всё после № 12.000$/u)).toBeDefined();
    expect(sent(calls, 'POST').map(({ path, body }) => [path, body])).toEqual([
      ['/api/webhooks/w1/deliveries/40/resend', undefined],
      ['/api/webhooks/w1/test', undefined],
      ['/api/webhooks/w1/replay', { after: 12_000 }],
    ]);
  });

  it('WHK-3035 one is deleted after a question; where none is left it invites to make one', async () => {
    let webhooks: readonly object[] = [webhook];
    const { user } = open(({ method }) => {
      if (method === 'DELETE') webhooks = [];
      return { data: { webhooks } };
    });
    await user.click(await screen.findByRole('button', { name: 'Удалить: example.ru' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Удалить' }));
    expect(await screen.findByText('Вебхуков ещё нет')).toBeDefined();
  });

  it('WHK-3036 what is offered is in the event catalogue, and a delivery says how it stands', () => {
    expect(Object.keys(eventLabels).filter((type) => !Object.hasOwn(catalog, type))).toEqual([]);
    expect(eventsText(['A', 'B', 'C'])).toBe('выбранные события: 3');
    const delivery = { position: 1, id: 'd', type: 'PlacementAdded' };
    const failed = { ...tried, status: null, error: 'нет ответа' };
    const texts = [
      { ...delivery, tries: [], next: at(1) },
      { ...delivery, tries: [failed], next: at(1) },
      { ...delivery, tries: [failed], next: null },
      { ...delivery, tries: [failed, tried], next: null },
    ].map((one) => deliveryChip(one).text);
    expect(texts).toEqual(['в очереди', 'повторится', 'не доставлено', 'доставлено']);
  });
});
