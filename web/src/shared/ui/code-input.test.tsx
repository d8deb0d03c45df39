import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { CodeInput } from './code-input.tsx';

const Host = ({ onComplete }: { readonly onComplete: (value: string) => void }) => {
  const [value, setValue] = useState('');
  return (
    <>
      <CodeInput label="Код" value={value} onChange={setValue} onComplete={onComplete} />
      <output>{value}</output>
    </>
  );
};
const typed = () => screen.getByRole('status').textContent;

describe('code input', () => {
  it('UI-1 goes from box to box, ignores letters, completes once', async () => {
    const done: string[] = [];
    render(<Host onComplete={(value) => done.push(value)} />);
    await userEvent.keyboard('4a09118');
    expect(typed()).toBe('409118');
    expect(done).toEqual(['409118']);
  });

  it('UI-2 takes a whole pasted code with blanks in it', async () => {
    const done: string[] = [];
    render(<Host onComplete={(value) => done.push(value)} />);
    await userEvent.paste('409 118');
    expect(done).toEqual(['409118']);
  });

  it('UI-3 backspace takes the digit before', async () => {
    render(<Host onComplete={() => undefined} />);
    await userEvent.keyboard('409{Backspace}');
    expect(typed()).toBe('40');
  });
});
