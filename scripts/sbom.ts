import { readFileSync } from 'node:fs';
import { softwareBill, type LockedPackages } from './dependencies/sbom.ts';

const read = (path: string): unknown => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'));
const { workspaces } = read('package.json') as { readonly workspaces: readonly string[] };

const bill = softwareBill(read('package-lock.json') as LockedPackages, workspaces, new Date());
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);
