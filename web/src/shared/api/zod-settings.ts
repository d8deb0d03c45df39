interface ZodGlobals {
  /** Where zod has its settings, whatever of it is loaded first (`zod/v4/core/core.js`). */
  __zod_globalConfig?: { jitless?: boolean };
}

/**
 * The page may not make code from text, and zod would try. Set without zod's own `config`, which would load zod's core with the sign-in
 * page, where nothing is checked by it.
 */
export const keepZodFromMakingCode = (): void => {
  ((globalThis as ZodGlobals).__zod_globalConfig ??= {}).jitless = true;
};
