import { act, cleanup, renderHook, screen } from '@testing-library/react';
import type { Change } from '@zakup/contracts/socket';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { stage } from '../../../shared/testing/stage.tsx';
import { useChoices } from './use-choices.ts';
import { memoryEntryStore } from '../../../shared/outbox/entry-store.ts';
import { openOutbox } from '../../../shared/outbox/outbox.ts';
import { OutboxProvider } from '../../../shared/outbox/outbox-context.tsx';
import { memoryReplica, type Replica } from '../../../shared/replica/replica.ts';
import { ReplicaProvider } from '../../../shared/replica/replica-context.tsx';
import { sliceSize } from '../../../shared/table/use-in-slices.ts';
import { useNames, usePlacementRows } from './use-placement-rows.ts';

const masha = { id: 'k1', revision: 1, adminUsername: '@masha', channelName: '', isActive: true, totalSpent: 1_000 };

const recipe = { id: 'cr', revision: 1, name: 'Рецепт', isActive: true, results: { spent: 1_000, leads: 10 } };

const paintedCreatives = async () => {
  const creatives: string[] = [];
  const Probe = () => {
    const { creatives: named } = useNames();
    const { creatives: offered } = useChoices();
    creatives.push(`${named.get('cr')?.name}, ${offered.length} offered`);
    return <output />;
  };
  const { bring } = stage({ element: <Probe />, docs: { workspace: [['creative', recipe]] } });
  await screen.findByRole('status');
  const change = (members: Partial<typeof recipe>): void =>
    act(() => bring('workspace', [['creative', { ...recipe, ...members }]]));
  return { creatives, change };
};

const painted = async () => {
  const nicks: string[] = [];
  const Probe = () => {
    const { contractors } = useNames();
    const { nicks: offered } = useChoices();
    nicks.push(`${contractors.get('k1')?.adminUsername}, ${offered.length} offered`);
    return <output />;
  };
  const { bring } = stage({ element: <Probe />, docs: { workspace: [['contractor', masha]] } });
  await screen.findByRole('status');
  const change = (members: Partial<typeof masha>): void =>
    act(() => bring('workspace', [['contractor', { ...masha, ...members }]]));
  return { nicks, change };
};

describe('names in the table', () => {
  it('TBL-28 what a placement adds to the sums of its contractor paints nothing anew, another nick does', async () => {
    const { nicks, change } = await painted();
    const before = nicks.length;
    change({ revision: 2, totalSpent: 2_000 });
    expect(nicks).toHaveLength(before);
    change({ revision: 3, adminUsername: '@maria' });
    expect(nicks.slice(before)).toEqual(['@maria, 1 offered']);
    change({ revision: 4, adminUsername: '@maria', isActive: false });
    expect(nicks.at(-1)).toBe('@maria, 0 offered');
  });

  it('KR-10 what a placement adds to the results of its creative paints nothing anew, another name does', async () => {
    const { creatives, change } = await paintedCreatives();
    const before = creatives.length;
    change({ results: { spent: 2_000, leads: 11 } });
    expect(creatives).toHaveLength(before);
    change({ revision: 2, name: 'Рецепты' });
    expect(creatives.slice(before)).toEqual(['Рецепты, 2 offered']);
    change({ revision: 3, name: 'Рецепты', isActive: false });
    expect(creatives.at(-1)).toBe('Рецепты, 1 offered');
  });
});

const quietOutbox = (replica = memoryReplica()) =>
  openOutbox({
    personId: 'anna',
    store: memoryEntryStore(),
    transport: { send: () => new Promise<never>(() => undefined) },
    replica,
    newId: () => 'command',
    clock: { now: () => 0, setTimeout: () => null, clearTimeout: () => undefined },
    chance: () => 1,
    tabs: null,
    election: () => () => undefined,
  });

describe('rows of very many placements', () => {
  it.each([
    [
      'SLC-5 come a slice at a time, and are there together',
      2 * sliceSize + 1,
      [
        [0, 'no'],
        [2 * sliceSize + 1, 'no'],
        [2 * sliceSize + 1, 'yes'],
      ],
    ],
    ['SLC-6 that one slice holds are there at once', sliceSize, [[sliceSize, 'yes']]],
  ] as const)('%s', async (_, count, wanted) => {
    const outbox = await quietOutbox();
    const seen: (readonly [number, string])[] = [];
    const Probe = () => {
      const { rows, settled } = usePlacementRows('c', useNames());
      seen.push([rows.length, settled ? 'yes' : 'no']);
      return <output>{settled ? 'there' : 'on their way'}</output>;
    };
    const placements = Array.from(
      { length: count },
      (_none, index) => ['placement', { id: `p${index}`, createdAt: '', campaignId: 'c' }] as const,
    );
    stage({
      element: (
        <OutboxProvider value={outbox}>
          <Probe />
        </OutboxProvider>
      ),
      docs: { 'campaign:c': placements },
    });
    await screen.findByText('there');
    outbox.close();
    const steps = seen.filter((one, index) => one.join() !== seen[index - 1]?.join());
    expect(steps).toEqual(wanted);
  });
});

const newRow = async () => {
  const replica = memoryReplica();
  const outbox = await quietOutbox(replica);
  outbox.issue({
    target: { kind: 'placement', id: null },
    baseRevision: null,
    scope: 'campaign:c',
    method: 'POST',
    path: '/api/placements',
    body: { campaignId: 'c' },
    label: '',
  });
  const id = outbox.entries()[0]?.target.id ?? '';
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <ReplicaProvider value={replica}>
      <OutboxProvider value={outbox}>{children}</OutboxProvider>
    </ReplicaProvider>
  );
  const { result } = renderHook(() => usePlacementRows('c', useNames()).rows.map((row) => row.id), { wrapper });
  return { replica, outbox, id, rows: () => result.current };
};
const bring = (replica: Replica, position: number, docs: readonly Change[], scope = 'campaign:c'): void =>
  act(() => void replica.apply({ scope, position, docs, last: true }));

describe('a new row whose answer was lost', () => {
  it('RP-24 goes as soon as it is known that the placement went, though nothing else changed', async () => {
    const { replica, outbox, id, rows } = await newRow();
    bring(replica, 1, []);
    expect(rows()).toEqual([id]);
    bring(replica, 3, [{ kind: 'placement', id, position: 3, doc: null }]);
    expect(rows()).toEqual([]);
    cleanup();
    outbox.close();
  });

  it('RP-25 does not come back with a reset after which the placement is not there any more', async () => {
    const { replica, outbox, id, rows } = await newRow();
    const doc = { id, campaignId: 'c', createdAt: '' };
    bring(replica, 2, [{ kind: 'placement', id, position: 2, doc }]);
    expect(rows()).toEqual([id]);
    replica.reset('campaign:c');
    bring(replica, 3, []);
    expect([rows(), replica.seen('placement', id)]).toEqual([[], -1]);
    cleanup();
    outbox.close();
  });
});
