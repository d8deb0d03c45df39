import type { CDPSession, Page } from '@playwright/test';

const tab = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 } as const;
const shift = 8;
/** Presses of a walk before one looks whether it has come round. */
const atOnce = 16;

/** Presses Tab so many times, as fast as the page takes it: who looks between two presses listens on the page, with no round trip for each. */
const pressTab = async (session: CDPSession, times: number, back = false): Promise<void> => {
  const press = { ...tab, modifiers: back ? shift : 0 };
  await Promise.all(
    Array.from({ length: times }, () => [
      session.send('Input.dispatchKeyEvent', { ...press, type: 'rawKeyDown' }),
      session.send('Input.dispatchKeyEvent', { ...press, type: 'keyUp' }),
    ]).flat(),
  );
};

/** A text, as the page runs it: whether what has the focus lies in a dialog or popup. */
export const insideSource =
  'document.activeElement?.closest("[role=dialog], [role=alertdialog], dialog, .bp6-portal") !== null';

/** What gets the focus outside of all dialogs and popups during so many presses of Tab, or Shift+Tab; a line for each. */
export const outsideByTab = async (page: Page, times: number, back: boolean): Promise<readonly string[]> => {
  await page.evaluate(`{
    window.tabs = { heard: 0, outside: [] };
    window.hearTab = ({ key }) => {
      if (key !== 'Tab') return;
      tabs.heard += 1;
      if (!(${insideSource})) tabs.outside.push(tabs.heard + ': ' + document.activeElement.outerHTML.slice(0, 160));
    };
    addEventListener('keyup', hearTab, true);
  }`);
  const session = await page.context().newCDPSession(page);
  await pressTab(session, times, back);
  await session.detach();
  const { heard, outside } = await page.evaluate<{ readonly heard: number; readonly outside: readonly string[] }>(
    `removeEventListener('keyup', hearTab, true), tabs`,
  );
  return heard === times ? outside : [...outside, `the page heard ${heard} of ${times}`];
};

/** A text, as the page runs it: judges whatever has the focus after each Tab, until it had it before. The focus stays where it was. */
const walkSource = `{
  const seen = new WeakSet();
  window.walk = { steps: 0, isRound: false, hidden: [] };
  addEventListener('keyup', ({ key }) => {
    if (key !== 'Tab' || walk.isRound) return;
    const element = document.activeElement;
    if (element === null || element === document.body || seen.has(element)) {
      walk.isRound = true;
      return;
    }
    seen.add(element);
    walk.steps += 1;
    // A field may show it on what stands around it, a switch on what is painted in its stead.
    const around = [element, element.parentElement, element.nextElementSibling, ...element.querySelectorAll('*')];
    const look = () =>
      around.flatMap((one) => (one === null ? [] : ['', '::before', '::after'].map((part) => {
        const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor } = getComputedStyle(one, part);
        const outline = outlineStyle === 'none' || Number.parseFloat(outlineWidth) === 0 ? 'none' : outlineWidth + outlineColor;
        return [outline, boxShadow, borderColor].join();
      }))).join(';');
    const focused = look();
    element.blur();
    const without = look();
    element.focus({ preventScroll: true, focusVisible: true });
    if (focused === without) walk.hidden.push('Tab ' + walk.steps + ': ' + element.outerHTML.slice(0, 160));
  }, true);
}`;

interface Walk {
  /** Elements that had the focus before it came round. */
  readonly steps: number;
  readonly isRound: boolean;
  /** Of them those in and around which nothing looks otherwise than without it; a line for each. */
  readonly hidden: readonly string[];
}

const focusableSource = `document.querySelectorAll('a[href], area, button, input, select, textarea, summary, iframe, [tabindex], [contenteditable]').length`;

/** Presses Tab on a page just loaded until the focus comes round, or has had time to for all elements that may have it, of which there are `most`. */
export const walkByTab = async (page: Page): Promise<Walk & { readonly most: number }> => {
  const most = await page.evaluate<number>(focusableSource);
  await page.evaluate(walkSource);
  const session = await page.context().newCDPSession(page);
  const walked = (): Promise<Walk> => page.evaluate<Walk>('walk');
  let walk = await walked();
  for (let pressed = 0; !walk.isRound && pressed <= most; pressed += atOnce) {
    await pressTab(session, atOnce);
    walk = await walked();
  }
  await session.detach();
  return { ...walk, most };
};
