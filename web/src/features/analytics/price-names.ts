import type { PricePoint } from './report-figures.ts';

/** So many names at most: more would lie over each other. */
const mostNames = 5;
/** So many letters of a name have room; the whole one stands at the mark that is pointed at. */
const mostLetters = 18;
/** Shares of the picture on a phone: of its width by a letter and by a mark, of its height by a line. */
const takes = { letter: 0.026, mark: 0.04, line: 0.07 } as const;

/** A name within the picture. */
export interface PriceName {
  readonly text: string;
  /** On which side of its mark the name begins or ends. */
  readonly side: 'start' | 'end';
}

interface Placed extends PriceName {
  readonly id: string;
  /** Shares of the picture. */
  readonly from: number;
  readonly to: number;
  readonly height: number;
}

const byMost = (points: readonly PricePoint[], of: (point: PricePoint) => number): readonly PricePoint[] =>
  points.toSorted((a, b) => of(b) - of(a));

/** Where the name of a point lies. `most`: the dearest lead that is drawn, dearer ones lie on the edge. */
const placing = (points: readonly PricePoint[], most: number) => {
  const [least, dearest] = [
    Math.min(...points.map(({ price }) => price)),
    Math.max(...points.map(({ price }) => price)),
  ];
  const at = (price: number): number => (dearest === least ? 0.5 : (price - least) / (dearest - least));
  const heightOf = (cpl: number): number => Math.min(cpl, most) / most;
  const place = ({ contractorId, nick, price, cpl }: PricePoint): Placed => {
    const text = nick.length > mostLetters ? `${nick.slice(0, mostLetters - 1)}…` : nick;
    const mark = at(price);
    const side = mark > 0.5 ? 'end' : 'start';
    const reach = takes.mark + text.length * takes.letter;
    const [from, to] = side === 'start' ? [mark, mark + reach] : [mark - reach, mark];
    return { id: contractorId, text, side, from, to, height: heightOf(cpl) };
  };
  /** Whether marks of others lie where the name would stand, beside its own mark. */
  const isOnMarks = ({ id, side, from, to, height }: Placed): boolean =>
    points.some(
      ({ contractorId, price, cpl }) =>
        contractorId !== id &&
        Math.abs(heightOf(cpl) - height) < takes.line / 2 &&
        at(price) > (side === 'start' ? from + takes.mark : from) &&
        at(price) < (side === 'end' ? to - takes.mark : to),
    );
  return { place, isOnMarks };
};

/**
 * Whose names stand in the picture itself: what lies apart from the others is what one asks about. The dearest leads first, then the
 * cheapest one and the dearest placement; nobody whose name would lie over one that stands already, or over marks of others.
 */
export const namedPoints = (points: readonly PricePoint[], most: number): ReadonlyMap<string, PriceName> => {
  const dearest = byMost(points, ({ cpl }) => cpl);
  const wanted = [
    ...dearest.slice(0, 1),
    ...byMost(points, ({ cpl }) => -cpl).slice(0, 1),
    ...byMost(points, ({ price }) => price).slice(0, 1),
    ...dearest.slice(1, 3),
  ];
  const { place, isOnMarks } = placing(points, most);
  const named: Placed[] = [];
  for (const point of wanted) {
    const name = place(point);
    const isCovered = named.some(
      (other) => Math.abs(other.height - name.height) < takes.line && other.from < name.to && name.from < other.to,
    );
    if (!isCovered && !isOnMarks(name) && point.nick !== '' && named.length < mostNames) named.push(name);
  }
  return new Map(named.map(({ id, text, side }) => [id, { text, side }]));
};
