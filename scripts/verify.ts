import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const words = process.argv.slice(2);

if (words.includes('--recompute')) {
  // The stand-alone verifier: of a bundle alone, without the settings and the stores of this installation.
  const verifier = new URL('verify-history.mjs', import.meta.url).href;
  const { run } = (await import(verifier)) as {
    readonly run: (given: readonly string[], options: { readonly anyKey: boolean }) => Promise<number>;
  };
  process.exitCode = await run(words, { anyKey: true });
} else {
  const settings = fileURLToPath(new URL('../.env', import.meta.url));
  if (existsSync(settings)) process.loadEnvFile(settings);
  await import('@zakup/standalone/verify/main');
}
