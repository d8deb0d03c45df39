import type { Credentials } from '@zakup/credentials/credentials';
import { roleLabels } from '@zakup/domain/topics';
import type { StoryIds } from './story/act.ts';
import { beginnings } from './story/beginning.ts';
import { owner, people, shownLogins } from './story/people.ts';

/** Everybody's in a demo, the admin's too: it protects nothing. */
export const demoPassword = 'zakup-demo';

/** Gives everybody who is still there the password, unless they have one. */
export const givePasswords = async (credentials: Credentials, ids: StoryIds): Promise<void> => {
  const { person } = beginnings(ids);
  const keys = [owner.key, ...people.filter(({ leaves }) => leaves === undefined).map(({ key }) => key)];
  for (const key of keys) {
    const record = { userId: person(key), licenceId: ids.licence, temporary: false, validUntil: null };
    await credentials.setFirstPassword(record, demoPassword);
  }
};

/** The logins as lines for whoever tries the demo. */
export const loginLines = (): readonly string[] => [
  `Войти (пароль у всех ${demoPassword}, если его не меняли):`,
  ...shownLogins.map(({ role, name, code }) => {
    const door = role === 'CEO' ? 'вкладка «Владелец»' : 'вкладка «Сотрудник»';
    return `  ${roleLabels[role].padEnd(12)} ${code}   ${name}, ${door}`;
  }),
  '  коды остальных: «Настройки», вкладка «Сотрудники»',
];
