import { act, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { stage } from '../../shared/testing/stage.tsx';
import { useChoices } from './use-choices.ts';
import { useNames } from './use-placement-rows.ts';

const masha = { id: 'k1', revision: 1, adminUsername: '@masha', channelName: '', isActive: true, totalSpent: 1_000 };

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
});
