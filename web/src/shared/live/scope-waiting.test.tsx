import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { stage } from '../testing/stage.tsx';
import { ScopeWaiting } from './scope-waiting.tsx';

afterEach(cleanup);

it('WLO-14 the bar stands in one place of a screen, over the lines that it does not move', async () => {
  const status = { kind: 'loading', progress: { sent: 500, total: 100_000 } } as const;
  stage({
    element: (
      <>
        <ScopeWaiting status={status} />
        <ScopeWaiting status={status} counted />
        <ScopeWaiting status={{ kind: 'loading' }} counted />
      </>
    ),
  });
  expect(await screen.findAllByRole('progressbar')).toHaveLength(1);
  expect(document.querySelectorAll('.z-skeleton')).toHaveLength(3);
});
