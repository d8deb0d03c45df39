import { describe, expect, it } from 'vitest';
import { accept, reject, rejectField } from '../decider.ts';
import { messages } from '../messages.ts';
import { given } from '../testing/given.ts';
import { activationDecider } from './activation.decider.ts';
import type { ActivationEvent } from './events.ts';

const activation = given(activationDecider);
const validUntil = '2030-01-01T00:10:00.000Z';
const issued = (by: 'admin' | 'owner'): ActivationEvent => ({ type: 'ActivationCodeIssued', data: { by, validUntil } });
const issue = (by: 'admin' | 'owner') => ({ type: 'IssueActivationCode', by, validUntil }) as const;
const accepted: ActivationEvent = { type: 'ActivationCodeAccepted', data: {} };
const completed: ActivationEvent = { type: 'ActivationCompleted', data: {} };
const at = (time: string) => ({ now: `2030-01-01T00:${time}.000Z` });

describe('activation', () => {
  it('ACV-1 gives the owner another code after 60 seconds, the admin at once', () => {
    expect(activation().when(issue('owner'), at('00:00'))).toEqual(accept(issued('owner')));
    expect(activation(issued('owner')).when(issue('owner'), at('00:59'))).toEqual(accept());
    expect(activation(issued('owner')).when(issue('owner'), at('01:00'))).toEqual(accept(issued('owner')));
    expect(activation(issued('owner')).when(issue('admin'), at('00:01'))).toEqual(accept(issued('admin')));
  });

  it('ACV-2 takes a code while it is valid and only once', () => {
    const take = { type: 'AcceptActivationCode' } as const;
    const wrong = rejectField('/twoFactorCode', 'Неверный код активации');
    expect(activation().when(take, at('00:01'))).toEqual(wrong);
    expect(activation(issued('owner')).when(take, at('09:59'))).toEqual(accept(accepted));
    expect(activation(issued('owner')).when(take, at('10:00'))).toEqual(wrong);
    expect(activation(issued('owner'), accepted).when(take, at('00:02'))).toEqual(wrong);
  });

  it('ACV-3 ends only after an accepted code', () => {
    const complete = { type: 'CompleteActivation' } as const;
    const failed = reject('CONFLICT', messages.activationFailed);
    expect(activation(issued('owner')).when(complete, at('00:01'))).toEqual(failed);
    expect(activation(issued('owner'), accepted).when(complete, at('00:01'))).toEqual(accept(completed));
    expect(activation(issued('owner'), accepted, completed).when(complete, at('00:01'))).toEqual(failed);
  });

  it('ACV-4 once ended is opened again by the admin only', () => {
    const done = [issued('owner'), accepted, completed];
    expect(activation(...done).when(issue('owner'), at('30:00'))).toEqual(accept());
    expect(activation(...done).when(issue('admin'), at('30:00'))).toEqual(accept(issued('admin')));
    expect(activation(...done, issued('admin')).state).toMatchObject({ code: 'issued', completed: true });
  });
});
