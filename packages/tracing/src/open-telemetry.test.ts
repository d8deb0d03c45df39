import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { traceOf } from '@zakup/contracts/trace-context';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openTelemetryTracer } from './open-telemetry.ts';
import { otlpReceiver } from './testing/otlp-receiver.ts';
import type { TracerOptions, TraceSampler } from './tracer.ts';

const started = async (options: Partial<TracerOptions> = {}, status = 200) => {
  const receiver = await otlpReceiver({ status });
  onTestFinished(() => receiver.close());
  const failures: string[] = [];
  const tracer = openTelemetryTracer({
    endpoint: `${receiver.endpoint}/`,
    service: 'zakup-test',
    sampler: 'parentbased_always_on',
    ratio: 1,
    onFailure: (reason) => void failures.push(reason),
    ...options,
  });
  return { receiver, failures, tracer };
};
const at = Date.parse('2026-11-29T12:00:00Z');
const parent = traceOf('8c1f7d5e-3f63-4a57-9d0b-5d1a2b3c4d5e');

describe('traces by OpenTelemetry', () => {
  test('TRC-3618 a span arrives with its times, its place in the trace and what is said of it, at the latest when it is closed', async () => {
    const { receiver, tracer } = await started();
    const outer = tracer.begin({ name: 'POST', kind: 'server', parent, at, attributes: { a: 1 } });
    const inner = tracer.begin({ name: 'append', kind: 'internal', parent: outer.context, at: at + 1, attributes: {} });
    inner.end({ at: at + 2.5, attributes: { position: 7 }, failed: false });
    outer.end({ at: at + 4, attributes: { b: 'x' }, failed: true, name: 'POST /api/placements' });
    await tracer.close();
    expect(receiver.spans).toMatchObject([
      {
        name: 'append',
        parentSpanId: outer.context.spanId,
        began: at + 1,
        ended: at + 2.5,
        attributes: { position: 7 },
      },
      {
        service: 'zakup-test',
        name: 'POST /api/placements',
        traceId: parent?.traceId,
        parentSpanId: parent?.spanId,
        attributes: { a: 1, b: 'x' },
        failed: true,
      },
    ]);
  });

  test.each<[TraceSampler, number, { readonly click: boolean; readonly kept: boolean; readonly dropped: boolean }]>([
    ['always_on', 1, { click: true, kept: true, dropped: true }],
    ['always_off', 1, { click: false, kept: false, dropped: false }],
    ['traceidratio', 0, { click: false, kept: false, dropped: false }],
    ['traceidratio', 1, { click: true, kept: true, dropped: true }],
    ['parentbased_always_on', 1, { click: true, kept: true, dropped: false }],
    ['parentbased_always_off', 1, { click: false, kept: true, dropped: false }],
    ['parentbased_traceidratio', 0, { click: false, kept: true, dropped: false }],
    ['parentbased_traceidratio', 1, { click: true, kept: true, dropped: false }],
  ])(
    'TRC-3619 %s of %d: a trace that begins with a click is judged by its id, another one as its parent says',
    async (sampler, ratio, expected) => {
      const { tracer } = await started({ sampler, ratio });
      const other = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
      const sampled = (of: typeof parent) =>
        tracer.begin({ name: 'x', kind: 'server', parent: of, at, attributes: {} }).context.sampled;
      const judged = {
        click: sampled(parent),
        kept: sampled({ ...other, sampled: true }),
        dropped: sampled({ ...other, sampled: false }),
      };
      await tracer.close();
      expect(judged).toEqual(expected);
    },
  );

  test('TRC-3620 who does not take spans is told of, and holds up no end', async () => {
    const { failures, tracer } = await started({}, 400);
    tracer.begin({ name: 'x', kind: 'server', parent: null, at, attributes: {} }).end({
      at,
      attributes: {},
      failed: false,
    });
    await tracer.close();
    expect(failures.join(' ')).toContain('Bad Request');
  });

  test('TRC-3705 where no address of a name takes spans the reason is said too', async () => {
    const { receiver, failures, tracer } = await started();
    const error = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
    const exported = vi
      .spyOn(OTLPTraceExporter.prototype, 'export')
      .mockImplementation((_spans, done) => done({ error } as unknown as Parameters<typeof done>[0]));
    onTestFinished(() => exported.mockRestore());
    tracer.begin({ name: 'x', kind: 'server', parent: null, at, attributes: {} }).end({
      at,
      attributes: {},
      failed: false,
    });
    await tracer.close();
    expect([failures, receiver.bodies]).toEqual([['ECONNREFUSED'], []]);
  });
});
