import { refusalText } from '@zakup/service-kit/refusal-text';
import { testStart } from '@zakup/service-kit/testing/started';
import { fileTellers } from '@zakup/standalone/file-tellers';
import { startStandalone } from '@zakup/standalone/standalone';

const started = async (dataDir: string): Promise<void> => {
  const zakup = await startStandalone({ ...testStart({ DATA_DIR: dataDir }), webDist: dataDir });
  try {
    await zakup.ready;
  } finally {
    await zakup.shutdown.stop('looked at');
  }
};

/**
 * What the main of the single process prints for its operator where it must not start on this folder; no process is started. Rejects when
 * nothing forbids it.
 */
export const refusalOn = async (dataDir: string): Promise<string> => {
  const refused = await started(dataDir).then(
    () => null,
    (error: unknown) => refusalText(error, 0, fileTellers),
  );
  if (refused === null) throw new Error(`Nothing forbids a start on ${dataDir}`);
  return refused;
};
