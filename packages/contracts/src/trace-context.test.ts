import { describe, expect, test } from 'vitest';
import { beginsTrace, correlationIdOf, traceContextIn, traceOf, traceparentOf } from './trace-context.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

describe('trace context', () => {
  test('TRC-3610 a traceparent is read as the standard says, also of a later version', () => {
    expect(traceContextIn(`00-${traceId}-${spanId}-01`)).toEqual({ traceId, spanId, sampled: true });
    expect(traceContextIn(`00-${traceId}-${spanId}-00`)).toEqual({ traceId, spanId, sampled: false });
    expect(traceContextIn(`01-${traceId}-${spanId}-03-more`)).toEqual({ traceId, spanId, sampled: true });
  });

  test.each([
    '',
    'x',
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${traceId}-${spanId}-1`,
    `01-${traceId}-${spanId}-01-${'y'.repeat(8000)}`,
    `00-${traceId}-${spanId}-01\n`,
  ])('TRC-3611 another form or length is none: %s', (header) => {
    expect(traceContextIn(header)).toBeNull();
  });

  test('TRC-3612 a command’s id names its trace, and the trace its correlation id', () => {
    const id = '8c1f7d5e-3f63-4a57-9d0b-5d1a2b3c4d5e';
    const trace = traceOf(id.toUpperCase());
    expect(traceContextIn(traceparentOf(id) ?? '')).toEqual(trace);
    expect(trace === null ? null : [correlationIdOf(trace), beginsTrace(trace)]).toEqual([id, true]);
    expect(beginsTrace({ traceId, spanId })).toBe(false);
    for (const other of ['try-8', '', '00000000-0000-0000-0000-000000000000']) expect(traceparentOf(other)).toBeNull();
  });
});
