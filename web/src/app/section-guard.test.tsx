import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { person, stage } from '../shared/testing/stage.tsx';
import { useTitle } from '../shared/moment/use-title.ts';
import { SectionGuard } from './section-guard.tsx';
import { sections } from './sections.ts';

const Campaign = () => {
  useTitle('Ноябрь');
  return <p>Кампания</p>;
};

const Switching = () => {
  const [section, setSection] = useState<(typeof sections)['dashboard' | 'analytics']>(sections.dashboard);
  const other = section === sections.dashboard ? sections.analytics : sections.dashboard;
  return (
    <>
      <button type="button" onClick={() => setSection(other)}>
        Перейти
      </button>
      <SectionGuard section={section}>{section === sections.dashboard ? <Campaign /> : <p>Аналитика</p>}</SectionGuard>
    </>
  );
};

it('TTL-1 a section is named after itself, or as it says itself, also when one comes back to it', async () => {
  const { user } = stage({ element: <Switching /> });
  await screen.findByText('Кампания');
  expect(document.title).toBe('Ноябрь · media buying analytics');
  await user.click(screen.getByRole('button', { name: 'Перейти' }));
  expect(document.title).toBe('Аналитика · media buying analytics');
  await user.click(screen.getByRole('button', { name: 'Перейти' }));
  expect(document.title).toBe('Ноябрь · media buying analytics');
});

it.each([
  ['the owner', true, sections.settings, 'нет в лицензии вашей команды'],
  ['an employee', false, sections.settings, 'Доступ даёт владелец или CBDO'],
  ['the owner', true, sections.licenceAdmin, 'назвал администратор сервера'],
] as const)('TTL-1151 %s is told truly why a section is closed: %#', async (_, isOwner, section, words) => {
  stage({
    element: <SectionGuard section={section}>раздел</SectionGuard>,
    me: person('me', { role: isOwner ? 'CEO' : 'MEDIA_BUYER', isOwner }),
    permissionsOver: { settings: false },
  });
  await screen.findByRole('heading', { name: 'Доступ запрещен' });
  const told = document.body.textContent;
  expect(told).toContain(`Раздел «${section.name}» закрыт. `);
  expect(told).toContain(words);
  expect(told).not.toContain('для вашей роли');
});

it('TTL-2 who may not see a section reads so in the name of the window', async () => {
  stage({
    element: (
      <SectionGuard section={sections.settings}>
        <p>Настройки</p>
      </SectionGuard>
    ),
    me: person('me', { role: 'MEDIA_BUYER' }),
  });
  await screen.findByRole('heading', { level: 1 });
  expect(document.title).toBe('Доступ запрещен · media buying analytics');
});
