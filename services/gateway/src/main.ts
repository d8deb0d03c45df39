import { runServiceMain } from '@zakup/service-kit/run-main';
import { startOnServers } from './start-on-servers.ts';

await runServiceMain({ process, service: 'gateway', start: (start, servers) => startOnServers(start, servers) });
