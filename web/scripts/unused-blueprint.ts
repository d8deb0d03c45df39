/**
 * Blueprint's parts that no screen uses, by the first word of their classes (`bp6-<part>…`). Its style sheet is one file
 * for all parts; a part that comes into use leaves this list (ARCH-1920 says so).
 */
export const unusedBlueprintParts = [
  'breadcrumb',
  'breadcrumbs',
  'callout',
  'card',
  'compound-tag',
  'control-card',
  'dialog-step',
  'editable-text',
  'entity-title',
  'file-input',
  'file-upload-input',
  'html-table',
  'hotkey',
  'key-combo',
  'multistep-dialog',
  'navbar',
  'non-ideal-state',
  'numeric-input',
  'panel-stack',
  'progress-bar',
  'progress-meter',
  'running-text',
  'section',
  'segmented-control',
  'skeleton',
  'slider',
  'tag',
  'tooltip',
  'tree',
] as const;

interface StyleRule {
  selectors: string[];
  remove(): unknown;
}

const named = new RegExp(`\\.bp6-(?:${unusedBlueprintParts.join('|')})(?![a-z])`, 'u');
/** What a selector leaves out is not what it is for. */
const withoutNegations = (selector: string): string => selector.replaceAll(/:not\([^()]*\)/gu, '');

/** PostCSS: leave out the selectors of unused parts, and the rules that have no other. */
export const withoutUnusedBlueprint = {
  postcssPlugin: 'without-unused-blueprint',
  Rule: (rule: StyleRule): void => {
    const used = rule.selectors.filter((selector) => !named.test(withoutNegations(selector)));
    if (used.length === 0) rule.remove();
    else if (used.length < rule.selectors.length) rule.selectors = used;
  },
};
