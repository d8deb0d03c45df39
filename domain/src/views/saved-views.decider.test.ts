import { describe, expect, it } from 'vitest';
import { catalogEntry } from '../catalog.ts';
import { accept, reject, rejectField } from '../decider.ts';
import { messages } from '../messages.ts';
import { firstInstant, given } from '../testing/given.ts';
import type { SavedViewEvent } from './events.ts';
import { savedViewsDecider } from './saved-views.decider.ts';
import { savedViewsUndo } from './saved-views.undo.ts';
import { isTeamView, viewIdOf, viewStreamOf } from './view-stream.ts';

const views = given(savedViewsDecider);
const query = 'payment=unpaid&sort=-date';
const saved = (viewId: string, name: string): SavedViewEvent => ({ type: 'ViewSaved', data: { viewId, name, query } });
const save = (viewId: string, name: string) => ({ type: 'SaveView', viewId, name, query }) as const;
const change = (viewId: string, changes: { readonly name?: string; readonly query?: string }) =>
  ({ type: 'ChangeView', viewId, changes }) as const;

describe('saved views', () => {
  it('VIW-2341 a view is saved under a trimmed name of 1 to 60 characters, with who saved it and when', () => {
    expect(views().when(save('a', '  К оплате '), {})).toEqual(accept(saved('a', 'К оплате')));
    expect(views(saved('a', 'К оплате')).state).toEqual({
      views: [
        {
          id: 'a',
          name: 'К оплате',
          query,
          authorId: 'anna',
          createdAt: firstInstant,
          updatedAt: firstInstant,
          revision: 0,
        },
      ],
    });
    expect(views().when(save('a', 'x'.repeat(60)), {}).kind).toBe('accepted');
    for (const name of ['', '   ', 'x'.repeat(61), 'две\nстроки', '\u200B'])
      expect(views().when(save('a', name), {})).toEqual(rejectField('/name', messages.viewNameInvalid));
  });

  it('VIW-2342 no two views have the same name, whatever its case, blanks and ё; its own name is no other one', () => {
    const two = views(saved('a', 'К оплате'), saved('b', 'Ещё не вышли'));
    for (const name of ['к  ОПЛАТЕ', 'Еще не вышли'])
      expect(two.when(save('c', name), {})).toEqual(reject('DUPLICATE', messages.viewNameTaken));
    expect(two.when(change('a', { name: 'ещё НЕ вышли' }), {})).toEqual(reject('DUPLICATE', messages.viewNameTaken));
    expect(two.when(change('a', { name: 'К ОПЛАТЕ' }), {})).toEqual(
      accept({ type: 'ViewRenamed', data: { viewId: 'a', name: 'К ОПЛАТЕ' } }),
    );
  });

  it('VIW-2343 there are 50 at most; one that is deleted makes room', () => {
    const fifty = Array.from({ length: 50 }, (_, index) => saved(`v${index}`, `Вид ${index}`));
    expect(views(...fifty).when(save('more', 'Ещё один'), {})).toEqual(rejectField('', messages.tooManyViews));
    const room: SavedViewEvent = { type: 'ViewDeleted', data: { viewId: 'v7' } };
    expect(views(...fifty, room).when(save('more', 'Ещё один'), {}).kind).toBe('accepted');
  });

  it('VIW-2344 a change tells only what differs, and nothing is changed or deleted that is not there', () => {
    const one = views(saved('a', 'К оплате'));
    expect(one.when(change('a', { name: 'К оплате', query }), {})).toEqual(accept());
    expect(one.when(change('a', { query: 'sort=date' }), {})).toEqual(
      accept({ type: 'ViewQueryChanged', data: { viewId: 'a', query: 'sort=date' } }),
    );
    for (const command of [change('b', { name: 'Иначе' }), { type: 'DeleteView', viewId: 'b' } as const])
      expect(one.when(command, {})).toEqual(reject('NOT_FOUND', messages.viewNotFound));
  });

  it('VIW-2345 a deleted view comes back with its author and time, unless its name is taken by now', () => {
    const deleted: SavedViewEvent = { type: 'ViewDeleted', data: { viewId: 'a' } };
    const before = views(saved('a', 'К оплате')).state;
    const gone = views(saved('a', 'К оплате'), deleted).state;
    const taken = views(saved('a', 'К оплате'), deleted, saved('b', 'к оплате')).state;
    if (before === null || gone === null || taken === null) throw new Error('no views');
    const names = new Set(['views/a']);
    expect(savedViewsUndo.bringBack(names, before, gone, {})).toEqual(
      accept({
        type: 'ViewSaved',
        data: { viewId: 'a', name: 'К оплате', query, authorId: 'anna', createdAt: firstInstant },
      }),
    );
    expect(savedViewsUndo.bringBack(names, before, taken, {})).toEqual(reject('DUPLICATE', messages.viewNameTaken));
  });

  it('VIW-2346 the id of a view tells its stream, which another person never names', () => {
    const [own, team] = [viewIdOf('0123', false), viewIdOf('0123', true)];
    expect([isTeamView(own), isTeamView(team)]).toEqual([false, true]);
    expect([viewStreamOf(own, 'anna'), viewStreamOf(own, 'boris')]).toEqual(['anna', 'boris']);
    expect([viewStreamOf(team, 'anna'), viewStreamOf(team, 'boris')]).toEqual(['team', 'team']);
  });

  it('VIW-2347 a reader that shows entities to people may pass over all of it', () => {
    for (const type of ['ViewSaved', 'ViewRenamed', 'ViewQueryChanged', 'ViewDeleted'])
      expect([type, catalogEntry(type)?.ignorable]).toEqual([type, true]);
  });
});
