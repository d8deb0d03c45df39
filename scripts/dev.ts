import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { concurrently } from 'concurrently';

const root = fileURLToPath(new URL('..', import.meta.url));
const settings = `${root}.env`;
if (existsSync(settings)) process.loadEnvFile(settings);

const given = process.env['PORT'] ?? '';
// Vite must know the address before the server has one, so a free port cannot be asked for here.
const port = given === '' || given === '0' ? '3000' : given;
const { result } = concurrently(
  [
    {
      name: 'server',
      command: 'tsx watch --clear-screen=false services/standalone/src/main.ts',
      env: { PORT: port },
      prefixColor: 'blue',
    },
    {
      name: 'web',
      command: 'npm run dev -w @zakup/web',
      env: { API_URL: `http://127.0.0.1:${port}` },
      prefixColor: 'green',
    },
  ],
  { cwd: root, killOthersOn: ['failure', 'success'], prefix: 'name' },
);
await result.catch(() => {
  process.exitCode = 1;
});
