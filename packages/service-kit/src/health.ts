import { Router } from 'express';

export type ReadinessState =
  | { readonly kind: 'ready' }
  /** `reasons`: what is still waited for, by part. */
  | { readonly kind: 'not_ready'; readonly reasons: Readonly<Record<string, string>> }
  | { readonly kind: 'stopping' };

export interface Readiness {
  /** Not ready because of `part`, until `release(part)`. */
  hold(part: string, reason: string): void;
  release(part: string): void;
  /** For good: nothing makes it ready again. */
  stop(): void;
  state(): ReadinessState;
  /** Resolves when it is ready for the first time from now on. */
  ready(): Promise<void>;
}

/** Begins held by the given parts, `{ start: 'запускается' }` when none are named. */
export function readiness(held: Readonly<Record<string, string>> = { start: 'запускается' }): Readiness {
  const reasons = new Map(Object.entries(held));
  let stopping = false;
  let waiting: (() => void)[] = [];
  const isReady = (): boolean => !stopping && reasons.size === 0;
  return {
    hold(part, reason) {
      reasons.set(part, reason);
    },
    release(part) {
      reasons.delete(part);
      if (!isReady()) return;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    stop() {
      stopping = true;
    },
    state() {
      if (stopping) return { kind: 'stopping' };
      return reasons.size === 0 ? { kind: 'ready' } : { kind: 'not_ready', reasons: Object.fromEntries(reasons) };
    },
    ready: () =>
      new Promise((resolve) => {
        if (isReady()) resolve();
        else waiting.push(resolve);
      }),
  };
}

/** `/healthz`: 200 while the process answers. `/readyz`: 200 when ready, else 503 with the reason; `about` = members beside the state. */
export function healthRoutes(ready: Readiness, about: () => Readonly<Record<string, string>> = () => ({})): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ status: 'ok' });
  });
  router.get('/readyz', (_request, response) => {
    const state = ready.state();
    response.set('Cache-Control', 'no-store').status(state.kind === 'ready' ? 200 : 503);
    if (state.kind !== 'ready') response.set('Retry-After', '1');
    response.json({
      status: state.kind,
      ...about(),
      ...(state.kind === 'not_ready' ? { reasons: state.reasons } : {}),
    });
  });
  return router;
}
