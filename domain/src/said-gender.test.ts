import { expect, it } from 'vitest';
import { genderOf } from './said-gender.ts';

it.each([
  ['Анна Соколова', 'feminine'],
  ['Мария Белинская', 'feminine'],
  ['Любовь Орлова', 'feminine'],
  ['Илья Кравцов', 'masculine'],
  ['Никита Шаляпин', 'masculine'],
  ['Тимур Ахметов', 'masculine'],
  ['Юрий Вишневский', 'masculine'],
  ['Вова', null],
  ['Анна', null],
  ['Саша Ким', null],
  ['Никита Калина', null],
  ['Иван Малина', null],
  ['Мария Дарвин', null],
  ['Соколова Анна', null],
  ['Ann Brown', null],
  ['', null],
])('WLO-1120 «%s» is %s by the name alone, and nothing where that does not tell', (name, gender) => {
  expect(genderOf(name)).toBe(gender);
});
