import { scenes } from '../../../scripts/screens/scenes.ts';
import { sizes } from '../../../scripts/screens/screens-page.ts';
import { seriousFindings } from './axe.ts';
import { expect, test } from './demo.ts';
import { visits } from './visits.ts';

test.describe.configure({ mode: 'parallel' });

/** What there is on one width only is judged in one theme there (QUAL-5, QUAL-6): here it is in the other. */
const passes = [
  { size: 'wide', theme: 'dark' },
  { size: 'narrow', theme: 'light' },
] as const;

for (const { size, theme } of passes)
  test(`QUAL-19 ${size} and ${theme}: axe finds nothing serious on what opens on no other width`, async ({
    viewOf,
  }) => {
    test.setTimeout(300_000);
    const { page, goTo } = await viewOf('owner', { ...sizes[size], colorScheme: theme });
    const visit = visits(page, goTo);
    const own = scenes.filter(({ as, only, open }) => as === 'owner' && only === size && open !== undefined);
    expect(own.length).toBeGreaterThan(5);
    for (const scene of own)
      await test.step(scene.name, async () => {
        await visit(scene);
        expect.soft(await seriousFindings(page, 'popups'), scene.name).toEqual([]);
      });
  });
