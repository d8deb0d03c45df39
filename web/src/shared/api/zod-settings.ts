/** Where zod has its settings, whatever of it is loaded first (`zod/v4/core/core.js`). */
const settings = '__zod_globalConfig';

/**
 * The page may not make code from text, and zod would try. Set without zod's own `config`, which would load zod's core with the sign-in
 * page, where nothing is checked by it.
 */
export const keepZodFromMakingCode = (): void => {
  const globals: { [settings]?: { jitless?: boolean } } & object = globalThis;
  (globals[settings] ??= {}).jitless = true;
};
