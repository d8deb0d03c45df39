import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { topics } from '@zakup/domain/topics';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { ChoiceEditor } from '../table/choice-editor.tsx';
import { ComboField } from './combo-field.tsx';
import { matches } from './matching.ts';

afterEach(cleanup);

/** In other letters than the list has: «е» for «ё» and the other way round, case, blanks around. */
const othersOf = (topic: string): readonly string[] => [
  topic.toUpperCase(),
  ` ${topic.toLowerCase().replaceAll('ё', 'е')} `,
  topic.toLowerCase().replaceAll('е', 'ё'),
];
/** The first and the last, a name of several words, one in which «е» stands for «ё» twice, and one of neither letter. TPC-5 holds the letters of all. */
const typedTopics: readonly string[] = ['Мемы', 'Работа и карьера', 'Женское', 'Юмор', 'Региональные'];
/** By selector: what a role may be called is worked out for each of 46 elements. */
const offered = (): readonly (string | null)[] =>
  [...document.querySelectorAll('[role="option"]')].map(({ textContent }) => textContent);

it('TPC-5 each of the 46 topics is the first that its letters find, with е or ё', () => {
  expect(topics.filter((topic) => typedTopics.includes(topic))).toHaveLength(typedTopics.length);
  for (const topic of topics)
    for (const text of othersOf(topic)) expect([text, topics.find((one) => matches(one, text))]).toEqual([text, topic]);
});

it('TPC-1 the field of a form offers all 46 topics in their order, and finds one by its letters, with е or ё', async () => {
  const Form = () => {
    const [value, setValue] = useState('');
    return <ComboField value={value} onChange={setValue} options={topics} label="Тематики" />;
  };
  const user = userEvent.setup();
  render(<Form />);
  const field = screen.getByRole<HTMLInputElement>('combobox');
  await user.click(field);
  expect(topics).toHaveLength(46);
  expect(offered()).toEqual(topics);
  for (const topic of typedTopics)
    for (const text of othersOf(topic)) {
      await user.clear(field);
      await user.click(field);
      await user.paste(text);
      expect(offered()).toContain(topic);
      await user.keyboard('{ArrowDown}{Enter}');
      expect([text, field.value]).toEqual([text, topic]);
    }
});

it('TPC-2 a cell offers all 46 topics in their order, and finds and takes one by its letters, with е or ё', async () => {
  const user = userEvent.setup();
  const options = topics.map((topic) => ({ value: topic, label: topic }));
  for (const topic of typedTopics) {
    const before = topics[topics[0] === topic ? 1 : 0];
    for (const text of othersOf(topic)) {
      const taken: unknown[] = [];
      render(
        <ChoiceEditor
          editor={{ kind: 'choice', value: before, options }}
          label="Тематика"
          typed={null}
          commit={{ current: null }}
          onDone={(result) => void taken.push(result?.value)}
        />,
      );
      expect(offered()).toEqual(topics);
      await user.paste(text);
      expect(offered()).toContain(topic);
      await user.keyboard('{Enter}');
      expect([text, ...taken]).toEqual([text, topic]);
      cleanup();
    }
  }
});

it('TPC-3 where only a topic can be meant, Enter takes the first that fits, leaving takes the only one, and a whole name is sent', async () => {
  const user = userEvent.setup();
  const sent: string[] = [];
  const Form = () => {
    const [value, setValue] = useState('');
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault();
          sent.push(value);
        }}
      >
        <ComboField value={value} onChange={setValue} options={topics} closed label="Тематики" />
        <button type="submit">Добавить</button>
      </form>
    );
  };
  render(<Form />);
  const field = screen.getByRole<HTMLInputElement>('combobox');
  await user.type(field, 'кули{Enter}');
  expect([field.value, sent]).toEqual(['Кулинария', []]);
  await user.keyboard('{Enter}');
  expect(sent).toEqual(['Кулинария']);
  await user.clear(field);
  await user.type(field, 'мем');
  await user.tab();
  expect(field.value).toBe('Мемы');
  await user.clear(field);
  await user.type(field, 'а');
  expect(offered().length).toBeGreaterThan(1);
  await user.tab();
  expect(field.value, 'any of them may be meant').toBe('а');
  await user.clear(field);
  await user.type(field, 'Кулинария{Enter}');
  expect(sent).toEqual(['Кулинария', 'Кулинария']);
  await user.clear(field);
  await user.type(field, 'мем{Escape}');
  expect([field.value, field.getAttribute('aria-expanded')]).toEqual(['мем', 'false']);
});

it('TPC-4 after Escape the arrow that brings the list back chooses nothing, and offers only what fits what was typed', async () => {
  const Form = () => {
    const [value, setValue] = useState('');
    return <ComboField value={value} onChange={setValue} options={['@anna', '@kitchen', '@kit_new']} label="Ники" />;
  };
  const user = userEvent.setup();
  render(<Form />);
  const field = screen.getByRole<HTMLInputElement>('combobox');
  await user.type(field, '@kit{Escape}');
  await user.keyboard('{ArrowDown}');
  expect(offered()).toEqual(['@kitchen', '@kit_new']);
  await user.keyboard('{Enter}');
  expect(field.value).toBe('@kit');
  await user.keyboard('{ArrowDown}{Enter}');
  expect(field.value, 'the second press chooses').toBe('@kitchen');
});
