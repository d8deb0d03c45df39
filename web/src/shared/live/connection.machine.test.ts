import { describe, expect, it } from 'vitest';
import { createActor, SimulatedClock } from 'xstate';
import { type ConnectionEvent, connectionMachine } from './connection.machine.ts';

const line = (...events: readonly ConnectionEvent['type'][]) => {
  const clock = new SimulatedClock();
  const actor = createActor(connectionMachine, { clock }).start();
  const send = (type: ConnectionEvent['type']): void => actor.send({ type });
  for (const event of events) send(event);
  return { clock, send, value: () => actor.getSnapshot().value };
};
const quiet = { offline: 'quiet' };
const announced = { offline: 'announced' };

describe('connection machine', () => {
  it('CNX-1 begins without a line, tells of it after two seconds, well within three', () => {
    const { clock, value } = line();
    expect(value()).toEqual(quiet);
    clock.increment(1_999);
    expect(value()).toEqual(quiet);
    clock.increment(1);
    expect(value()).toEqual(announced);
  });

  it('CNX-2 is online only once everything in use has been caught up with', () => {
    const { send, value } = line('CONNECTED');
    expect(value()).toBe('catching_up');
    send('CAUGHT_UP');
    expect(value()).toBe('online');
  });

  it.each([
    ['catching up', ['CONNECTED']],
    ['online', ['CONNECTED', 'CAUGHT_UP']],
  ] as const)('CNX-3 a line lost while %s is told of two seconds later', (_, before) => {
    const { clock, send, value } = line(...before);
    clock.increment(60_000);
    send('DISCONNECTED');
    expect(value()).toEqual(quiet);
    clock.increment(2_000);
    expect(value()).toEqual(announced);
  });

  it('CNX-4 a break shorter than that is never told of', () => {
    const { clock, send, value } = line('CONNECTED', 'CAUGHT_UP', 'DISCONNECTED');
    clock.increment(1_999);
    send('CONNECTED');
    clock.increment(60_000);
    expect(value()).toBe('catching_up');
    send('CAUGHT_UP');
    expect(value()).toBe('online');
  });

  it('CNX-5 a line that comes back after it was told of takes the news back, and the next loss is counted anew', () => {
    const { clock, send, value } = line('CONNECTED', 'CAUGHT_UP', 'DISCONNECTED');
    clock.increment(2_000);
    send('CONNECTED');
    expect(value()).toBe('catching_up');
    send('DISCONNECTED');
    clock.increment(1_999);
    expect(value()).toEqual(quiet);
    clock.increment(1);
    expect(value()).toEqual(announced);
  });

  it('CNX-6 what is no news in a state moves nothing: told of twice, caught up twice, connected twice', () => {
    const { clock, send, value } = line('CAUGHT_UP');
    expect(value()).toEqual(quiet);
    clock.increment(1_500);
    send('DISCONNECTED');
    clock.increment(500);
    expect(value(), 'counted from the first loss').toEqual(announced);
    send('CONNECTED');
    send('CONNECTED');
    expect(value()).toBe('catching_up');
    send('CAUGHT_UP');
    send('CAUGHT_UP');
    send('CONNECTED');
    expect(value()).toBe('online');
  });
});
