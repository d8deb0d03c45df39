import { describe, expect, test } from 'vitest';
import {
  unusedBlueprintLooks,
  unusedBlueprintParts,
  withoutUnusedBlueprint,
} from '@zakup/web/scripts/unused-blueprint.ts';
import { repositoryFiles, textOf } from './repository-files.ts';

const sources = repositoryFiles().filter((path) => /^web\/src\/.+\.(?:tsx?|css)$/u.test(path));
const componentOf = (part: string): string =>
  part.replaceAll(/(?:^|-)([a-z])/gu, (_, letter: string) => letter.toUpperCase()).replace(/^Html/u, 'HTML');

/** What asks a component for a look that is left out; `icon` by its name would be drawn with the icon font at first. */
const asksForLook =
  /(?:^|\s)(?:intent|large|loading|outlined|round|small|vertical|variant="outlined"|size="(?:large|small)"|icon="\w)/u;

/** Of each of these elements in a JSX text, what stands in its opening tag outside of braces. */
const openingTags = (text: string, names: readonly string[]): readonly string[] =>
  [...text.matchAll(/<([A-Z]\w*)(?=[\s/>])/gu)].flatMap(({ index, 0: start, 1: name = '' }) => {
    if (!names.includes(name)) return [];
    let depth = 0;
    let outside = '';
    for (const sign of text.slice(index + start.length)) {
      if (sign === '{') depth += 1;
      else if (sign === '}') depth -= 1;
      else if (depth === 0 && sign === '>') break;
      else if (depth === 0) outside += sign;
    }
    return [outside];
  });

/** Names under which a file has Blueprint's components. */
const blueprintNames = (text: string): readonly string[] =>
  [...text.matchAll(/import \{([^}]*)\} from '@blueprintjs\/(?:core|datetime)'/gu)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim().replace(/^.* as /u, '')),
  );

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

  test('ARCH-2620 no screen asks for a look that is left out, by class or of a component', () => {
    const classes = new RegExp(`\\bbp6-(?:${unusedBlueprintLooks.join('|')})(?![a-z-])`, 'u');
    const tags = (text: string): readonly string[] => openingTags(text, [...blueprintNames(text), 'Popover']);
    const faults = sources.filter((path) => {
      const text = textOf(path);
      return classes.test(text) || tags(text).some((tag) => asksForLook.test(tag));
    });
    expect(sources.flatMap((path) => tags(textOf(path))).length).toBeGreaterThan(30);
    expect(faults).toEqual([]);
  });

  test('ARCH-1921 what is for an unused part alone goes, the rest of its rule stays', () => {
    expect(left('.bp6-tag.bp6-minimal', '.bp6-tag-remove:hover')).toEqual([]);
    expect(left('.bp6-button', '.bp6-card .bp6-button')).toEqual(['.bp6-button']);
    expect(left('.bp6-tab', '.bp6-button:not(.bp6-tag)', '.bp6-tags')).toHaveLength(3);
  });

  test('ARCH-2622 a look that nobody asks for goes, the letters of the icon font, and the dark page named otherwise', () => {
    expect(left('.bp6-button.bp6-large', '.bp6-button.bp6-intent-danger', '.bp6-icon-add::before')).toEqual([]);
    expect(left('[data-bp-color-scheme=dark] .bp6-button', '.bp6-dark .bp6-button')).toEqual(['.bp6-dark .bp6-button']);
    const stay = [
      '.bp6-toast.bp6-intent-danger .bp6-button',
      '.bp6-icon:not(:empty)::before',
      '.bp6-html-select select',
    ];
    expect(left(...stay)).toEqual(stay);
  });
});
