import { type Action, may } from '@zakup/domain/permissions';
import { useLocation } from 'react-router-dom';
import type { PaletteAction } from '../features/palette/palette-item.ts';
import { requestAddPlacement } from '../shared/dialogs/add-placement-requests.ts';
import { openLicence } from '../shared/licence/licence-opener.ts';
import { openNotifications } from '../shared/live/notifications-opener.ts';
import { useAsker } from '../shared/live/use-may.ts';
import { usePast } from '../shared/time-travel/past-context.ts';
import { useLeadsToNow, useThenPath } from '../shared/moment/then-path.ts';
import { useSession } from '../shared/session/session-context.tsx';
import { useTheme } from '../shared/theme/theme.ts';
import { openOwnActions } from '../shared/undo/undo-requests.ts';
import { useGo } from '../shared/ui/use-go.ts';
import { type Section, sections } from './sections.ts';
import { useOpenLinks } from './side-links.tsx';
import { useSignOut } from './use-sign-out.ts';

/** A part of a section. */
interface Place {
  readonly path: string;
  readonly title: string;
  readonly words: string;
  readonly of: Section & { readonly permission: string };
  /** It opens to who may do this; absent = to everyone to whom the section does. */
  readonly right?: Action;
}

const places: readonly Place[] = [
  { path: '/journal?tab=salary', title: 'Отчёт по зарплате', words: 'журнал', of: sections.journal },
  { path: '/journal?tab=deleted', title: 'Удалённое', words: 'журнал вернуть', of: sections.journal },
  { path: '/settings?tab=channels', title: 'Каналы', words: 'настройки добавить канал', of: sections.settings },
  { path: '/settings?tab=campaigns', title: 'Кампании', words: 'настройки добавить кампанию', of: sections.settings },
  { path: '/settings?tab=employees', title: 'Сотрудники', words: 'настройки добавить люди', of: sections.settings },
  {
    path: '/settings?tab=licence',
    title: 'Лицензия и сессии',
    words: 'настройки ключ места срок',
    of: sections.settings,
  },
  {
    path: '/settings?tab=keys',
    title: 'Ключи',
    words: 'настройки api доступ программ токен',
    of: sections.settings,
    right: 'keys.manage',
  },
  {
    path: '/settings?tab=webhooks',
    title: 'Вебхуки',
    words: 'настройки webhook уведомлять адрес',
    of: sections.settings,
    right: 'webhooks.manage',
  },
  {
    path: '/settings?tab=export',
    title: 'Импорт и экспорт',
    words: 'настройки скачать выгрузить загрузить csv xlsx',
    of: sections.settings,
  },
  { path: '/settings?tab=parameters', title: 'Параметры', words: 'настройки', of: sections.settings },
];

/** What the palette can do beside finding things: only what the person may, and in the past only what says that it is of now. */
export const usePaletteActions = (): readonly PaletteAction[] => {
  const go = useGo();
  const { pathname, search } = useLocation();
  const open = useOpenLinks();
  const { theme, toggle } = useTheme();
  const { permissions } = useSession();
  const asker = useAsker();
  const past = usePast();
  const then = useThenPath();
  const leadsToNow = useLeadsToNow();
  const signOut = useSignOut();
  const asideOf = (path: string): string | undefined => (leadsToNow(path) ? 'сейчас' : undefined);
  const mayAdd = asker !== null && may(asker, 'placement.add', 'some').allowed;
  const add = (): void => {
    requestAddPlacement();
    if (pathname !== sections.dashboard.path && pathname !== '/') go(sections.dashboard.path);
  };
  const isPast = past !== null && past.state !== null;
  return [
    ...(mayAdd
      ? [{ id: 'add', title: 'Добавить размещение', words: 'новое создать', hotkey: 'Ctrl ↵', run: add }]
      : []),
    // What is undone there is undone now: in the past there is no such list.
    ...(isPast
      ? []
      : [{ id: 'actions', title: 'Мои последние действия', words: 'отменить повторить вернуть', run: openOwnActions }]),
    ...open.map(({ section: { path, name } }) => ({
      id: path,
      title: name,
      words: 'перейти',
      aside: asideOf(path),
      run: () => go(then(path)),
    })),
    ...places
      .filter(
        ({ of, right }) =>
          permissions[of.permission] === true && (right === undefined || (asker !== null && may(asker, right).allowed)),
      )
      .map(({ path, title, words, of }) => ({
        id: path,
        title,
        words,
        aside: asideOf(path) ?? of.name,
        run: () => go(path),
      })),
    {
      id: 'profile',
      title: sections.profile.name,
      aside: asideOf(sections.profile.path),
      run: () => go(sections.profile.path),
    },
    ...(past === null
      ? []
      : isPast
        ? [{ id: 'now', title: 'Вернуться в сейчас', run: past.leave }]
        : [
            {
              id: 'past',
              title: 'Как было',
              words: 'прошлое время',
              run: () => past.enter(new URLSearchParams(search).get('campaign')),
            },
          ]),
    { id: 'licence', title: 'Лицензия', aside: isPast ? 'сейчас' : undefined, run: openLicence },
    { id: 'notifications', title: 'Уведомления', aside: isPast ? 'сейчас' : undefined, run: () => openNotifications() },
    { id: 'theme', title: theme === 'dark' ? 'Светлая тема' : 'Тёмная тема', run: toggle },
    { id: 'leave', title: 'Выйти', words: 'выход сменить пользователя', run: signOut },
  ];
};
