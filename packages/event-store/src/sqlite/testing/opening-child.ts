import { openForWriting } from '../log-file.ts';

/** A process without root's rights that opens a log for writing and says the error on standard output. */
const [file = ''] = process.argv.slice(2);
const nobody = 65_534;
if (process.getuid?.() === 0) process.setuid?.(nobody);
try {
  openForWriting(file).close();
} catch (error) {
  process.stdout.write(String(error));
}
