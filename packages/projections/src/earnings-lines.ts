import type { EarningsByLine, EarningsRow, PlacementRow } from '@zakup/contracts/read-models';
import {
  type CountedLine,
  earningsOf,
  type EarningsRow as Line,
  type LeftOutLine,
  schemeOf,
  type Terms,
} from '@zakup/domain/analytics/earnings';
import { kopecks, percentOf } from '@zakup/domain/money';
import { createYielder } from '@zakup/async/yielder';
import { sortYielding } from '@zakup/async/sort-yielding';

/** What is made of lines once they are judged. */
export interface LineForms<Counted, LeftOut> {
  readonly counted: (line: CountedLine) => Counted;
  readonly leftOut: (line: LeftOutLine) => LeftOut;
}

/** Lines as the domain judges them. */
export const plainLines: LineForms<CountedLine, LeftOutLine> = { counted: (line) => line, leftOut: (line) => line };

/** What `earningsOf` says of one line: it counts, or not. */
interface Judged<Counted, LeftOut> {
  readonly price: number;
  readonly leads: number;
  readonly counted: Counted | null;
  readonly leftOut: LeftOut | null;
}

interface Basis {
  readonly terms: Terms;
  readonly countZeroLeads: boolean;
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const sameTerms = (a: Terms, b: Terms): boolean =>
  a.source === b.source &&
  a.salaryType === b.salaryType &&
  a.salaryRate === b.salaryRate &&
  a.cplThreshold === b.cplThreshold;

/** Lines between two turns of the event loop, of perhaps 100,000. */
const slice = 250;

/** As many that moved are put in their places one by one; more are sorted with all the others. */
const fewMoved = 64;

/** Takes the id into the ordered ones, or out of them. */
const putInPlace = (order: string[], id: string, isThere: boolean): void => {
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((order[middle] as string) < id) low = middle + 1;
    else high = middle;
  }
  const wasThere = order[low] === id;
  if (isThere && !wasThere) order.splice(low, 0, id);
  if (!isThere && wasThere) order.splice(low, 1);
};

/**
 * One person's placements in one campaign as lines of their earnings. Nothing is stored of a line but its placement: what it counts for is
 * said by the terms and the switch. A line that is the same as the last time is the same object in what is made of them.
 */
export class EarningsLines<Counted, LeftOut> {
  readonly #forms: LineForms<Counted, LeftOut>;
  readonly #lines = new Map<string, Line>();
  /** How lines were judged under `#basis`, by id. */
  readonly #judged = new Map<string, Judged<Counted, LeftOut>>();
  /** Those that are to be judged. */
  readonly #open = new Set<string>();
  /** Ids that came or went since they were put in order. */
  readonly #moved = new Set<string>();
  #order: readonly string[] | null = null;
  #basis: Basis | null = null;

  constructor(forms: LineForms<Counted, LeftOut>) {
    this.#forms = forms;
  }

  /** The placement as it is now. */
  set({ id, price, leads }: Pick<PlacementRow, 'id' | 'price' | 'leads'>): void {
    const before = this.#lines.get(id);
    if (before?.price === price && before.leads === leads) return;
    if (before === undefined) this.#moved.add(id);
    this.#lines.set(id, { placementId: id, price, leads });
    this.#open.add(id);
  }

  /** The person has it no more. */
  remove(id: string): void {
    if (!this.#lines.delete(id)) return;
    this.#moved.add(id);
    this.#open.delete(id);
    this.#judged.delete(id);
  }

  /** What `earningsOf` says of all lines under the terms and the switch of the row. They are to stay as they are until it resolves. */
  async told(row: EarningsRow): Promise<EarningsByLine<Counted, LeftOut>> {
    const yieldIfDue = createYielder();
    const { campaignId, userId, terms, budget, countZeroLeads } = row;
    this.#judgeBy({ terms, countZeroLeads });
    await this.#judgeOpen({ terms, countZeroLeads }, yieldIfDue);
    const ids = await this.#inOrder(yieldIfDue);
    const ofResult = schemeOf(terms) === 'result';
    const counted: Counted[] = [];
    const leftOut: LeftOut[] = [];
    let [spent, base, zeroCount, zeroPrice] = [0, 0, 0, 0];
    for (let index = 0; index < ids.length; index += 1) {
      if (index % slice === 0) await yieldIfDue();
      const one = this.#judged.get(ids[index] as string);
      if (one === undefined) continue;
      spent += one.price;
      if (one.leftOut !== null) leftOut.push(one.leftOut);
      if (one.counted === null) continue;
      counted.push(one.counted);
      base += one.price;
      if (!ofResult || one.leads > 0) continue;
      zeroCount += 1;
      zeroPrice += one.price;
    }
    return {
      campaignId,
      userId,
      terms,
      budget,
      spent: kopecks(spent),
      earnings: percentOf(kopecks(base), terms.salaryRate),
      countedTotal: { count: counted.length, price: kopecks(base) },
      zeroLeads: { count: zeroCount, price: kopecks(zeroPrice) },
      counted,
      leftOut,
    };
  }

  /** What was judged otherwise than it would be now is judged again: after the switch only the lines that it is about. */
  #judgeBy(next: Basis): void {
    const basis = this.#basis;
    const same = basis !== null && sameTerms(basis.terms, next.terms);
    if (!same || basis?.countZeroLeads !== next.countZeroLeads)
      for (const [id, { leads }] of this.#lines) if (!same || leads === 0) this.#open.add(id);
    this.#basis = next;
  }

  /** Many at once: what the terms say is then worked out once for them all. */
  async #judgeOpen({ terms, countZeroLeads }: Basis, yieldIfDue: () => Promise<void>): Promise<void> {
    const ids = [...this.#open];
    for (let from = 0; from < ids.length; from += slice) {
      const some = ids.slice(from, from + slice).map((id) => this.#lines.get(id));
      const told = earningsOf(
        terms,
        some.filter((line) => line !== undefined),
        { countZeroLeads },
      );
      for (const line of told.counted) {
        const { placementId, price, leads } = line;
        this.#judged.set(placementId, { price, leads, counted: this.#forms.counted(line), leftOut: null });
      }
      for (const line of told.leftOut) {
        const { placementId, price, leads } = line;
        this.#judged.set(placementId, { price, leads, counted: null, leftOut: this.#forms.leftOut(line) });
      }
      await yieldIfDue();
    }
    this.#open.clear();
  }

  async #inOrder(yieldIfDue: () => Promise<void>): Promise<readonly string[]> {
    let order = this.#order;
    if (order === null || this.#moved.size > fewMoved) {
      order = await sortYielding([...this.#lines.keys()], byText, yieldIfDue);
    } else if (this.#moved.size > 0) {
      const placed = [...order];
      for (const id of this.#moved) putInPlace(placed, id, this.#lines.has(id));
      order = placed;
    }
    this.#order = order;
    this.#moved.clear();
    return order;
  }
}
