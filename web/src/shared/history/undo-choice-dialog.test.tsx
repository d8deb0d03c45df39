import { cleanup, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { person, stage } from '../testing/stage.tsx';
import { UndoChoiceDialog } from './undo-choice-dialog.tsx';

const clash = (id: string) => ({
  entity: `placement:${id}`,
  field: 'price',
  base: 700,
  mine: 500,
  theirs: 900,
  by: { userId: 'ilya', name: 'Илья Кравцов' },
  at: '2026-11-21T11:00:00.000Z',
});

it('UND-3534 where it can be chosen field by field, what is ticked goes back beside the rest, or alone where there is no rest', async () => {
  for (const [placements, label] of [
    [5, 'Вернуть остальные и отмеченное'],
    [2, 'Вернуть отмеченное'],
  ] as const) {
    const onChoose = vi.fn<(choice: string, back: ReadonlySet<string>) => void>();
    const { user } = stage({
      element: (
        <UndoChoiceDialog
          what="Вставка"
          way="undo"
          conflicts={[clash('p1'), clash('p2')]}
          rows={{ placements, changed: 2 }}
          byField
          onChoose={onChoose}
          onClose={vi.fn<() => void>()}
        />
      ),
      me: person('me'),
    });
    const dialog = within(await screen.findByRole('dialog', { name: 'Отменить: часть изменили позже' }));
    const [one, two] = dialog.getAllByRole('checkbox', { name: 'Вернуть прежнее' });
    await user.click(one as HTMLElement);
    await user.click(two as HTMLElement);
    await user.click(one as HTMLElement);
    await user.click(dialog.getByRole('button', { name: label }));
    expect(onChoose.mock.calls).toEqual([['skip', new Set(['placement:p2 price'])]]);
    cleanup();
  }
});

it('UND-3710 where nothing can be left out it is said what others took, and how the rest is put back', async () => {
  const rest = ', остальное изменили позже: верните нужные поля по одному из истории размещения.';
  for (const [rows, note] of [
    [{ placements: 3, changed: 3, denied: 1 }, `1 размещение теперь у другого байера: вы его менять не можете${rest}`],
    [{ placements: 1, changed: 1 }, '«Вернуть всё равно» заменит эти изменения'],
    [{ placements: 2, changed: 2, denied: 2 }, '2 размещения теперь у другого байера: вы их менять не можете.'],
  ] as const) {
    stage({
      element: (
        <UndoChoiceDialog
          what="Вставка"
          way="undo"
          conflicts={[clash('p1')]}
          rows={rows}
          onChoose={vi.fn<() => void>()}
          onClose={vi.fn<() => void>()}
        />
      ),
      me: person('me'),
    });
    const dialog = await screen.findByRole('dialog', { name: 'Отменить: часть изменили позже' });
    const said = (dialog.textContent ?? '').replaceAll('\u00a0', ' ');
    expect(said).toContain(note);
    expect(said).not.toContain('Вернуть остальные');
    cleanup();
  }
});
