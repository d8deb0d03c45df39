import { problemBodySchema } from '@zakup/contracts/problems';
import { afterEach, describe, expect, test } from 'vitest';
import { type Service, type ServiceContext, startService } from './service.ts';
import { type TestStart, testStart } from './testing/started.ts';
import { StoreUnavailable } from './testing/going-away.ts';

const running: { readonly service: Service; readonly start: TestStart }[] = [];
afterEach(async () => {
  for (const { service } of running.splice(0)) await service.shutdown.stop('the test ends');
});

const started = async (begin: (context: ServiceContext) => ReturnType<Parameters<typeof startService>[0]['begin']>) => {
  const start = testStart();
  const service = await startService({ ...start, begin });
  running.push({ service, start });
  return { service, start };
};
const problem = async (answer: Response) => problemBodySchema.parse(await answer.json());
const server = { setting: 'MONGODB_URL', url: 'mongodb://mongo/zakup' };

describe('a service', () => {
  test('SVC-11 listens at once: alive, not ready with the reason, measured, and UNAVAILABLE under /api until its stores are open', async () => {
    let open = (): void => undefined;
    const stores = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { service } = await started(async () => {
      await stores;
      return [(request, response, next) => (request.path === '/here' ? void response.json({ ok: true }) : next())];
    });
    const { address } = service;
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    const waiting = await fetch(`${address}/readyz`);
    expect(waiting.status).toBe(503);
    expect(await waiting.json()).toEqual({ status: 'not_ready', reasons: { start: 'запускается' } });
    expect(await (await fetch(`${address}/metrics`)).text()).toContain('zakup_http_request_seconds');
    for (const [method, path] of [
      ['GET', '/api/here'],
      ['POST', '/api/placements'],
      ['GET', '/socket.io/?EIO=4&transport=polling'],
    ] as const) {
      const answer = await fetch(`${address}${path}`, { method });
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await problem(answer)).code).toBe('UNAVAILABLE');
    }
    open();
    await service.ready;
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${address}/api/here`)).json()).toEqual({ ok: true });
  });

  test('SVC-12 answers everything else with NOT_FOUND in the form of a problem, with the headers of every answer', async () => {
    const { service } = await started(async () => []);
    await service.opened;
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/admin'],
      ['GET', '//api/here'],
      ['OPTIONS', '/api/here'],
      ['DELETE', '/api/here'],
    ] as const) {
      const answer = await fetch(`${service.address}${path}`, { method });
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
      expect(answer.headers.get('x-request-id')).not.toBeNull();
      expect((await problem(answer)).code).toBe('NOT_FOUND');
    }
    const { headers } = await fetch(service.address);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-powered-by')).toBeNull();
  });

  test('SVC-13 a store that is away is 503 with Retry-After, never an acknowledgement, and nothing of it goes out', async () => {
    const { service } = await started(async () => [
      () => {
        throw new Error('append failed', { cause: new StoreUnavailable('10.0.0.7 refused') });
      },
    ]);
    await service.opened;
    const answer = await fetch(`${service.address}/api/placements`, { method: 'POST' });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('2');
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({ code: 'UNAVAILABLE', success: false });
    expect(text).not.toContain('10.0.0.7');
  });

  test('SVC-14 told to stop while a server is away, it ends with 0', async () => {
    const { service, start } = await started(async ({ whenThere }) => {
      await whenThere(server, () => Promise.reject(new StoreUnavailable('away')));
      return [];
    });
    await expect
      .poll(async () => (await fetch(`${service.address}/readyz`)).json())
      .toMatchObject({ reasons: { MONGODB_URL: 'MONGODB_URL: сервер mongo не отвечает' } });
    start.signals.emit('SIGTERM');
    expect(await start.exited).toBe(0);
  });

  test('SVC-1000 what is waited for ends as soon as it is told to stop, by a signal or by a call', async () => {
    for (const how of ['signal', 'call'] as const) {
      let stopping = AbortSignal.abort();
      const { service, start } = await started(async (context) => {
        stopping = context.stopping;
        return [];
      });
      await service.ready;
      expect(stopping.aborted).toBe(false);
      const stopped = how === 'call' ? service.shutdown.stop('told to') : start.exited;
      if (how === 'signal') start.signals.emit('SIGTERM');
      expect([how, stopping.aborted]).toEqual([how, true]);
      expect(await stopped).toBe(0);
    }
  });

  test('SVC-15 what forbids the start is told to who started it', async () => {
    const { service } = await started(({ whenThere }) => whenThere(server, () => Promise.reject(new Error('refused'))));
    await expect(service.opened).rejects.toMatchObject({ name: 'ServerRefused' });
    await expect(service.ready).rejects.toMatchObject({ name: 'ServerRefused' });
  });

  test('SVC-16 at its end what began last ends first, stores after what works on them', async () => {
    const ended: string[] = [];
    const { service, start } = await started(async ({ opened, atEnd }) => {
      await opened(server, async () => ({
        close: async () => {
          ended.push('store');
        },
      }));
      atEnd({ name: 'work', run: () => void ended.push('work') });
      return [];
    });
    await service.ready;
    start.signals.emit('SIGTERM');
    expect(await start.exited).toBe(0);
    expect(ended).toEqual(['work', 'store']);
  });
});
