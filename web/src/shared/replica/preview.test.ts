import type { Change } from '@zakup/contracts/socket';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { memoryReplica, type Replica } from './replica.ts';

const campaign = 'campaign:1';
const preview = 'preview:rows:1';
const ids = ['a', 'b', 'c', 'd', 'e', 'f'];

/** What the log says: by position, which document it changed and whether it went. */
interface Event {
  readonly id: string;
  readonly isGone: boolean;
}
const event = fc.record({ id: fc.constantFrom(...ids), isGone: fc.boolean() });

const contentAt = (log: readonly Event[], position: number): readonly Change[] => {
  const content = new Map<string, Change>();
  log.slice(0, position).forEach(({ id, isGone }, index) => {
    const name = `v${index + 1}`;
    content.set(id, { kind: 'channel', id, position: index + 1, doc: isGone ? null : { id, name } });
  });
  return [...content.values()].filter(({ doc }) => doc !== null);
};
const changeAt = (log: readonly Event[], position: number): Change => {
  const { id, isGone } = log[position - 1] as Event;
  return { kind: 'channel', id, position, doc: isGone ? null : { id, name: `v${position}` } };
};

const shown = (replica: Replica, scope?: string): readonly string[] =>
  replica
    .all('channel', scope)
    .map(({ id, name }) => `${id}=${name}`)
    .sort();
const told = (content: readonly Change[]): readonly string[] =>
  content.map(({ id, position }) => `${id}=v${position}`).sort();

const scenario = fc.record({
  log: fc.array(event, { minLength: 1, maxLength: 30 }),
  /** Where of the log the load stands, the preview, and what a contractor's scope brought; in thousandths. */
  at: fc.record({
    load: fc.integer({ min: 0, max: 1000 }),
    previews: fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 3 }),
    elsewhere: fc.integer({ min: 0, max: 1000 }),
  }),
  /** How the load is cut and in which order it comes. */
  order: fc.array(fc.integer(), { minLength: ids.length, maxLength: ids.length }),
  slice: fc.integer({ min: 1, max: 3 }),
  /** When, in messages of the load, the line breaks; more than there are = never. */
  breaks: fc.integer({ min: 0, max: 8 }),
  /** Before which message of the campaign each preview comes, and when the last one is given up. */
  moments: fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 5, maxLength: 5 }),
});

it('FST-2270 a preview at any moment of a load, a broken line and changes in between leave what the load alone would', () => {
  fc.assert(
    fc.property(scenario, ({ log, at, order, slice, breaks, moments }) => {
      const part = (thousandths: number): number => Math.round((thousandths * log.length) / 1000);
      const replica = memoryReplica();
      const loadAt = part(at.load);
      const content = contentAt(log, loadAt).toSorted(
        (a, b) => (order[ids.indexOf(a.id)] ?? 0) - (order[ids.indexOf(b.id)] ?? 0),
      );
      const slices = Array.from({ length: Math.max(1, Math.ceil(content.length / slice)) }, (_, index) =>
        content.slice(index * slice, (index + 1) * slice),
      );
      const messages = slices.map((docs, index) => () => {
        replica.apply({ scope: campaign, position: loadAt, docs, last: index === slices.length - 1 });
      });
      const broken = messages.slice(0, Math.min(breaks, messages.length - 1));
      const cut = (): void => {
        replica.abandonPartial(campaign);
        replica.ask(campaign);
      };
      const live = log.slice(loadAt).map((_, index) => () => {
        const position = loadAt + index + 1;
        replica.apply({ scope: campaign, position, docs: [changeAt(log, position)], last: true });
      });
      const steps = [() => replica.ask(campaign), ...broken, ...(broken.length > 0 ? [cut] : []), ...messages, ...live];
      const previews = at.previews.map((thousandths) => () => {
        const docs = contentAt(log, part(thousandths)).slice(0, 3);
        replica.forget(preview);
        replica.apply({ scope: preview, position: 0, docs: docs.map((one) => ({ ...one, position: 0 })), last: true });
        // Whoever looks only at the preview sees all of it, no older than it is.
        expect(replica.all('channel', preview)).toHaveLength(docs.length);
      });
      const elsewhere = () => {
        const position = part(at.elsewhere);
        replica.apply({ scope: 'contractor:1', position, docs: contentAt(log, position).slice(0, 2), last: true });
        replica.forget('contractor:1');
      };
      const extra = [...previews, elsewhere];
      const [end = 0, ...whens] = moments;
      const lastPreview = Math.max(...previews.map((_, index) => whens[index] ?? 0));
      const isOver = () => replica.forget(preview);
      for (let index = 0; index <= 13; index += 1) {
        extra.forEach((run, place) => {
          if ((whens[place] ?? 0) === index) run();
        });
        if (index === Math.max(end, lastPreview)) isOver();
        steps[index]?.();
      }
      steps.slice(14).forEach((run) => run());
      expect(shown(replica, campaign)).toEqual(told(contentAt(log, log.length)));
      expect(shown(replica)).toEqual(told(contentAt(log, log.length)));
      expect(replica.position(campaign)).toBe(log.length);
      replica.forget(campaign);
      expect(shown(replica)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

it('FST-2271 a preview settles nothing that was changed: it stands at no position of the log', () => {
  const replica = memoryReplica();
  replica.apply({
    scope: preview,
    position: 0,
    docs: [{ kind: 'channel', id: 'a', position: 0, doc: { id: 'a', name: 'v5' } }],
    last: true,
  });
  expect(shown(replica)).toEqual(['a=v5']);
  expect(replica.seen('channel', 'a')).toBeLessThan(1);
  expect(replica.position(campaign)).toBeNull();
  expect(replica.drawn(campaign)).toBe(false);
});
