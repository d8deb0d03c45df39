import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { apart, longestFrame, paintTurns } from './before-paint.ts';

let frames: (() => void)[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run));
  vi.stubGlobal('cancelAnimationFrame', (frame: number) => frames.splice(frame - 1, 1));
});
afterEach(() => {
  // In this order: what was stubbed over a faked clock would come back as the faked one, for every file behind this one.
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('GRD-3006 what waits for a paint runs once with it', () => {
  const run = vi.fn<() => void>();
  paintTurns()(run);
  expect(run).not.toHaveBeenCalled();
  frames[0]?.();
  vi.advanceTimersByTime(longestFrame);
  expect(run).toHaveBeenCalledTimes(1);
});

it('GRD-3007 in a page that nobody sees it runs at once, and soon in one that was left meanwhile: neither is painted', () => {
  const run = vi.fn<() => void>();
  const turns = paintTurns();
  turns(run);
  vi.advanceTimersByTime(longestFrame);
  expect(run).toHaveBeenCalledTimes(1);
  expect(frames).toEqual([]);
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  turns(run);
  turns(run);
  hidden.mockRestore();
  expect(run).toHaveBeenCalledTimes(3);
});

it('GRD-3011 a change that comes alone is drawn with the next paint, and a stream of them ten times a second', () => {
  const turns = paintTurns();
  const run = vi.fn<() => void>();
  const paint = (): void => frames.splice(0).forEach((frame) => frame());
  turns(run);
  paint();
  expect(run).toHaveBeenCalledTimes(1);
  turns(run);
  paint();
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(apart);
  paint();
  expect(run).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(2 * apart);
  turns(run);
  paint();
  expect(run).toHaveBeenCalledTimes(3);
});
