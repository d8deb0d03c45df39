import type { Problem } from '@zakup/contracts/problems';
import { changeViewRequest, saveViewRequest } from '@zakup/contracts/requests/view.requests';
import { presentView } from '@zakup/contracts/to-wire';
import { messages } from '@zakup/domain/messages';
import { may, type Person } from '@zakup/domain/permissions';
import type { SavedViewEvent } from '@zakup/domain/views/events';
import { savedViewEntity, savedViewsDecider } from '@zakup/domain/views/saved-views.decider';
import type { SavedView, SavedViews } from '@zakup/domain/views/state';
import { isTeamView, viewIdOf, viewStreamOf } from '@zakup/domain/views/view-stream';
import { Router } from 'express';
import { decideOn } from '../pipeline/decide-on.ts';
import { streamOf } from '../pipeline/ids.ts';
import { mergeWith } from '../pipeline/merge-conflicts.ts';
import type { PipelineDeps } from '../pipeline/pipeline-deps.ts';
import { definedOf, denied, parseBody } from '../pipeline/requests.ts';
import { type PerRequest, type TenantCommand, tenantRoute } from '../pipeline/tenant-command.ts';
import type { TenantContext } from '../pipeline/tenant-context.ts';

type ViewCommand = TenantCommand<SavedViews, SavedViewEvent>;

/** Views of the table under names: TABLE-38, TABLE-39. */
export const viewRoutes = (deps: PipelineDeps): Router => {
  const router = Router();
  router.post('/views', tenantRoute(deps, saveView));
  router.put('/views/:id', tenantRoute(deps, changeView(deps)));
  router.delete('/views/:id', tenantRoute(deps, deleteView));
  return router;
};

const isShared = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && (body as { readonly shared?: unknown }).shared === true;

/** Of the view of the path, for whoever names it. */
const target: ViewCommand['target'] = ({ params, userId }) => ({
  entity: savedViewsDecider,
  id: viewStreamOf(params['id'] ?? '', userId),
});

const viewIn = (state: SavedViews | null, viewId: string): object => {
  const view = state?.views.find(({ id }) => id === viewId);
  if (view === undefined) throw new Error(`There is no view ${viewId} to answer with`);
  return { view: presentView({ ...view, shared: isTeamView(viewId) }) };
};

const saveView: ViewCommand = {
  target: ({ body, userId, newId }) => ({
    entity: savedViewsDecider,
    id: viewStreamOf(viewIdOf(newId('view'), isShared(body)), userId),
  }),

  async decide(context, id) {
    const shared = isShared(context.body);
    const refused = denied(may(context.person, shared ? 'teamView.add' : 'profile.change'));
    if (refused !== null) return refused;
    const parsed = parseBody(saveViewRequest, context.body);
    if (parsed.kind === 'refused') return parsed.problem;
    const { name, query } = parsed.body;
    const viewId = viewIdOf(context.newId('view'), shared);
    return decideOn(context, savedViewsDecider, id, { type: 'SaveView', viewId, name, query }, {});
  },

  answer({ target: { state }, events }) {
    const saved = events.find(({ type }) => type === 'ViewSaved');
    return viewIn(state, (saved?.data as { readonly viewId?: string } | undefined)?.viewId ?? '');
  },
};

/** Who may not, or what is not there. */
const refusedOn = async ({ person, params, session }: TenantContext, id: string): Promise<Problem | null> => {
  const viewId = params['id'] ?? '';
  const refused = mayOn(person, viewId, 'some');
  if (refused !== null) return refused;
  const { state } = await session.load(savedViewsDecider, id);
  const view = state?.views.find((one) => one.id === viewId);
  if (view === undefined) return { code: 'NOT_FOUND', message: messages.viewNotFound };
  return mayOn(person, viewId, { authorId: view.authorId });
};

const mayOn = (person: Person, viewId: string, subject: { readonly authorId: string } | 'some'): Problem | null =>
  denied(isTeamView(viewId) ? may(person, 'teamView.change', subject) : may(person, 'profile.change'));

/** Its reply tells the view of the path, also where nothing changed. */
const changeView =
  ({ eventStore }: PipelineDeps): PerRequest<SavedViews, SavedViewEvent> =>
  () => {
    let viewId = '';
    return {
      target(ids) {
        viewId = ids.params['id'] ?? '';
        return target(ids);
      },

      async decide(context, id) {
        const refused = await refusedOn(context, id);
        if (refused !== null) return refused;
        const parsed = parseBody(changeViewRequest, context.body);
        if (parsed.kind === 'refused') return parsed.problem;
        const { baseRevision, ...sent } = parsed.body;
        const at = {
          entity: savedViewEntity(viewId),
          stream: streamOf(savedViewsDecider.category, context.person.licence.id, id),
          loaded: await context.session.load(savedViewsDecider, id),
          isDeliberate: true as const,
        };
        const merged = await mergeWith(eventStore, context.session, at, baseRevision, definedOf(sent));
        if (merged.kind === 'refused') return merged.problem;
        const changes = merged.apply as Partial<Pick<SavedView, 'name' | 'query'>>;
        return decideOn(context, savedViewsDecider, id, { type: 'ChangeView', viewId, changes }, {});
      },

      answer: ({ target: { state } }) => viewIn(state, viewId),
    };
  };

const deleteView: ViewCommand = {
  target,

  async decide(context, id) {
    const refused = await refusedOn(context, id);
    if (refused !== null) return refused;
    return decideOn(context, savedViewsDecider, id, { type: 'DeleteView', viewId: context.params['id'] ?? '' }, {});
  },

  answer: () => ({}),
};
