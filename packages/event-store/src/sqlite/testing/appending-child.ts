import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { sampleEvent } from '../../contract-suite.ts';
import { sqliteEventStore } from '../sqlite-event-store.ts';

/**
 * A process that appends until it is killed or refused: 16 appenders, two streams per append. After each acknowledgement it says
 * the two event ids on standard output, and at the first refusal `refused` with the reason.
 */
const [file = '', licenceId = '', size = '0'] = process.argv.slice(2);
const store = await sqliteEventStore({ file });
const text = 'x'.repeat(Number(size));
let refused = false;

const appendOn = async () => {
  while (!refused) {
    const events = [sampleEvent(licenceId, 'One', { text }), sampleEvent(licenceId, 'Two', { text })] as const;
    try {
      const result = await store.append([
        { stream: `one-${licenceId}~${randomUUID()}`, expectedRevision: 'no_stream', events: [events[0]] },
        { stream: `two-${licenceId}~${randomUUID()}`, expectedRevision: 'no_stream', events: [events[1]] },
      ]);
      if (result.kind === 'appended') writeSync(1, `acknowledged ${events[0].id} ${events[1].id}\n`);
    } catch (error) {
      refused = true;
      writeSync(1, `refused ${String(error)}\n`);
    }
  }
};

await Promise.all(Array.from({ length: 16 }, appendOn));
process.exit(0);
