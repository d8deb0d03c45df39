import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { ComboField } from './combo-field.tsx';

afterEach(cleanup);

const nicks = ['auto_adm', 'food_daily', 'food_sale24', 'marina_pr'];

const Held = ({ initial }: { readonly initial: string }) => {
  const [value, setValue] = useState(initial);
  return <ComboField label="Ники" value={value} onChange={setValue} options={nicks} />;
};

const setUp = (initial = '') => {
  render(<Held initial={initial} />);
  return { user: userEvent.setup(), field: screen.getByRole<HTMLInputElement>('combobox') };
};
const offered = (): readonly (string | null)[] => screen.queryAllByRole('option').map((one) => one.textContent);

describe('a line of text with suggestions', () => {
  it('CMB-1127 after the field was left, the arrow brings back what fits the typed text, and takes of that only', async () => {
    const { user, field } = setUp();
    await user.click(field);
    await user.keyboard('food');
    await user.tab();
    expect(offered()).toEqual([]);
    await user.click(field);
    expect(offered()).toEqual(['food_daily', 'food_sale24']);
    await user.keyboard('{Escape}{ArrowDown}{Enter}');
    expect(field.value).toBe('food');
    await user.keyboard('{ArrowDown}{Enter}');
    expect(field.value).toBe('food_daily');
  });

  it('CMB-1128 Escape, the arrow and Enter leave a typed nick, also one that was there before', async () => {
    const { user, field } = setUp('somebody_else');
    await user.tab();
    await user.keyboard('{ArrowDown}{Enter}');
    expect(field.value).toBe('somebody_else');
    await user.clear(field);
    await user.keyboard('mar{Escape}{ArrowDown}{Enter}');
    expect(field.value).toBe('mar');
  });

  it('CMB-1129 the arrow begins at what is chosen already, and at the first where nothing is', async () => {
    const { user, field } = setUp('food_sale24');
    await user.tab();
    await user.keyboard('{ArrowDown}');
    expect(screen.getByRole('option', { selected: true }).textContent).toBe('food_sale24');
    await user.keyboard('{ArrowDown}{Enter}');
    expect(field.value).toBe('marina_pr');
    await user.clear(field);
    await user.tab();
    await user.tab({ shift: true });
    await user.keyboard('{ArrowDown}{Enter}');
    expect(field.value).toBe('auto_adm');
  });
});
