import { expect, test } from 'vitest';
import { arrowsOf } from '../../scripts/structure/arrows.ts';
import { circlesIn } from '../../scripts/structure/circles.ts';
import { sources } from '../../scripts/structure/sources.ts';

/** Where no file may reach itself by imports, those of types counted. */
const folder = 'services/command/src/';

const own = sources().filter(({ path, isTest }) => path.startsWith(folder) && !isTest);
const from = (path: string, text: string) => ({ path: `${folder}${path}`, text, isTest: false });

test('ARCH-1670 no file of the command service reaches itself by imports', () => {
  expect(own.length).toBeGreaterThan(40);
  expect(circlesIn(arrowsOf(own))).toEqual([]);
});

test('ARCH-1671 one import of a type against the arrows makes a circle', () => {
  const back = own.map((one) =>
    one.path === `${folder}pipeline/handle-command.ts`
      ? from(
          'pipeline/handle-command.ts',
          `${one.text}\nexport type A = import('../compensation/partial-writes.ts').A;`,
        )
      : one,
  );
  const [circle = []] = circlesIn(arrowsOf(back));
  expect(circle).toContain(`${folder}compensation/partial-writes.ts`);
  expect(circle).toContain(`${folder}pipeline/handle-command.ts`);
});
