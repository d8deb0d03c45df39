import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { expect, test } from '../support/story.ts';
import { dayFromToday, givenCampaign, givenTeam } from '../support/team.ts';

test('E2E-2360 on a phone: leads are entered one after another, and one is taken back @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign, placements } = await givenCampaign(team);
  const { placement: own } = await team.done<{ placement: PlacementWire }>('POST', '/placements', {
    campaignId: campaign.id,
    contractor: '@late_ads',
    buyerId: team.member('anna').id,
    category: 'Кулинария',
    date: dayFromToday(-2),
    price: 600,
  });
  const { page } = await as(team, 'anna', '/dashboard', { viewport: { width: 390, height: 844 }, hasTouch: true });
  await page.getByRole('button', { name: /^Внести приход/u }).tap();
  const list = page.getByRole('dialog', { name: 'Внести приход' });
  const field = (nick: string) => list.getByRole('textbox', { name: new RegExp(`^@${nick}`, 'u') });
  await expect(list.getByRole('textbox')).toHaveCount(2);
  await expect(field('late_ads'), 'one’s own is the first').toBeFocused();
  await page.keyboard.insertText('мало');
  await list.getByRole('button', { name: 'Дальше' }).tap();
  await expect(list.getByRole('alert')).toHaveText('Некорректное количество лидов');
  await field('late_ads').fill('12');
  await list.getByRole('button', { name: 'Дальше' }).tap();
  await expect(field('new_place')).toBeFocused();
  await expect(list).toContainText('Внесено 1 из 2');
  await page.keyboard.insertText('=10+5');
  await page.keyboard.press('Enter');
  await expect(list.getByText('Готово: внесено 2 из 2')).toBeVisible();
  const leadsOf = async (id = ''): Promise<number> =>
    (await team.done<{ placement: PlacementWire }>('GET', `/placements/${id}`)).placement.leads;
  await expect.poll(() => leadsOf(own.id)).toBe(12);
  await expect.poll(() => leadsOf(placements['new_place']?.id)).toBe(15);
  await list.locator('li').filter({ hasText: '@late_ads' }).getByRole('button', { name: 'Отменить' }).tap();
  await expect.poll(() => leadsOf(own.id)).toBe(0);
  await expect(field('late_ads')).toHaveValue('');
  await expect(list).toContainText('Внесено 1 из 2');
  await list.getByRole('button', { name: 'Закрыть' }).tap();
  await expect(list).toHaveCount(0);
});
