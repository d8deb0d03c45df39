// JavaScript, so that it starts at once from source too: a worker thread does not inherit a loader of TypeScript.
import { timingSafeEqual } from 'node:crypto';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, parseOptions, verifySync } from '@node-rs/argon2';

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

/** All of a hash but its last part: version, cost and salt. */
const settingOf = (stored) => stored.slice(0, stored.lastIndexOf('$'));

const same = (one, other) => one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** Hashes of one setting are compared with one that is made of the password once. */
const matches = (password, stored) => {
  const settings = new Set(stored.map(settingOf));
  const fits = new Map();
  for (const setting of settings) {
    const ofSetting = stored.filter((hash) => settingOf(hash) === setting);
    if (ofSetting.length === 1) fits.set(ofSetting[0], verifySync(ofSetting[0], password));
    else {
      const { memoryCost, timeCost, parallelism } = parseOptions(ofSetting[0]);
      const salt = Buffer.from(setting.slice(setting.lastIndexOf('$') + 1), 'base64');
      const made = hashSync(password, { memoryCost, timeCost, parallelism, salt });
      for (const hash of ofSetting) fits.set(hash, same(made, hash));
    }
  }
  return stored.map((hash) => fits.get(hash) === true);
};

parentPort.on('message', ({ password, stored, options }) => {
  try {
    answer({ value: stored === undefined ? hashSync(password, options) : matches(password, stored) });
  } catch (error) {
    answer({ error: String(error) });
  }
});
