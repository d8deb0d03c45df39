import { writeFile } from 'node:fs/promises';
import { envExample } from '@zakup/service-kit/config';

await writeFile(new URL('../.env.example', import.meta.url), envExample());
console.log('.env.example записан');
