import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { DayField } from './day-field.tsx';

const Frame = ({ seen }: { readonly seen: string[] }) => {
  const [day, setDay] = useState('2026-11-21');
  return (
    <>
      <DayField
        value={day}
        onChange={(next) => {
          seen.push(next);
          setDay(next);
        }}
      />
      <button type="button" onClick={() => setDay('2026-12-01')}>
        other
      </button>
    </>
  );
};

const open = () => {
  const seen: string[] = [];
  render(<Frame seen={seen} />);
  return { user: userEvent.setup(), field: screen.getByRole<HTMLInputElement>('textbox'), seen };
};

it('DF-1 shows and takes ДД.ММ.ГГГГ in any language of the browser, and hands on the ISO day', async () => {
  const { user, field, seen } = open();
  expect(field.value).toBe('21.11.2026');
  await user.clear(field);
  await user.type(field, '1.2.2027');
  expect(field.value).toBe('1.2.2027');
  expect(seen.at(-1)).toBe('2027-02-01');
});

it('DF-2 what is no day is handed on as typed, so that it can be refused; nothing is empty', async () => {
  const { user, field, seen } = open();
  await user.clear(field);
  expect(seen.at(-1)).toBe('');
  await user.type(field, '31.02.2027');
  expect(seen.at(-1)).toBe('31.02.2027');
});

it('DF-3 a value from elsewhere takes the place of what was typed', async () => {
  const { user, field } = open();
  await user.type(field, 'x');
  await user.click(screen.getByRole('button', { name: 'other' }));
  expect(field.value).toBe('01.12.2026');
});

it('CEL-1951 a day without its year, or by its name, is handed on as the day it is, and stands in full once the field is left', async () => {
  const { user, field, seen } = open();
  await user.clear(field);
  await user.type(field, '1.1');
  const day = seen.at(-1) ?? '';
  expect(day.slice(4)).toBe('-01-01');
  expect(field.value).toBe('1.1');
  await user.tab();
  expect(field.value).toBe(`01.01.${day.slice(0, 4)}`);
  await user.clear(field);
  await user.type(field, '1.1 утром');
  await user.tab();
  expect(field.value).toBe('1.1 утром');
  expect(seen.at(-1)).toBe('1.1 утром');
});
