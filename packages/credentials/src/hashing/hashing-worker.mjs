// JavaScript, so that it starts at once from source too: a worker thread does not inherit a loader of TypeScript.
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';

/** A third of a core beside a thread that wants all of it: others go first, and who signs in on a busy machine still gets in. */
const nice = 5;

// On Linux a priority is each thread's own; elsewhere this would hold up the whole process.
if (process.platform === 'linux') {
  try {
    setPriority(nice);
  } catch {
    // Not let by the system: it hashes as fast as the others work.
  }
}

const answer = (message) => parentPort.postMessage(message, []);

parentPort.on('message', ({ password, stored, options }) => {
  try {
    answer({ value: stored === undefined ? hashSync(password, options) : verifySync(stored, password) });
  } catch (error) {
    answer({ error: String(error) });
  }
});
