export interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Between a toast and what it must not lie on, in px. */
const gap = 8;

/** The least distance from the top at which something of this place and height lies on none of the areas. */
export const freeTop = (
  { left, right, height }: Pick<Area, 'left' | 'right'> & { readonly height: number },
  areas: readonly Area[],
): number => {
  const beside = areas.filter((area) => area.left < right && area.right > left).toSorted((a, b) => a.top - b.top);
  let top = gap;
  for (const area of beside) if (area.top < top + height + gap && area.bottom + gap > top) top = area.bottom + gap;
  return top;
};

/** What one presses next: the frame's own bar, main buttons, what closes a dialog with what stands beside that. */
const pressedNext = '.z-top, main .z-button-primary, .z-dialog .z-button-primary, .z-dialog [aria-label="Закрыть"]';

/** Areas of what a toast must not lie on. */
export const takenAreas = (page: Document): readonly Area[] =>
  [...page.querySelectorAll(pressedNext)]
    .map((element) => element.getBoundingClientRect())
    .filter(({ width, height }) => width > 0 && height > 0);
