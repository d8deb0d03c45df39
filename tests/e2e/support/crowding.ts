import type { Page } from '@playwright/test';

/** A text, as the page runs it. What lies under a dialog or a popup is not looked at. */
const crowdingSource = `(() => {
  const popups = [...document.querySelectorAll('[role=dialog], [role=alertdialog], .bp6-popover, .z-bell-panel')];
  const root = popups.at(-1) ?? document.body;
  const found = [];
  const plain = (text) => text.replace(/\\s+/g, ' ');
  const name = (text) => '«' + (text.length > 24 ? text.slice(0, 12) + '…' + text.slice(-8) : text) + '»';
  const place = (element) => {
    const at = element.closest('[class]');
    return at === null ? element.tagName.toLowerCase() : String(at.className?.baseVal ?? at.className).split(' ').slice(0, 2).join('.');
  };
  // Each element is looked at once, however many texts lie in it.
  const memoized = (find) => {
    const known = new Map();
    return (element) => {
      if (!known.has(element)) known.set(element, find(element));
      return known.get(element);
    };
  };
  const nothingCuts = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity, scrolls: false };
  const clipOf = memoized((element) => {
    if (element === null || element === document.documentElement) return nothingCuts;
    const { overflowX, overflowY, position } = getComputedStyle(element);
    const around = position === 'fixed' ? nothingCuts : clipOf(element.parentElement);
    if (overflowX === 'visible' && overflowY === 'visible') return around;
    const box = element.getBoundingClientRect();
    const scrolls = (overflowX === 'auto' || overflowX === 'scroll') && element.scrollWidth > element.clientWidth;
    return {
      left: Math.max(around.left, box.left),
      right: Math.min(around.right, box.right),
      top: Math.max(around.top, box.top),
      bottom: Math.min(around.bottom, box.bottom),
      scrolls: scrolls || around.scrolls,
    };
  });
  const layerOf = memoized((element) => {
    if (element === null) return document.body;
    return ['fixed', 'sticky'].includes(getComputedStyle(element).position) ? element : layerOf(element.parentElement);
  });
  const lines = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.data.trim();
    const element = node.parentElement;
    if (text === '' || element.closest('option, select, textarea, svg, style, .z-visually-hidden, .z-skip, .z-avatar')) continue;
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const clip = clipOf(element);
    const layer = layerOf(element);
    let isCut = false;
    for (const box of range.getClientRects()) {
      const line = {
        text, layer, node,
        left: Math.max(box.left, clip.left), right: Math.min(box.right, clip.right),
        top: Math.max(box.top, clip.top), bottom: Math.min(box.bottom, clip.bottom),
      };
      if (line.right - line.left < 2 || line.bottom - line.top < 4) continue;
      lines.push(line);
      if (clip.scrolls) continue;
      if (box.right > clip.right + 1 || box.left < clip.left - 1) isCut = true;
      else if (box.right > innerWidth + 1 || box.left < -1) found.push('beyond the edge: ' + name(text) + ' in ' + place(element));
    }
    if (!isCut) continue;
    element.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    let told = false;
    for (let at = element, step = 0; at !== null && step < 4; at = at.parentElement, step += 1)
      if (plain(at.getAttribute('title') ?? '').includes(plain(text))) told = true;
    if (!told) found.push('cut, and told nowhere: ' + name(text) + ' in ' + place(element));
    let dotted = false;
    for (let at = element, step = 0; at !== null && step < 4; at = at.parentElement, step += 1)
      if (getComputedStyle(at).textOverflow === 'ellipsis') dotted = true;
    if (!dotted) found.push('cut without dots: ' + name(text) + ' in ' + place(element));
  }
  // From the top down, so that a line is held against those alone that begin before it ends.
  const down = lines.map((line, order) => ({ ...line, order })).sort((one, other) => one.top - other.top);
  down.forEach((upper, index) => {
    for (let next = index + 1; next < down.length && down[next].top < upper.bottom - 6; next += 1) {
      const lower = down[next];
      if (upper.node === lower.node || upper.layer !== lower.layer) continue;
      const wide = Math.min(upper.right, lower.right) - Math.max(upper.left, lower.left);
      const high = Math.min(upper.bottom, lower.bottom) - lower.top;
      if (!(wide > 2 && high > 6)) continue;
      const [one, other] = upper.order < lower.order ? [upper, lower] : [lower, upper];
      found.push(name(one.text) + ' lies on ' + name(other.text) + ' in ' + place(other.node.parentElement));
    }
  });
  // Tables may be wider than their place and scroll in it; nothing larger may.
  for (const wide of root.querySelectorAll('main, .z-page, .z-dialog-body, .z-contractor-body, .bp6-dialog, [role=tabpanel]'))
    if (wide.scrollWidth > wide.clientWidth + 1 && getComputedStyle(wide).overflowX !== 'visible') found.push(place(wide) + ' is ' + (wide.scrollWidth - wide.clientWidth) + ' px too wide');
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push('the page is ' + (scrollWidth - clientWidth) + ' px too wide');
  if (root.scrollWidth > root.clientWidth + 1 && root !== document.body) found.push('the popup is ' + (root.scrollWidth - root.clientWidth) + ' px too wide');
  return [...new Set(found)];
})()`;

/** Texts that leave the window, lie on each other, or are cut without dots or without a way to read the rest; a line for each. */
export const crowding = (page: Page): Promise<readonly string[]> => page.evaluate(crowdingSource);
