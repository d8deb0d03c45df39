/**
 * What a worker thread is started from, beside the module that starts it: built code runs as it is, source by Node's own stripping of types
 * or through a loader. `url`: of that module, `import.meta.url`; `name`: of `<name>-worker.ts` and `<name>-boot.mjs` beside it.
 */
export const workerScript = (url: string, name: string): URL => {
  const stripsTypes = 'typescript' in process.features && process.features.typescript !== false;
  const source = stripsTypes ? `${name}-worker.ts` : `${name}-boot.mjs`;
  return new URL(`./${url.endsWith('.ts') ? source : `${name}-worker.js`}`, url);
};
