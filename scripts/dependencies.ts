import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dependenciesPage } from './dependencies/dependencies-page.ts';

const place = (path: string): URL => new URL(`../${path}`, import.meta.url);
const page = 'docs/reference/dependencies.md';

await writeFile(
  place(page),
  dependenciesPage((path) => (existsSync(place(path)) ? readFileSync(place(path), 'utf8') : null)),
);
console.log(`${page} записан`);
