import { cleanup, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import type { ContractorWire, DocKind, PersonWire } from '@zakup/contracts/wire-entities';
import type { HistoryEntry } from '@zakup/contracts/history';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ActivationDialog } from '../features/activation/activation-dialog.tsx';
import { AdminLoginPage } from '../features/admin/admin-login-page.tsx';
import type { AdminLicence } from '../features/admin/admin-api.tsx';
import { IssueDialog } from '../features/admin/issue-dialog.tsx';
import { AskDialog } from '../features/admin/licence-dialogs.tsx';
import { AddContractorDialog } from '../features/contractors/add-contractor-dialog.tsx';
import { ChangeContractorDialog } from '../features/contractors/change-contractor-dialog.tsx';
import { ContractorDialog } from '../features/contractors/contractor-dialog.tsx';
import { MergeContractorDialog } from '../features/contractors/merge-contractor-dialog.tsx';
import { CreativeDialog } from '../features/creatives/creative-dialog.tsx';
import { AddPlacementDialog } from '../features/placements/dialogs/add-placement-dialog.tsx';
import { EditPlacementDialog } from '../features/placements/dialogs/edit-placement-dialog.tsx';
import { NickDialog } from '../features/placements/dialogs/nick-dialog.tsx';
import type { PlacementRow } from '../features/placements/rows/placement-row.ts';
import { CampaignDialog } from '../features/settings/campaign-dialog.tsx';
import { ChannelDialog } from '../features/settings/channel-dialog.tsx';
import { EmployeeDialog } from '../features/settings/employee-dialog.tsx';
import { EmployeesTab } from '../features/settings/employees-tab.tsx';
import { ParametersTab } from '../features/settings/parameters-tab.tsx';
import { PutBackDialog } from '../shared/history/put-back-dialog.tsx';
import { CloseLicence } from '../shared/licence/close-licence.tsx';
import { PasswordForm } from '../shared/session/password-form.tsx';
import { untiedErrors } from '../shared/testing/field-errors.ts';
import { type Answer, type Call, licence, person, stage, stageNow } from '../shared/testing/stage.tsx';
import { SlotProvider } from '../shared/ui/slots.tsx';
import { placementDocument } from '../shared/testing/placement-document.ts';

const stamp = { revision: 1, createdAt: '2026-11-01T00:00:00.000Z', updatedAt: '2026-11-01T00:00:00.000Z' };
const ceo = person('me', { role: 'CEO', isOwner: true });
const contractor = (id: string, adminUsername: string): ContractorWire => ({
  ...stamp,
  id,
  adminUsername,
  automatic: false,
  channelName: '',
  category: 'Кулинария',
  isActive: true,
  firstUsed: null,
  lastUsed: null,
  totalPlacements: 0,
  totalLeads: 0,
  totalSpent: 0,
  averagePlacementPrice: 0,
  averageCostPerLead: 0,
  notes: '',
  notesHistory: [],
});
const [dacha, kitchen] = [contractor('k1', '@dacha'), contractor('k2', '@kitchen_ads')];
const placement = placementDocument({
  ...stamp,
});
const row: PlacementRow = {
  id: 'p1',
  kind: 'stored',
  placement,
  stored: placement,
  decided: placement,
  counted: true,
  typed: {},
  idle: new Set(),
  nick: '@dacha',
  buyerName: 'Анна',
  creativeName: '',
  entries: [],
  leaving: false,
};
const entry: HistoryEntry = {
  position: 1,
  revision: 1,
  at: '2026-11-21T11:41:52.000Z',
  actor: { userId: 'anna', name: 'Анна' },
  commandId: '00000000-0000-4000-8000-000000000001',
  source: 'screen',
  reason: null,
  causedBy: null,
  event: 'PlacementPriceChanged',
  entity: { kind: 'placement', id: 'p1', name: '@dacha' },
  campaign: { id: 'c', name: 'Ноябрь' },
  changes: [{ field: 'price', from: 5100, to: 5200 }],
};
const adminLicence: AdminLicence = { ...licence };
const anna = person('anna', { name: 'Анна', role: 'MEDIA_BUYER' });
const nothing = (): void => undefined;
const now = (): number => stageNow;

interface Case {
  readonly what: string;
  readonly element: (onClose: () => void) => ReactElement;
  readonly me?: PersonWire;
  readonly serve?: (call: Call) => Answer;
  /** Opens what is looked at. */
  readonly open?: (user: UserEvent) => Promise<void>;
  /** Types something that closing would throw away; absent where nothing is typed, or it is no dialog. */
  readonly type?: (user: UserEvent) => Promise<void>;
  /** Sends something that is refused in a field; absent where nothing can be wrong in one. */
  readonly wrong?: (user: UserEvent) => Promise<void>;
  /** What is found by this role and name has the keyboard then. */
  readonly label?: string | RegExp;
}

