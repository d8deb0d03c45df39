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
  const clipOf = (element) => {
    const clip = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity, scrolls: false };
    for (let at = element; at !== null && at !== document.documentElement; at = at.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(at);
      if (overflowX !== 'visible' || overflowY !== 'visible') {
        const box = at.getBoundingClientRect();
        clip.left = Math.max(clip.left, box.left);
        clip.right = Math.min(clip.right, box.right);
        clip.top = Math.max(clip.top, box.top);
        clip.bottom = Math.min(clip.bottom, box.bottom);
        if ((overflowX === 'auto' || overflowX === 'scroll') && at.scrollWidth > at.clientWidth) clip.scrolls = true;
      }
      if (position === 'fixed') break;
    }
    return clip;
  };
  const layerOf = (element) => {
    for (let at = element; at !== null; at = at.parentElement)
      if (['fixed', 'sticky'].includes(getComputedStyle(at).position)) return at;
    return document.body;
  };
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
  lines.forEach((one, index) => {
    for (const other of lines.slice(index + 1)) {
      if (one.node === other.node || one.layer !== other.layer) continue;
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (wide > 2 && high > 6) found.push(name(one.text) + ' lies on ' + name(other.text) + ' in ' + place(other.node.parentElement));
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
