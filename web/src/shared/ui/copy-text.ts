/** Puts a text on the clipboard, also where the page is not served over https and the browser hides its clipboard. */
export const copyText = async (text: string): Promise<void> => {
  const clipboard = (navigator as { clipboard?: Clipboard }).clipboard;
  if (clipboard) return clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (!done) throw new Error('copy refused');
};
