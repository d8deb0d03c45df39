import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program to its end in `root`; throws `refusal` when it fails. */
export async function childRun(root: string, command: string, args: readonly string[], refusal: string): Promise<void> {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(refusal);
}
