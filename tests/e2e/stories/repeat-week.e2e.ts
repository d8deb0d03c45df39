import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { rowOf, settled } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { dayFromToday, givenCampaign, givenTeam } from '../support/team.ts';

test('E2E-2300 two ticked purchases of last week are added as one command, and one Ctrl+Z takes both back @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign } = await givenCampaign(team);
  const { page } = await as(team, 'owner');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (/\/(?:placements(?:\/batch)?|undo)$/u.test(request.url()) && request.method() === 'POST')
      sent.push(new URL(request.url()).pathname);
  });
  const added = async (): Promise<readonly (readonly [string, number])[]> => {
    const path = `/campaigns/${campaign.id}/placements`;
    const { placements } = await team.done<{ placements: readonly PlacementWire[] }>('GET', path);
    return placements
      .filter(({ date }) => date > dayFromToday(0))
      .map(({ date, price }) => [date, price] as const)
      .sort(([, one], [, other]) => one - other);
  };

  await page.getByRole('button', { name: /^Ещё: скачать/u }).click();
  await page.getByRole('menuitem', { name: 'Повторить прошлую неделю…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Повторить прошлую неделю' });
  await expect(dialog.getByRole('checkbox')).toHaveCount(3);
  await dialog.getByRole('button', { name: 'Снять все' }).click();
  await dialog.getByRole('checkbox', { name: /^@marina_pr/u }).check();
  await dialog.getByRole('checkbox', { name: /^@food_daily/u }).check();
  await dialog.getByRole('button', { name: 'Добавить 2 размещения' }).click();
  await expect(dialog).toHaveCount(0);
  for (const [nick, count] of [
    ['@marina_pr', 2],
    ['@food_daily', 2],
    ['@slow_ads', 1],
  ] as const)
    await expect(rowOf(page, nick)).toHaveCount(count);
  await settled(page);
  await expect.poll(added).toEqual([
    [dayFromToday(2), 3000],
    [dayFromToday(4), 8000],
  ]);

  await page.keyboard.press('Control+KeyZ');
  await expect(rowOf(page, '@marina_pr')).toHaveCount(1);
  await expect(rowOf(page, '@food_daily')).toHaveCount(1);
  await settled(page);
  await expect.poll(added).toEqual([]);
  expect(sent.map((path) => path.split('/').at(-1))).toEqual(['batch', 'undo']);
});
