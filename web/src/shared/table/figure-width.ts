/** All that a written figure, whole or shortened, is made of. */
const characters = '0123456789\u00a0\u2212,.%₽▲▼◆абвгдеиклмнорстыь';

const measured = new Map<string, ReadonlyMap<string, number>>();

const fontOf = (place: Element): string => {
  const { font, fontVariantNumeric, letterSpacing } = getComputedStyle(place);
  return [font, fontVariantNumeric, letterSpacing].join(' ');
};

/** A canvas would not do: its digits are not those of equal width that a table has. */
const measure = (place: Element): ReadonlyMap<string, number> => {
  const line = document.createElement('span');
  line.style.cssText = 'position: absolute; visibility: hidden; white-space: pre';
  const each = Array.from(characters, (character) => {
    const mark = document.createElement('span');
    mark.textContent = character;
    return mark;
  });
  line.append(...each);
  place.append(line);
  const widths = new Map(each.map((mark) => [mark.textContent, mark.getBoundingClientRect().width]));
  line.remove();
  return widths;
};

/** How wide a figure is in the font of the place, in px, of characters that are measured once a font. */
export const figureWidths = (place: Element): ((text: string) => number) => {
  const font = fontOf(place);
  const widths = measured.get(font) ?? measure(place);
  measured.set(font, widths);
  const usual = widths.get('0') ?? 0;
  return (text) => Array.from(text).reduce((sum, character) => sum + (widths.get(character) ?? usual), 0);
};

/** A font has come: what was measured was another's. */
export const forgetFigureWidths = (): void => measured.clear();
