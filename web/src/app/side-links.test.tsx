import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { MomentProvider } from '../shared/moment/moment-context.ts';
import { memoryReplica } from '../shared/replica/replica.ts';
import { person, stage } from '../shared/testing/stage.tsx';
import { MoreMenu } from '../features/placements/filters/more-menu.tsx';
import { SideCampaigns } from './side-campaigns.tsx';
import { SideLinks } from './side-links.tsx';

const then = { position: 17, at: '2026-08-14T15:42:07.000Z', now: memoryReplica() };
const nothing = (): void => undefined;

it('SHL-3080 in «Как было» every way to a place of now says so, also those at the foot', async () => {
  stage({
    element: (
      <MomentProvider value={then}>
        <SideLinks />
      </MomentProvider>
    ),
    me: person('me', { role: 'CEO', isOwner: true }),
    permissionsOver: { admin: true },
    docs: { workspace: [] },
  });
  const said = (name: string): string | null =>
    screen.getByRole('link', { name: new RegExp(`^${name}`, 'u') }).textContent;
  expect(await screen.findByRole('link', { name: /^Профиль/u })).toBeDefined();
  expect([said('Дашборд'), said('Журнал'), said('Профиль'), said('Админ-панель')]).toEqual([
    'Дашборд',
    'Журналсейчас',
    'Профильсейчас',
    'Админ-панельсейчас',
  ]);
});

it('SHL-3081 the menu of a table of the past offers no list of what one did, as its way back changes now', () => {
  const menu = (
    <MoreMenu
      onExport={null}
      onPrint={nothing}
      onCopyLink={nothing}
      onRepeat={null}
      grouping={null}
      onGrouping={nothing}
      onKeys={null}
    />
  );
  const { unmount } = render(menu);
  expect(screen.queryByText('Мои последние действия')).not.toBeNull();
  unmount();
  render(<MomentProvider value={then}>{menu}</MomentProvider>);
  expect(screen.queryByText('Мои последние действия')).toBeNull();
});

it('SHL-3082 a team without an active campaign is told so in the sidebar, once that is known', async () => {
  stage({ element: <SideCampaigns />, docs: { workspace: [] } });
  expect(await screen.findByText('Пока ни одной')).toBeDefined();
});