const typeInto = (label: string | RegExp, text: string) => async (user: UserEvent) => {
  await user.type(await screen.findByLabelText(label), text);
};
const press = (name: string | RegExp) => async (user: UserEvent) => {
  await user.click(await screen.findByRole('button', { name }));
};
const cleared = (label: string | RegExp, name: string) => async (user: UserEvent) => {
  await user.clear(await screen.findByLabelText(label));
  await press(name)(user);
};

const cases: readonly Case[] = [
  {
    what: 'a new placement',
    element: (onClose) => (
      <AddPlacementDialog
        campaignId="c"
        now={now}
        buyerId=""
        onAdd={nothing}
        onAddMore={async () => true}
        onClose={onClose}
      />
    ),
    type: typeInto('Ник контрагента', 'd'),
    wrong: press('Добавить размещение'),
    label: 'Ник контрагента',
  },
  {
    what: 'a placement',
    element: (onClose) => <EditPlacementDialog row={row} onSave={nothing} onClose={onClose} />,
    type: typeInto('Цена, ₽', '1'),
    wrong: cleared('Ник контрагента', 'Сохранить'),
    label: 'Ник контрагента',
  },
  {
    what: 'another nick',
    element: (onClose) => <NickDialog nick="@dacha" nicks={[]} onSave={nothing} onClose={onClose} />,
    type: typeInto(/ник контрагента/u, 'x'),
    wrong: async (user) => {
      await user.clear(await screen.findByLabelText(/ник контрагента/u));
      await user.keyboard('@a b{Enter}');
    },
    label: /ник контрагента/u,
  },
  {
    what: 'a creative',
    element: (onClose) => <CreativeDialog creative={null} onClose={onClose} />,
    type: typeInto('Название', 'Р'),
    wrong: press('Добавить'),
    label: 'Название',
  },
  {
    what: 'a channel',
    element: (onClose) => <ChannelDialog channel={null} onClose={onClose} />,
    type: typeInto('Название', 'К'),
    wrong: press('Добавить'),
    label: 'Название',
  },
  {
    what: 'a campaign with the terms of somebody in it',
    element: (onClose) => <CampaignDialog campaign={null} channelId="ch" onClose={onClose} />,
    type: typeInto('Название', 'Н'),
    wrong: async (user) => {
      await user.selectOptions(await screen.findByLabelText('Добавить участника'), 'anna');
      await user.selectOptions(screen.getByLabelText('Схема: Анна'), 'budget');
      await user.type(screen.getByLabelText('Ставка, %: Анна'), '500');
      await press('Создать')(user);
    },
    label: 'Название',
  },
  {
    what: 'a new person',
    element: (onClose) => <EmployeeDialog onClose={onClose} onCreated={nothing} />,
    type: typeInto('Имя', 'О'),
    wrong: press('Добавить'),
    label: 'Имя',
  },
  {
    what: 'a person',
    element: () => (
      <SlotProvider>
        <EmployeesTab now={now} />
      </SlotProvider>
    ),
    open: press('Анна'),
    type: typeInto('Имя', 'О'),
    wrong: cleared('Имя', 'Сохранить'),
    label: 'Имя',
  },
  {
    what: 'a new contractor',
    element: (onClose) => <AddContractorDialog onClose={onClose} />,
    type: typeInto('Ник', '@'),
    wrong: press('Добавить'),
    label: 'Ник',
  },
  {
    what: 'a contractor',
    element: (onClose) => <ChangeContractorDialog contractor={dacha} onClose={onClose} onMerge={null} />,
    type: typeInto('Ник', 's'),
    wrong: cleared('Ник', 'Сохранить'),
    label: 'Ник',
  },
  {
    what: 'a merge',
    element: (onClose) => (
      <MergeContractorDialog contractor={dacha} noteCount={0} onClose={onClose} onMerged={nothing} />
    ),
    type: async (user) => user.click(await screen.findByRole('radio', { name: /@kitchen_ads/u })),
    wrong: async (user) => {
      await typeInto('С кем объединить', 'никого')(user);
      await press('Объединить…')(user);
    },
    label: 'С кем объединить',
  },
  {
    what: 'a note',
    element: (onClose) => <ContractorDialog contractorId="k1" onClose={onClose} />,
    open: async (user) => user.click(await screen.findByRole('tab', { name: /^Заметки/u })),
    type: typeInto('Новая заметка', 'Отвечает быстро'),
    wrong: async (user) => {
      const field = await screen.findByLabelText('Новая заметка');
      await user.click(field);
      await user.paste('а'.repeat(5_001));
      await press('Добавить заметку')(user);
    },
    label: 'Новая заметка',
  },
  {
    what: 'a new licence',
    element: (onClose) => <IssueDialog onClose={onClose} onIssued={nothing} />,
    type: typeInto('Команда', 'К'),
    wrong: press('Выдать'),
    label: 'Команда',
  },
  {
    what: 'the suspension of a licence',
    element: (onClose) => <AskDialog licence={adminLicence} action="suspend" onClose={onClose} onDone={nothing} />,
    type: typeInto('Причина', 'Н'),
    wrong: press('Приостановить'),
    label: 'Причина',
  },
  {
    what: 'the renewal of a licence',
    element: (onClose) => <AskDialog licence={adminLicence} action="renew" onClose={onClose} onDone={nothing} />,
    type: async (user) => user.clear(await screen.findByLabelText('Действует до')),
    wrong: cleared('Действует до', 'Продлить'),
    label: 'Действует до',
  },
  {
    what: 'the end of a licence',
    element: () => <CloseLicence licence={licence} />,
    me: ceo,
    open: press('Закрыть лицензию'),
    type: typeInto('Введите слово ЗАКРЫТЬ', 'З'),
    wrong: async () => {
      const dialog = within(await screen.findByRole('dialog'));
      dialog.getByRole('button', { name: 'Закрыть лицензию' }).click();
    },
    label: 'Введите слово ЗАКРЫТЬ',
  },
  {
    what: 'the undoing of what another did',
    element: (onClose) => <PutBackDialog order={{ entry, change: null }} onClose={onClose} onDone={nothing} />,
    type: typeInto('Причина', 'О'),
    wrong: press('Отменить изменение'),
    label: 'Причина',
  },
  {
    what: 'a licence key',
    element: (onClose) => <ActivationDialog onClose={onClose} onSignIn={nothing} onUseCode={nothing} />,
    type: typeInto('Лицензионный ключ', 'LIC'),
    wrong: async (user) => typeInto('Лицензионный ключ', 'LIC{Enter}')(user),
    label: 'Лицензионный ключ',
  },
  {
    what: 'a code of activation',
    element: (onClose) => <ActivationDialog onClose={onClose} onSignIn={nothing} onUseCode={nothing} />,
    serve: ({ path }) =>
      path.endsWith('request-code')
        ? { data: {} }
        : { problem: { code: 'VALIDATION_FAILED', message: 'Код не подошёл', errors: [] } },
    open: async (user) => typeInto('Лицензионный ключ', 'license-aaaa-bbbb-cccc-7q4k{Enter}')(user),
    type: async () => void (await screen.findByLabelText('Цифра 1 из 6')),
    wrong: async (user) => {
      await user.click(await screen.findByLabelText('Цифра 1 из 6'));
      await user.keyboard('409118');
    },
    label: 'Цифра 1 из 6',
  },
  {
    what: 'a password',
    element: () => <PasswordForm temporary={false} onChanged={nothing} />,
    wrong: press('Сменить пароль'),
    label: 'Текущий пароль',
  },
  {
    what: 'the parameters of a team',
    element: () => <ParametersTab />,
    me: ceo,
    wrong: async (user) => {
      const field = await screen.findByLabelText('Цена лида, ₽');
      await user.clear(field);
      await user.type(field, '9999999999999{Enter}');
    },
    label: 'Цена лида, ₽',
  },
  {
    what: 'the sign-in of the administrator',
    element: () => <AdminLoginPage />,
    wrong: press('Войти'),
    label: 'Логин',
  },
];

