import { act, screen, waitFor } from '@testing-library/react';
import type { HistoryEntry } from '@zakup/contracts/history';
import { messages } from '@zakup/domain/messages';
import { expect, it } from 'vitest';
import { type Answer, type Call, stage } from '../../shared/testing/stage.tsx';
import { useAudit } from './use-audit.ts';

const entry = (position: number): HistoryEntry => ({
  position,
  revision: 3,
  at: '2026-11-21T11:00:00.000Z',
  actor: { userId: 'anna', name: 'Анна Соколова' },
  commandId: `00000000-0000-4000-8000-${String(position).padStart(12, '0')}`,
  source: 'screen',
  reason: null,
  causedBy: null,
  event: 'PlacementPriceChanged',
  entity: { kind: 'placement', id: 'p1', name: '@kitchen_ads' },
  campaign: null,
  changes: [{ field: 'price', from: 5100, to: 5200 }],
});
const found = (positions: readonly number[], nextCursor: string | null = null): Answer => ({
  data: { entries: positions.map(entry), nextCursor },
});

/** An answer that comes when it is told to. */
const later = () => {
  let tell: (answer: Answer) => void = () => undefined;
  const answer = new Promise<Answer>((resolve) => {
    tell = resolve;
  });
  return { answer, come: (what: Answer) => act(async () => tell(what)) };
};

const filters = {};
const List = () => {
  const audit = useAudit(filters);
  return (
    <>
      <output data-testid="rows">{audit.entries.map(({ position }) => position).join(' ')}</output>
      <button type="button" onClick={audit.showFresh}>
        Новых: {audit.fresh.length}
      </button>
      <button type="button" onClick={() => audit.bringFresh(30)}>
        Принести
      </button>
      {audit.stale !== null && (
        <button type="button" onClick={audit.lookAgain}>
          Не обновилось
        </button>
      )}
      <button type="button" onClick={audit.more}>
        Ещё
      </button>
    </>
  );
};
const rows = (): string | null => screen.getByTestId('rows').textContent;

/**
 * Pages by their cursors, and looks for what came since: in their order, the last one standing for all after it, or by the position they
 * are to reach.
 */
const open = (
  pages: (cursor: string | null) => Answer | Promise<Answer>,
  looks: readonly (Answer | Promise<Answer>)[] | ((after: string | null) => Answer),
) => {
  let looked = 0;
  const serve = ({ path }: Call): Answer | Promise<Answer> => {
    const query = new URLSearchParams(path.split('?')[1] ?? '');
    if (!query.has('from')) return pages(query.get('cursor'));
    if (typeof looks === 'function') return looks(query.get('after'));
    looked += 1;
    return looks[Math.min(looked, looks.length) - 1] ?? 'no answer';
  };
  return stage({ element: <List />, serve });
};

it('JRN-18 what two looks found at once stands in the journal once', async () => {
  const slow = later();
  const { user } = open(() => found([20]), [found([30, 20]), slow.answer]);
  await screen.findByRole('button', { name: 'Новых: 1' });
  await user.click(screen.getByRole('button', { name: 'Принести' }));
  await user.click(screen.getByRole('button', { name: 'Новых: 1' }));
  expect(rows()).toBe('30 20');
  await slow.come(found([31, 30, 20]));
  await waitFor(() => expect(rows()).toContain('31'));
  expect(rows()).toBe('31 30 20');
});

it('JRN-19 a page that was under way takes nothing away that was put on top meanwhile', async () => {
  const slow = later();
  let asked = 0;
  const { user } = open(
    (cursor) => {
      if (cursor === null) return found([20], 'older');
      asked += 1;
      return asked === 1 ? slow.answer : found([10]);
    },
    [found([30, 20])],
  );
  await screen.findByRole('button', { name: 'Новых: 1' });
  await user.click(screen.getByRole('button', { name: 'Ещё' }));
  await user.click(screen.getByRole('button', { name: 'Новых: 1' }));
  await slow.come(found([10]));
  expect(rows()).toBe('30 20');
  await user.click(screen.getByRole('button', { name: 'Ещё' }));
  await waitFor(() => expect(rows()).toBe('30 20 10'));
});

it('JRN-20 what could not be brought comes with the next look that succeeds', async () => {
  const { user } = open(() => found([20]), [found([20]), 'no answer', 'no answer', found([30, 20])]);
  await screen.findByText('20');
  await user.click(screen.getByRole('button', { name: 'Принести' }));
  await user.click(await screen.findByRole('button', { name: 'Не обновилось' }));
  await waitFor(() => expect(rows()).toBe('30 20'));
});

it('JRN-22 an own change comes although the read models do not have it yet when it is looked for', async () => {
  const { user } = open(
    () => found([20]),
    (after) => found(after === '30' ? [30, 20] : [20]),
  );
  await screen.findByText('20');
  await user.click(screen.getByRole('button', { name: 'Принести' }));
  await waitFor(() => expect(rows()).toBe('30 20'));
});

it('JRN-23 an own change that the read models did not reach in time is what the next look waits for', async () => {
  let behind = true;
  const { user } = open(
    () => found([20]),
    (after) => {
      if (after !== '30') return found([20]);
      return behind ? { problem: { code: 'UNAVAILABLE', message: messages.notCaughtUp } } : found([30, 20]);
    },
  );
  await screen.findByText('20');
  await user.click(screen.getByRole('button', { name: 'Принести' }));
  const again = await screen.findByRole('button', { name: 'Не обновилось' });
  behind = false;
  await user.click(again);
  await waitFor(() => expect(rows()).toBe('30 20'));
});
