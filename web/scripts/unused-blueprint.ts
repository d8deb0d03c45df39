/**
 * Blueprint's parts that no screen uses, by the first word of their classes (`bp6-<part>…`). Its style sheet is one file
 * for all parts; a part that comes into use leaves this list (ARCH-1920 says so).
 */
export const unusedBlueprintParts = [
  'alert',
  'blockquote',
  'breadcrumb',
  'breadcrumbs',
  'callout',
  'card',
  'checkbox',
  'code',
  'code-block',
  'collapse',
  'compound-tag',
  'context-menu',
  'control',
  'dialog-body',
  'dialog-footer',
  'dialog-header',
  'dialog-step',
  'drawer-body',
  'drawer-footer',
  'drawer-header',
  'editable-text',
  'elevation',
  'entity-title',
  'file-input',
  'file-upload-input',
  'form',
  'hotkey',
  'html-table',
  'input',
  'key',
  'label',
  'link',
  'list',
  'multistep-dialog',
  'navbar',
  'non-ideal-state',
  'numeric-input',
  'overflow-list',
  'panel-stack',
  'progress-bar',
  'progress-meter',
  'radio',
  'resizable',
  'running-text',
  'section',
  'segmented-control',
  'select',
  'skeleton',
  'slider',
  'spinner',
  'submenu',
  'switch',
  'tag',
  'text-area',
  'tooltip',
  'tree',
] as const;

/** How a part can look and none here does, by the class that says so (`bp6-<look>`); ARCH-2620 finds who asks for one. */
export const unusedBlueprintLooks = [
  'button-spinner',
  'icon-large',
  'icon-muted',
  'icon-standard',
  'intent-default',
  'intent-primary',
  'intent-warning',
  'large',
  'loading',
  'outlined',
  'round',
  'small',
  'vertical',
] as const;

/** Toasts alone tell good from bad by Blueprint's colours. */
const toastLooks = ['intent-danger', 'intent-success'] as const;

interface StyleRule {
  selectors: string[];
  remove(): unknown;
}

const classOf = (words: readonly string[], after: string): RegExp =>
  new RegExp(String.raw`\.bp6-(?:${words.join('|')})${after}`, 'u');
const part = classOf(unusedBlueprintParts, '(?![a-z])');
const look = classOf(unusedBlueprintLooks, '(?![a-z-])');
const toastLook = classOf(toastLooks, '(?![a-z-])');
/** The letters of the icon font: icons are drawn as SVG. */
const letter = /\.bp6-icon-[a-z0-9-]+::before/u;
/** The page says by a class that it is dark. */
const otherDark = '[data-bp-color-scheme';

/** What a selector leaves out is not what it is for. */
const withoutNegations = (selector: string): string => selector.replaceAll(/:not\([^()]*\)/gu, '');

const isUsed = (selector: string): boolean => {
  const wanted = withoutNegations(selector);
  if (toastLook.test(wanted) && !wanted.includes('.bp6-toast')) return false;
  return !(part.test(wanted) || look.test(wanted) || letter.test(wanted) || wanted.includes(otherDark));
};

/** PostCSS: leave out the selectors of what no screen uses, and the rules that have no other. */
export const withoutUnusedBlueprint = {
  postcssPlugin: 'without-unused-blueprint',
  Rule: (rule: StyleRule): void => {
    const used = rule.selectors.filter(isUsed);
    if (used.length === 0) rule.remove();
    else if (used.length < rule.selectors.length) rule.selectors = used;
  },
};
