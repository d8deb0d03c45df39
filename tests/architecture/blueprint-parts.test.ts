import { describe, expect, test } from 'vitest';
import { unusedBlueprintParts, withoutUnusedBlueprint } from '@zakup/web/scripts/unused-blueprint.ts';
import { repositoryFiles, textOf } from './repository-files.ts';

const sources = repositoryFiles().filter((path) => /^web\/src\/.+\.(?:tsx?|css)$/u.test(path));
const componentOf = (part: string): string =>
  part.replaceAll(/(?:^|-)([a-z])/gu, (_, letter: string) => letter.toUpperCase()).replace(/^Html/u, 'HTML');

/** Selectors of one rule of a style sheet after the unused parts are out; none where the rule goes. */
const left = (...selectors: string[]): readonly string[] => {
  const rule = { selectors, remove: () => (rule.selectors = []) };
  withoutUnusedBlueprint.Rule(rule);
  return rule.selectors;
};

describe("Blueprint's style sheet without its unused parts", () => {
  test('ARCH-1920 no screen uses a part that is left out, by class or as a component', () => {
    const faults = sources.flatMap((path) => {
      const text = textOf(path);
      const imported = [...text.matchAll(/import \{([^}]*)\} from '@blueprintjs\/core'/gu)].join();
      return unusedBlueprintParts
        .filter(
          (part) =>
            new RegExp(`\\bbp6-${part}(?![a-z])`, 'u').test(text) ||
            new RegExp(`\\b${componentOf(part)}\\b`, 'u').test(imported) ||
            new RegExp(`\\bClasses\\.${part.replaceAll('-', '_').toUpperCase()}`, 'u').test(text),
        )
        .map((part) => `${path}: ${part}`);
    });
    expect(sources.length).toBeGreaterThan(300);
    expect(faults).toEqual([]);
  });

  test('ARCH-1921 what is for an unused part alone goes, the rest of its rule stays', () => {
    expect(left('.bp6-tag.bp6-minimal', '.bp6-tag-remove:hover')).toEqual([]);
    expect(left('.bp6-button', '.bp6-card .bp6-button')).toEqual(['.bp6-button']);
    expect(left('.bp6-tab', '.bp6-button:not(.bp6-tag)', '.bp6-tags')).toHaveLength(3);
  });
});
