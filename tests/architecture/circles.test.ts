import { expect, test } from 'vitest';
import { arrowsOf } from '../../scripts/structure/arrows.ts';
import { circlesIn } from '../../scripts/structure/circles.ts';
import { sources } from '../../scripts/structure/sources.ts';

const folder = 'services/command/src/';

const production = sources().filter(({ isTest }) => !isTest);
const own = production.filter(({ path }) => path.startsWith(folder));
const from = (path: string, text: string) => ({ path: `${folder}${path}`, text, isTest: false });

test('ARCH-1670 no file of the product reaches itself by imports, those of types counted', () => {
  expect(own.length).toBeGreaterThan(40);
  expect(production.length).toBeGreaterThan(1_000);
  expect(circlesIn(arrowsOf(production))).toEqual([]);
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
