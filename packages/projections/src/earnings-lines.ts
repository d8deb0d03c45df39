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

/** As many that changed are put in their places one by one; with more all are laid out anew. */
const fewChanged = 64;

/** Where the id stands among ordered ones, or would. */
const placeOf = (ids: readonly string[], id: string): number => {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] as string) < id) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Items in the order of their ids. */
class OrderedItems<Item> {
  readonly #ids: string[] = [];
  readonly #items: Item[] = [];

  all(): readonly Item[] {
    return this.#items.slice();
  }

  /** `id`: above all others. */
  push(id: string, item: Item): void {
    this.#ids.push(id);
    this.#items.push(item);
  }

  set(id: string, item: Item): void {
    const place = placeOf(this.#ids, id);
    const isThere = this.#ids[place] === id;
    this.#items.splice(place, isThere ? 1 : 0, item);
    if (!isThere) this.#ids.splice(place, 0, id);
  }

  delete(id: string): void {
    const place = placeOf(this.#ids, id);
    if (this.#ids[place] !== id) return;
    this.#ids.splice(place, 1);
    this.#items.splice(place, 1);
  }
}

/** All lines as they were judged, with their sums in kopecks. */
class LaidLines<Counted, LeftOut> {
  readonly counted = new OrderedItems<Counted>();
  readonly leftOut = new OrderedItems<LeftOut>();
  readonly sums = { spent: 0, count: 0, base: 0, zeroCount: 0, zeroPrice: 0 };
  readonly #ofResult: boolean;

  constructor({ terms }: Basis) {
    this.#ofResult = schemeOf(terms) === 'result';
  }

  /** `sign`: 1 = the line comes, -1 = it goes. */
  add({ price, leads, counted }: Judged<Counted, LeftOut>, sign: 1 | -1): void {
    const { sums } = this;
    sums.spent += sign * price;
    if (counted === null) return;
    sums.count += sign;
    sums.base += sign * price;
    if (!this.#ofResult || leads > 0) return;
    sums.zeroCount += sign;
    sums.zeroPrice += sign * price;
  }

  /** Puts a line in the place of what it was. */
  change(id: string, before: Judged<Counted, LeftOut> | undefined, after: Judged<Counted, LeftOut> | undefined): void {
    if (before !== undefined) this.add(before, -1);
    if (after !== undefined) this.add(after, 1);
    const [counted, leftOut] = [after?.counted ?? null, after?.leftOut ?? null];
    if (counted !== null) this.counted.set(id, counted);
    else if (before !== undefined && before.counted !== null) this.counted.delete(id);
    if (leftOut !== null) this.leftOut.set(id, leftOut);
    else if (before !== undefined && before.leftOut !== null) this.leftOut.delete(id);
  }
}

/**
 * One person's placements in one campaign as lines of their earnings. Nothing is stored of a line but its placement: what it counts for is
 * said by the terms and the switch. A line that is the same as the last time is the same object in what is made of them, and only those that
 * changed cost anything.
 */
export class EarningsLines<Counted, LeftOut> {
  readonly #forms: LineForms<Counted, LeftOut>;
  readonly #lines = new Map<string, Line>();
  /** How lines were judged under `#basis`, by id. */
  readonly #judged = new Map<string, Judged<Counted, LeftOut>>();
  /** Those that are to be judged, or went. */
  readonly #open = new Set<string>();
  /** Null: they are to be laid out anew. */
  #laid: LaidLines<Counted, LeftOut> | null = null;
  #basis: Basis | null = null;

  constructor(forms: LineForms<Counted, LeftOut>) {
    this.#forms = forms;
  }

  /** The placement as it is now. */
  set({ id, price, leads }: Pick<PlacementRow, 'id' | 'price' | 'leads'>): void {
    const before = this.#lines.get(id);
    if (before?.price === price && before.leads === leads) return;
    this.#lines.set(id, { placementId: id, price, leads });
    this.#open.add(id);
  }

  /** The person has it no more. */
  remove(id: string): void {
    if (this.#lines.delete(id)) this.#open.add(id);
  }

  /** What `earningsOf` says of all lines under the terms and the switch of the row. They are to stay as they are until it resolves. */
  async told(row: EarningsRow): Promise<EarningsByLine<Counted, LeftOut>> {
    const yieldIfDue = createYielder();
    const { campaignId, userId, terms, budget, countZeroLeads } = row;
    const basis = { terms, countZeroLeads };
    this.#judgeBy(basis);
    if (this.#open.size > fewChanged) this.#laid = null;
    await this.#judgeOpen(basis, yieldIfDue);
    this.#laid ??= await this.#layOut(basis, yieldIfDue);
    const { counted, leftOut, sums } = this.#laid;
    return {
      campaignId,
      userId,
      terms,
      budget,
      spent: kopecks(sums.spent),
      earnings: percentOf(kopecks(sums.base), terms.salaryRate),
      countedTotal: { count: sums.count, price: kopecks(sums.base) },
      zeroLeads: { count: sums.zeroCount, price: kopecks(sums.zeroPrice) },
      counted: counted.all(),
      leftOut: leftOut.all(),
    };
  }

  /** What was judged otherwise than it would be now is judged again: after the switch only the lines that it is about. */
  #judgeBy(next: Basis): void {
    const basis = this.#basis;
    const same = basis !== null && sameTerms(basis.terms, next.terms);
    if (!same) this.#laid = null;
    if (!same || basis.countZeroLeads !== next.countZeroLeads)
      for (const [id, { leads }] of this.#lines) if (!same || leads === 0) this.#open.add(id);
    this.#basis = next;
  }

  /** Many at once: what the terms say is then worked out once for them all. */
  async #judgeOpen({ terms, countZeroLeads }: Basis, yieldIfDue: () => Promise<void>): Promise<void> {
    const ids = [...this.#open];
    for (let from = 0; from < ids.length; from += slice) {
      const some = ids.slice(from, from + slice);
      const there = some.map((id) => this.#lines.get(id)).filter((line) => line !== undefined);
      const told = earningsOf(terms, there, { countZeroLeads });
      const judged = new Map<string, Judged<Counted, LeftOut>>();
      for (const line of told.counted) {
        const { placementId, price, leads } = line;
        judged.set(placementId, { price, leads, counted: this.#forms.counted(line), leftOut: null });
      }
      for (const line of told.leftOut) {
        const { placementId, price, leads } = line;
        judged.set(placementId, { price, leads, counted: null, leftOut: this.#forms.leftOut(line) });
      }
      for (const id of some) this.#settle(id, judged.get(id));
      await yieldIfDue();
    }
    this.#open.clear();
  }

  /** `after`: undefined = the line went. */
  #settle(id: string, after: Judged<Counted, LeftOut> | undefined): void {
    this.#laid?.change(id, this.#judged.get(id), after);
    if (after === undefined) this.#judged.delete(id);
    else this.#judged.set(id, after);
  }

  async #layOut(basis: Basis, yieldIfDue: () => Promise<void>): Promise<LaidLines<Counted, LeftOut>> {
    const laid = new LaidLines<Counted, LeftOut>(basis);
    const ids = await sortYielding([...this.#judged.keys()], byText, yieldIfDue);
    for (const [index, id] of ids.entries()) {
      if (index % slice === 0) await yieldIfDue();
      const one = this.#judged.get(id);
      if (one === undefined) continue;
      laid.add(one, 1);
      if (one.counted !== null) laid.counted.push(id, one.counted);
      if (one.leftOut !== null) laid.leftOut.push(id, one.leftOut);
    }
    return laid;
  }
}
