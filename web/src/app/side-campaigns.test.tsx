import { act, screen, waitFor } from '@testing-library/react';
import type { AnalyticsWire, CampaignWire, ChannelWire } from '@zakup/contracts/wire-entities';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { MomentProvider } from '../shared/moment/moment-context.ts';
import { memoryReplica } from '../shared/replica/replica.ts';
import { useReplica } from '../shared/replica/replica-context.tsx';
import { stage } from '../shared/testing/stage.tsx';
import { SideCampaigns } from './side-campaigns.tsx';

const campaign = (id: string, name: string, status: CampaignWire['status'] = 'ACTIVE') =>
  ['campaign', { id, name, status, createdAt: `2026-11-0${id}T00:00:00.000Z` } as CampaignWire] as const;
const summary = (spentBudget: number) => ({ totalBudget: 1000, spentBudget }) as AnalyticsWire['summary'];

it('SHL-21 active campaigns stand in the sidebar with the percent used: asked for, or live where it comes live', async () => {
  const { bring, calls } = stage({
    element: <SideCampaigns />,
    docs: {
      workspace: [campaign('1', 'Ноябрь | Подписчики'), campaign('2', 'Весна', 'COMPLETED'), campaign('3', 'Дача')],
      'campaign:3': [['analytics', { id: '3', summary: summary(410) } as AnalyticsWire]],
    },
    serve: () => ({ data: { summary: summary(737) } }),
  });
  const texts = () =>
    [...document.querySelectorAll('.z-side-campaign')].map(({ textContent }) => textContent.replaceAll('\u00a0', ' '));
  await waitFor(() => expect(texts()).toEqual(['Ноябрь - Подписчики73,7 %', 'Дача41 %']));
  expect(calls.map(({ path }) => path)).toEqual(['/api/campaigns/1/analytics']);
  expect(screen.getAllByRole('link')[0]?.getAttribute('href')).toBe('/dashboard?campaign=1');
  bring('campaign:3', [['analytics', { id: '3', summary: summary(924) } as AnalyticsWire]]);
  await waitFor(() => expect(texts()[1]).toBe('Дача92,4 %'));
});

it('SHL-3400 of a campaign whose sums the line took away, since it was deleted, the server is asked nothing', async () => {
  const sums = { id: '1', summary: summary(410) } as AnalyticsWire;
  const { calls, withdraw } = stage({
    element: <SideCampaigns />,
    docs: { workspace: [campaign('1', 'Дача')], 'campaign:1': [['analytics', sums]] },
    serve: () => ({ data: { summary: summary(737) } }),
  });
  await screen.findByText('41 %');
  act(() => withdraw('campaign:1', { kind: 'analytics', id: '1' }));
  await waitFor(() => expect(screen.queryByText('41 %')).toBeNull());
  expect(calls).toEqual([]);
});

it('SHL-3401 of a list that this browser kept nothing is asked until the line has brought it', async () => {
  const Kept = () => {
    const replica = useReplica();
    useState(() => {
      const [kind, doc] = campaign('1', 'Дача');
      replica.paint('workspace', [{ kind, id: doc.id, doc }]);
    });
    return <SideCampaigns />;
  };
  const { bring, calls } = stage({ element: <Kept />, serve: () => ({ data: { summary: summary(737) } }) });
  await screen.findByText('Дача');
  expect(calls).toEqual([]);
  act(() => bring('workspace', [campaign('1', 'Дача')]));
  await screen.findByText('73,7 %');
});

it('SCR-1641 two campaigns of one channel are told apart by their own words; the channel stands below, the whole name is told', async () => {
  const of = (id: string, name: string) => {
    const [kind, doc] = campaign(id, name);
    return [kind, { ...doc, channelId: 'food' }] as const;
  };
  stage({
    element: <SideCampaigns />,
    docs: {
      workspace: [
        ['channel', { id: 'food', name: 'Кухня на каждый день' } as ChannelWire],
        of('1', 'Кухня на каждый день | Подписчики'),
        of('2', 'Кухня на каждый день | Заявки'),
      ],
    },
    serve: () => ({ data: { summary: summary(100) } }),
  });
  await screen.findByText('Подписчики');
  const told = [...document.querySelectorAll('.z-side-words')].map((one) => [
    one.getAttribute('title'),
    ...[...one.children].map(({ textContent }) => textContent),
  ]);
  expect(told).toEqual([
    ['Кухня на каждый день - Подписчики', 'Подписчики', 'Кухня на каждый день'],
    ['Кухня на каждый день - Заявки', 'Заявки', 'Кухня на каждый день'],
  ]);
});

it('SHL-40 in «Как было» the percents are of then, and the way to a campaign keeps the moment', async () => {
  const now = memoryReplica();
  const { calls } = stage({
    element: (
      <MomentProvider value={{ position: 17, at: '2026-08-14T15:42:07.000Z', now }}>
        <SideCampaigns />
      </MomentProvider>
    ),
    docs: { workspace: [campaign('1', 'Ноябрь')] },
    serve: ({ path }) => ({ data: { summary: summary(path.endsWith('?at=17') ? 100 : 900) } }),
  });
  expect(await screen.findByText('10 %')).toBeDefined();
  expect(calls.map(({ path }) => path)).toEqual(['/api/campaigns/1/analytics?at=17']);
  expect(screen.getByRole('link').getAttribute('href')).toBe('/dashboard?campaign=1&at=17');
});

it('SHL-41 while the moment is on its way no percent is asked for, so that none of now is shown', async () => {
  const { calls } = stage({
    element: (
      <MomentProvider value={{ position: null, at: null, now: memoryReplica() }}>
        <SideCampaigns />
      </MomentProvider>
    ),
    docs: { workspace: [campaign('1', 'Ноябрь')] },
    serve: () => ({ data: { summary: summary(900) } }),
  });
  await screen.findByText('Ноябрь');
  expect([calls, document.querySelectorAll('small').length]).toEqual([[], 0]);
});
