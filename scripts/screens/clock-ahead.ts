/** Imported first by a process whose clock is `CLOCK_AHEAD` milliseconds ahead of the real one. */
const RealDate = Date;
const ahead = Number(process.env['CLOCK_AHEAD']);
if (!Number.isFinite(ahead)) throw new Error('CLOCK_AHEAD is no number of milliseconds');

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given: unknown[], made) =>
    Reflect.construct(target, given.length === 0 ? [target.now() + ahead] : given, made) as Date,
  get: (target, name) => (name === 'now' ? () => target.now() + ahead : (Reflect.get(target, name) as unknown)),
});
