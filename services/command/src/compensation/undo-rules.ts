import type { Problem } from '@zakup/contracts/problems';
import { campaignDecider } from '@zakup/domain/campaign/campaign.decider';
import { campaignUndo } from '@zakup/domain/campaign/campaign.undo';
import type { Category } from '@zakup/domain/catalog';
import { channelDecider } from '@zakup/domain/channel/channel.decider';
import { channelUndo } from '@zakup/domain/channel/channel.undo';
import { contractorDecider } from '@zakup/domain/contractor/contractor.decider';
import { contractorUndo } from '@zakup/domain/contractor/contractor.undo';
import { isReceived, nicksOf } from '@zakup/domain/contractor/nicks';
import type { Contractor } from '@zakup/domain/contractor/state';
import { creativeUndo } from '@zakup/domain/creative/creative.undo';
import { messages } from '@zakup/domain/messages';
import { may, type Verdict } from '@zakup/domain/permissions';
import { placementUndo } from '@zakup/domain/placement/placement.undo';
import { savedViewsUndo } from '@zakup/domain/views/saved-views.undo';
import { isTeamView } from '@zakup/domain/views/view-stream';
import { tellingChannels } from '../campaign/campaign-in-channel.ts';
import { receiversInConflict } from '../contractor/contractor-alias.ts';
import { moveNicks } from '../contractor/contractor-nicks.ts';
import { claim, release } from '../pipeline/reservations.ts';
import type { TenantContext } from '../pipeline/tenant-context.ts';
import { undoOf, type WaysBack } from './stream-undo.ts';

const placement = undoOf({
  entity: placementUndo,

  rights({ person }, { before, current }, touched) {
    const { buyerId } = current;
    if (before === null) return [may(person, 'placement.remove', { buyerId })];
    const verdicts: Verdict[] = [];
    if (touched.includes('deleted'))
      verdicts.push(may(person, before.removed ? 'placement.remove' : 'placement.restore', { buyerId }));
    if (touched.some((field) => field !== 'deleted')) {
      const newBuyerId = touched.includes('buyerId') ? before.buyerId : buyerId;
      verdicts.push(may(person, 'placement.change', { buyerId, newBuyerId }));
    }
    return verdicts;
  },
  rightsBy: 'buyerId',

  facts: async ({ session }, { current }) => ({
    campaign: (await session.load(campaignDecider, current.campaignId)).state,
  }),

  closed({ campaign }) {
    if (campaign === null || campaign.deleted) return { code: 'NOT_FOUND', message: messages.placementNotFound };
    return campaign.status === 'COMPLETED' ? { code: 'CAMPAIGN_COMPLETED', message: messages.campaignCompleted } : null;
  },

  seen: receiversInConflict,
});

const campaign = undoOf({
  entity: campaignUndo,

  rights({ person }, { before, current }, touched) {
    if (before === null) return [may(person, 'campaign.remove')];
    const verdicts: Verdict[] = [];
    if (touched.includes('deleted'))
      verdicts.push(may(person, before.deleted ? 'campaign.remove' : 'campaign.restore'));
    if (touched.includes('status') && before.status !== current.status)
      verdicts.push(may(person, before.status === 'COMPLETED' ? 'campaign.complete' : 'campaign.reopen'));
    if (touched.some((field) => field !== 'deleted' && field !== 'status'))
      verdicts.push(may(person, 'campaign.change'));
    return verdicts;
  },

  async facts({ session }, { before, current }, touched) {
    const { channelId } = before !== null && touched.includes('channelId') ? before : current;
    return { channel: (await session.load(channelDecider, channelId)).state };
  },

  around: (context, id, _change, emit) =>
    tellingChannels(context, id, async () => {
      emit();
      return null;
    }),
});

const channel = undoOf({
  entity: channelUndo,

  rights({ person }, { before }, touched) {
    if (before === null) return [may(person, 'channel.remove')];
    const verdicts: Verdict[] = [];
    if (touched.includes('deleted')) verdicts.push(may(person, before.deleted ? 'channel.remove' : 'channel.create'));
    if (touched.some((field) => field !== 'deleted')) verdicts.push(may(person, 'channel.change'));
    return verdicts;
  },

  async facts({ session }, { current }) {
    const campaignNames: string[] = [];
    for (const id of current.campaigns) campaignNames.push((await session.load(campaignDecider, id)).state?.name ?? id);
    return { campaignNames };
  },
});

const creative = undoOf({
  entity: creativeUndo,

  rights({ person }, { before }, touched) {
    if (before === null) return [may(person, 'creative.remove')];
    const verdicts: Verdict[] = [];
    if (touched.includes('isActive') && !before.isActive) verdicts.push(may(person, 'creative.remove'));
    if (touched.some((field) => field !== 'isActive') || before.isActive) verdicts.push(may(person, 'creative.change'));
    return verdicts;
  },

  facts: async () => ({}),
});

