import { fileURLToPath } from 'node:url';
import { bundle } from '../../scripts/start/bundle.ts';
import { programs } from './built-programs.ts';

const [, , outDir = ''] = process.argv;
await bundle(fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, ''), outDir, programs);
