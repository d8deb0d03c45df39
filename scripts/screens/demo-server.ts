import { demo } from '@zakup/demo/fill-demo';
import { demoPassword } from '@zakup/demo/logins';
import { demoScale } from '@zakup/demo/story/story';
import { fileTellers } from '@zakup/standalone/file-tellers';
import { startStandalone } from '@zakup/standalone/standalone';
import { runMain } from '@zakup/service-kit/run-main';

/** The demo of `npm run demo` (`DEMO_SCALE=full`), or a small one of the same people in a few seconds. */
const scale =
  process.env['DEMO_SCALE'] === 'full' ? demoScale : { ...demoScale, length: 60, contractors: 24, placements: 320 };
const webDist = process.env['WEB_DIST'];
if (webDist === undefined) throw new Error('WEB_DIST is not set');

await runMain({
  process,
  refusal: 'The demo did not start.',
  tellers: fileTellers,
  async start({ config, ...start }, print) {
    const { address, opened, ready } = await startStandalone({
      ...start,
      config: { ...config, adminPassword: demoPassword },
      webDist,
      demo: demo({ scale, now: Date.now, onProgress: () => undefined }),
    });
    await opened;
    await ready;
    print(`ready: ${address}`);
  },
});
