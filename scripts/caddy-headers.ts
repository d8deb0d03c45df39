import { writeFile } from 'node:fs/promises';
import { scriptHashesOf } from '@zakup/standalone/web-files';
import { caddyHeaders } from './deploy/caddy-headers.ts';

const [webDist, file] = process.argv.slice(2);
if (webDist === undefined || file === undefined) {
  console.error('Нужны папка собранного веб-приложения и файл, который написать');
  process.exitCode = 2;
} else await writeFile(file, caddyHeaders(scriptHashesOf(webDist)));
