import { afterEach, beforeEach, expect, it } from 'vitest';
import { tellCutTexts } from './cut-texts.ts';

let stop = (): void => undefined;
beforeEach(() => {
  stop = tellCutTexts(document);
});
afterEach(() => {
  stop();
  document.body.replaceChildren();
});

/** A line of 100 px that a text of this width stands in; nothing is laid out here, so the widths are told. */
const line = (width: number, title = ''): HTMLElement => {
  const box = document.createElement('div');
  box.style.textOverflow = 'ellipsis';
  box.style.overflow = 'hidden';
  if (title !== '') box.title = title;
  Object.defineProperties(box, {
    scrollWidth: { value: width, configurable: true },
    clientWidth: { value: 100 },
  });
  const word = document.createElement('b');
  word.textContent = 'Кухня за пятнадцать минут';
  box.append(word);
  document.body.append(box);
  word.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
  return box;
};

it('UI-22 what is cut with dots tells its whole text to whoever points at it', () => {
  expect(line(200).title).toBe('Кухня за пятнадцать минут');
});

it('UI-23 what has room says nothing twice, and what was told otherwise stays', () => {
  expect(line(80).title).toBe('');
  expect(line(200, 'Канал').title).toBe('Канал');
});

it('UI-24 once there is room again the title goes', () => {
  const box = line(200);
  Object.defineProperty(box, 'scrollWidth', { value: 90 });
  box.firstElementChild?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
  expect(box.hasAttribute('title')).toBe(false);
});

it('GRD-3009 a hint is the title of what is pointed at, and of nothing else', () => {
  const point = (at: HTMLElement): boolean => at.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
  const [one, other] = [document.createElement('span'), document.createElement('span')];
  one.dataset['hint'] = 'Анна Соколова';
  document.body.append(one, other);
  expect(one.title).toBe('');
  point(one);
  expect(one.title).toBe('Анна Соколова');
  // The element shows another row now.
  one.dataset['hint'] = 'Илья Кравцов';
  point(other);
  expect(one.hasAttribute('title')).toBe(false);
  point(one);
  expect(one.title).toBe('Илья Кравцов');
});
