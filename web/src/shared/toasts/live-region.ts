import { toastStore } from './toasts.ts';

/** Blueprint's names, for where its toaster would stand; without its styles the region takes no room. */
const look = [
  'bp6-toast-container',
  'bp6-toast-container-in-portal',
  'bp6-toast-container-top',
  'bp6-toast-container-right',
].join(' ');

/**
 * The page's one polite live region. It stands there before anything is said in it: a screen reader may miss what comes together with its
 * region.
 */
export const liveRegion = (page: Document): HTMLElement => {
  const there = page.querySelector<HTMLElement>('[data-told]');
  if (there !== null) return there;
  const region = page.createElement('div');
  region.className = look;
  region.setAttribute('aria-live', 'polite');
  region.dataset['told'] = '';
  page.body.append(region);
  return region;
};

/** How long an announcement stands there: longer than a screen reader takes to come to it. */
const announcedMillis = 5_000;

/** From now on what is announced is said in the live region, on every page. Answers how to stop. */
export const sayAnnounced = (page: Document): (() => void) => {
  const region = liveRegion(page);
  let said: { readonly id: number; readonly words: HTMLElement; readonly timer: number } | null = null;
  const hush = (): void => {
    if (said === null) return;
    clearTimeout(said.timer);
    said.words.remove();
    said = null;
  };
  const follow = (): void => {
    const now = toastStore.announced();
    if (now?.id === said?.id) return;
    hush();
    if (now === null) return;
    const words = page.createElement('p');
    words.className = 'z-visually-hidden';
    words.textContent = now.text;
    region.append(words);
    const timer = window.setTimeout(() => toastStore.silence(now.id), announcedMillis);
    said = { id: now.id, words, timer };
  };
  const stop = toastStore.subscribe(follow);
  follow();
  return () => {
    stop();
    hush();
  };
};
