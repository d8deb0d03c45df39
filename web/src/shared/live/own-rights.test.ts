import { expect, it } from 'vitest';
import { memoryReplica } from '../replica/replica.ts';
import { watchOwnRights } from './own-rights.ts';

it('LV-11 another revision of the own entry is told, the first one and those of others are not', () => {
  const replica = memoryReplica();
  let told = 0;
  const stop = watchOwnRights(replica, 'me', () => {
    told += 1;
  });
  const come = (id: string, revision: number, position: number): void => {
    const doc = { id, revision, name: 'Анна', role: 'MEDIA_BUYER', isActive: true } as const;
    replica.apply({ scope: 'workspace', position, docs: [{ kind: 'user', id, position, doc }], last: true });
  };
  come('me', 3, 1);
  come('other', 1, 2);
  come('me', 3, 3);
  expect(told).toBe(0);
  come('me', 4, 4);
  expect(told).toBe(1);
  stop();
  come('me', 5, 5);
  expect(told).toBe(1);
});
