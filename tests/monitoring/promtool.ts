import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Prometheus' own tool, as `PROMTOOL_PATH` or the path names it; without it what needs it is skipped aloud. */
export const promtool: string = process.env['PROMTOOL_PATH'] ?? 'promtool';

export const hasPromtool = ((): boolean => {
  try {
    execFileSync(promtool, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** What it says of this; throws with its words where it refuses. `files`: name → text, all in one folder, where it is started. */
export const said = async (args: readonly string[], files: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'zakup-promtool-'));
  try {
    await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
    const { stdout, stderr } = await run(promtool, [...args], { cwd: folder });
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`promtool ${args.join(' ')}: ${stdout}${stderr}`, { cause: error });
  } finally {
    await rm(folder, { recursive: true });
  }
};