const contractor = undoOf({
  entity: contractorUndo,

  rights({ person }, { before, after }, touched) {
    if (before === null) return [may(person, 'contractor.deactivate')];
    // The notes that came with a merge go back with it.
    if (touched.some((field) => field === 'mergedInto' || field.startsWith('merged/')))
      return [may(person, 'contractor.merge')];
    return touched.map((field) => {
      if (field === 'isActive' && !before.isActive) return may(person, 'contractor.deactivate');
      if (!field.startsWith('notes/')) return may(person, 'contractor.change');
      const added = after.notes.find(({ id }) => field === `notes/${id}`);
      return added === undefined ? may(person, 'note.add') : may(person, 'note.remove', { authorId: added.authorId });
    });
  },

  async facts({ session, person }, { before }) {
    const intoId = before?.mergedInto;
    const into = intoId === undefined ? null : (await session.load(contractorDecider, intoId)).state;
    return { actor: { id: person.userId, role: person.role }, into };
  },

  async around(context, id, { past: { current }, events }, emit) {
    const { session, person } = context;
    const licenceId = person.licence.id;
    const nick = (value: string) => ({ category: 'nick', licenceId, value }) as const;
    for (const event of events) {
      if (event.type === 'ContractorSeparated') return separated(context, id, current, event.data.fromId, emit);
      if (event.type === 'ContractorMerged') {
        const taken = await moveNicks(context, nicksOf(current), id, event.data.intoId);
        if (taken !== null) return taken;
      }
      if (event.type !== 'ContractorRenamed' || event.data.nick === current.nick) continue;
      const taken = await claim(session, nick(event.data.nick), { licenceId, id });
      if (taken !== null) return { code: 'DUPLICATE', message: messages.nickTaken };
      if (!isReceived(current, current.nick)) await release(session, nick(current.nick), { licenceId, id });
    }
    emit();
    return null;
  },
});

/** A merge that is undone gives the nicks back, unless the other one goes by one of them now; a note that was deleted meanwhile stays so. */
const separated = async (
  context: TenantContext,
  id: string,
  current: Contractor,
  fromId: string,
  emit: () => void,
): Promise<Problem | null> => {
  const { session } = context;
  const from = (await session.load(contractorDecider, fromId)).state;
  if (from !== null && nicksOf(current).includes(from.nick)) return { code: 'DUPLICATE', message: messages.nickTaken };
  const taken = await moveNicks(context, nicksOf(current), fromId, id);
  if (taken !== null) return taken;
  emit();
  const kept = new Set(from?.notes.map((note) => note.id));
  const deleted = current.notes.filter((note) => !kept.has(note.id));
  session.emit(
    contractorDecider,
    id,
    deleted.map((note) => ({ type: 'ContractorNoteRemoved', data: { noteId: note.id } })),
  );
  return null;
};

const views = undoOf({
  entity: savedViewsUndo,

  rights: ({ person }, { events, after, current }) =>
    events.map(({ event, actorId }) => {
      const { viewId } = event.data;
      const known = [...current.views, ...after.views].find(({ id }) => id === viewId);
      const authorId = known?.authorId ?? ('authorId' in event.data ? event.data.authorId : undefined) ?? actorId;
      if (isTeamView(viewId)) return may(person, 'teamView.change', { authorId });
      // One's own are nobody else's, whoever leads.
      const own = may(person, 'profile.change');
      return authorId === person.userId
        ? own
        : { allowed: false, code: 'ACCESS_DENIED', message: messages.accessDenied };
    }),

  facts: async () => ({}),
});

/** What becomes of a command's events in each kind of stream: undone; left, as they follow from others; or why nothing of the command is (UNDO-5). */
export const undoRules: Readonly<
  Record<Category, WaysBack | 'follows' | { readonly kind: 'refused'; readonly refused: string }>
> = {
  placement,
  campaign,
  channel,
  creative,
  contractor,
  nick: 'follows',
  employee: { kind: 'refused', refused: messages.peopleNotUndone },
  email: { kind: 'refused', refused: messages.peopleNotUndone },
  authcode: { kind: 'refused', refused: messages.peopleNotUndone },
  chosencode: { kind: 'refused', refused: messages.peopleNotUndone },
  licence: { kind: 'refused', refused: messages.licenceNotUndone },
  licencekey: { kind: 'refused', refused: messages.licenceNotUndone },
  activation: { kind: 'refused', refused: messages.licenceNotUndone },
  keys: { kind: 'refused', refused: messages.licenceNotUndone },
  webhooks: { kind: 'refused', refused: messages.licenceNotUndone },
  access: { kind: 'refused', refused: messages.peopleNotUndone },
  preferences: 'follows',
  views,
  import: 'follows',
  importlane: 'follows',
};
