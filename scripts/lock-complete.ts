import { readFile, writeFile } from 'node:fs/promises';
import { completedLock, missingOptionalDependencies, type Lock } from './lock/optional-dependencies.ts';

const path = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(await readFile(path, 'utf8')) as Lock;
const missing = missingOptionalDependencies(lock);
if (missing.length > 0) await writeFile(path, `${JSON.stringify(completedLock(lock), null, 2)}\n`);
console.log(`package-lock.json: добавлено записей о платформах: ${missing.length}`);
