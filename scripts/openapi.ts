import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { referenceFiles } from './reference/reference-files.ts';

const place = (path: string): URL => new URL(`../${path}`, import.meta.url);

for (const { path, text } of await referenceFiles((page) => readFileSync(place(page), 'utf8'))) {
  await writeFile(place(path), text);
  console.log(`${path} записан`);
}
