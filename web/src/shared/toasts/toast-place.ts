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

/** Areas of what a toast must not lie on. */
export interface TakenAreas {
  /** Of the frame: nothing ever lies on them. */
  readonly bars: readonly Area[];
  /** Of main buttons, and of what closes a dialog with what stands beside that. */
  readonly others: readonly Area[];
}

/** As `freeTop`; toasts that would begin in the lower half of the window lie over something in any case: then they leave the bars alone. */
export const topOf = (
  toasts: Parameters<typeof freeTop>[0],
  { bars, others }: TakenAreas,
  windowHeight: number,
): number => {
  const top = freeTop(toasts, [...bars, ...others]);
  return top < windowHeight / 2 ? top : freeTop(toasts, bars);
};

const pressedNext = 'main .z-button-primary, .z-dialog .z-button-primary, .z-dialog [aria-label="Закрыть"]';

const areasOf = (page: Document, selector: string): readonly Area[] =>
  [...page.querySelectorAll(selector)]
    .map((element) => element.getBoundingClientRect())
    .filter(({ width, height }) => width > 0 && height > 0);

export const takenAreas = (page: Document): TakenAreas => ({
  bars: areasOf(page, '.z-top, .z-admin-top'),
  others: areasOf(page, pressedNext),
});
