import { goToCell, rowOf } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

test('E2E-1980 what was deleted comes back by Ctrl+Z in the Russian layout, wherever the keyboard stands in the table @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'anna');
  const row = rowOf(page, '@marina_pr');
  await goToCell(page, '@marina_pr', 'Дата');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog', { name: /^Удалить @marina_pr, 3.000.₽, .+\?$/u });
  await question.getByRole('button', { name: 'Удалить' }).click();
  await expect(row).toHaveCount(0);
  await expect(page.locator('.z-toast')).toContainText(/Удалено: @marina_pr, 3.000.₽/u);
  const pressed = { key: 'я', code: 'KeyZ', ctrlKey: true, bubbles: true, cancelable: true };
  await page.getByRole('grid').dispatchEvent('keydown', pressed);
  await expect(row).toContainText('3 000 ₽');
  await expect(page.locator('.z-toast')).toHaveCount(0);
});
