import { expect, test } from '../support/watched-context.ts';
import { seriousFindings } from './axe.ts';
import { repeatedSource } from './repeated.ts';

const row = (nick: string, tone = 'plain', button = `<button aria-label="${nick}"></button>`): string =>
  `<tr class="${tone}"><td>${nick}</td><td>${button}</td></tr>`;
const pageOf = (rows: readonly string[]): string => `<!doctype html><html lang="ru"><title>Таблица</title>
  <style>.pale { color: #999 } button { width: 24px; height: 24px }</style><main><h1>Таблица</h1><table>${rows.join('')}</table></main></html>`;

test('E2E-1820 axe leaves out what is built as two rows before it, and judges each other kind of row', async ({
  contexts,
}) => {
  const { context, page } = await contexts.take({});
  const plain = ['anna', 'ilya', 'olga', 'vera'].map((nick) => row(nick));
  const leftOut = (): Promise<readonly string[]> =>
    page.evaluate(`${repeatedSource}.filter((one) => one.matches('tr')).map((one) => one.textContent)`);

  await page.setContent(pageOf(plain));
  expect(await leftOut()).toEqual(['olga', 'vera']);
  expect(await seriousFindings(page, 'page')).toEqual([]);

  await page.setContent(pageOf([...plain, row('pale', 'pale'), row('mute', 'plain', '<button></button>')]));
  expect(await leftOut()).toEqual(['olga', 'vera']);
  const found = await seriousFindings(page, 'page');
  expect(found.some((line) => line.startsWith('color-contrast: <td>pale'))).toBe(true);
  expect(found.some((line) => line.startsWith('button-name: <button>'))).toBe(true);

  const items = [
    ...['один', 'два', 'три', 'четыре'].map((name) => `<button aria-label="${name}"></button>`),
    '<button></button>',
  ];
  const list = `<ul>${items.map((one) => `<li>${one}</li>`).join('')}</ul>`;
  await page.setContent(
    pageOf([...plain, row('pale', 'pale')]) + `<div role="dialog" aria-label="Список">${list}</div>`,
  );
  const inPopup = await seriousFindings(page, 'popups');
  expect(inPopup.map((line) => line.split(':')[0])).toEqual(['button-name']);
  await contexts.giveBack(context);
});