const workspace = [
  ['user', { id: 'anna', name: 'Анна', role: 'MEDIA_BUYER', isActive: true }],
  ['person', anna],
  ['channel', { ...stamp, id: 'ch', name: 'Кухня', avatar: null }],
  ['contractor', dacha],
  ['contractor', kitchen],
  ['license', licence],
] as unknown as (readonly [DocKind, { readonly id: string }])[];

const given = async ({ element, me = person('me'), serve, open }: Case) => {
  const onClose = vi.fn<() => void>();
  const { user } = stage({
    element: element(onClose),
    me,
    docs: { workspace, 'contractor:k1': [['contractor', dacha]] },
    ...(serve && { serve }),
  });
  await open?.(user);
  return { user, onClose };
};

const question = 'Закрыть без сохранения?';

describe('forms', () => {
  beforeEach(() => {
    vi.stubGlobal('__APP_VERSION__', '1.0.0');
    vi.stubGlobal('fetch', () => new Promise(nothing));
  });
  afterEach(() => vi.unstubAllGlobals());

  it.each(cases.filter(({ wrong }) => wrong))(
    'FRM-1 $what: what is wrong is said by the field itself, the first wrong one has the keyboard',
    async (one) => {
      const { user } = await given(one);
      await one.wrong?.(user);
      await waitFor(() => expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true'));
      expect(document.activeElement).toBe(screen.getByLabelText(one.label ?? ''));
      expect(untiedErrors(document)).toEqual([]);
    },
  );

  /** Of those that check what is in them; the field that is filled in first, and what it does not take: nothing, unless said otherwise. */
  const entered: Readonly<Record<string, string>> = {
    'a new placement': '',
    'a placement': '',
    'a creative': '',
    'a channel': '',
    'a campaign with the terms of somebody in it': '',
    'a new person': '',
    'a person': '',
    'a new contractor': '',
    'a contractor': '',
    'a merge': 'никого',
    'a new licence': '',
    'a licence key': '',
    'a password': '',
    'the parameters of a team': '99999999999999',
    'the sign-in of the administrator': '',
  };

  it.each(cases.filter(({ what }) => what in entered))(
    'FRM-3100 $what: its first field lies in a form that Enter sends, and what that lacks has the keyboard',
    async (one) => {
      const { user } = await given(one);
      const first = await screen.findByLabelText<HTMLInputElement>(one.label ?? '');
      await user.clear(first);
      if (entered[one.what]) await user.type(first, entered[one.what] ?? '');
      const senders = [...document.querySelectorAll('button')].filter(({ type }) => type === 'submit');
      // What a browser presses at Enter, in the form or named after it.
      const sender = senders.find(
        (button) => button.closest('form') === first.form || button.getAttribute('form') === first.form?.id,
      );
      expect(sender?.disabled).toBe(false);
      first.form?.requestSubmit();
      await waitFor(() => expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true'));
    },
  );

  it('FRM-3 fields of sums, percentages and counts bring up a keyboard of digits', async () => {
    const found: Record<string, string | null> = {};
    const expected: Record<string, string> = {};
    for (const one of cases) {
      const { user } = await given(one);
      await waitFor(() => expect(document.querySelector('input, select, textarea')).not.toBeNull());
      // Terms have their numbers only once there are terms.
      const add = screen.queryByLabelText('Добавить участника');
      if (add) await user.selectOptions(add, 'anna');
      const scheme = screen.queryByLabelText(/^Схема/u);
      if (scheme) await user.selectOptions(scheme, 'performance');
      for (const field of document.querySelectorAll<HTMLInputElement>('input:not([type="hidden"], [hidden])')) {
        const label = field.getAttribute('aria-label') ?? field.labels?.[0]?.textContent ?? '';
        if (/₽|%/u.test(label)) expected[label] = 'decimal';
        else if (/^(?:Приход|Дата|Начало|Конец|Одновременных сессий|Цифра \d)/u.test(label))
          expected[label] = 'numeric';
        else continue;
        found[label] = field.getAttribute('inputmode');
      }
      cleanup();
    }
    expect(Object.keys(expected)).toEqual(
      expect.arrayContaining(['Цена, ₽', 'Порог CPL, ₽: Анна', 'Приход', 'Цена лида, ₽']),
    );
    expect(found).toEqual(expected);
  });

  it.each(cases.filter(({ type }) => type))(
    'FRM-2 $what: Escape asks before it throws away what is typed',
    async (one) => {
      const { user, onClose } = await given(one);
      const dialog = await screen.findByRole('dialog');
      await one.type?.(user);
      await user.keyboard('{Escape}');
      // A list of suggestions closes first.
      if (screen.queryByRole('alertdialog', { name: question }) === null) await user.keyboard('{Escape}');
      const asked = within(await screen.findByRole('alertdialog', { name: question }));
      expect(onClose).not.toHaveBeenCalled();
      await user.click(asked.getByRole('button', { name: 'Вернуться' }));
      await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
      expect(dialog.isConnected).toBe(true);
      await user.click(within(dialog).getAllByRole('button', { name: 'Закрыть' })[0] as HTMLElement);
      await user.click(
        within(await screen.findByRole('alertdialog', { name: question })).getByRole('button', { name: 'Закрыть' }),
      );
      await waitFor(() => expect(onClose.mock.calls.length === 1 || !dialog.isConnected).toBe(true));
    },
  );
});
