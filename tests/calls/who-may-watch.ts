import type { DocKind } from '@zakup/contracts/wire-entities';
import type { Scope } from '@zakup/gateway/live/scope';
import type { Asker } from './who-may.ts';

export type ScopeKind = Scope['kind'];

export interface WhoMayWatch {
  /** Whom their role opens it to. */
  readonly who: readonly Asker[];
  /** Whether a person's own permissions object without the dashboard closes it. */
  readonly needsDashboard: boolean;
  /** What somebody of another licence gets who asks for it by the same name. */
  readonly foreign: 'theirs' | 'NOT_FOUND';
}

/** In which scopes documents of a kind come, and to whom. */
export interface WhoGets {
  readonly scopes: readonly ScopeKind[];
  readonly who: readonly Asker[];
  /** Who still gets them there while earnings are hidden; the others get their own in `me`. Absent = hiding changes nothing. */
  readonly whileHidden?: readonly Asker[];
}

const all: readonly Asker[] = ['OWNER', 'CEO', 'CBDO', 'TEAM_LEAD', 'MEDIA_BUYER', 'ANALYTIC'];
const leaders: readonly Asker[] = ['OWNER', 'CEO', 'CBDO', 'TEAM_LEAD'];
/** Those who may add placements. */
const buyers: readonly Asker[] = [...leaders, 'MEDIA_BUYER'];
const readers: readonly Asker[] = [...leaders, 'ANALYTIC'];

/**
 * Who may look at what as it changes, as the product promises it: written by hand, so that what the code decides is compared with something.
 * A scope without a row does not compile.
 */
export const whoMayWatch: Readonly<Record<ScopeKind, WhoMayWatch>> = {
  workspace: { who: all, needsDashboard: true, foreign: 'theirs' },
  campaign: { who: all, needsDashboard: true, foreign: 'NOT_FOUND' },
  contractor: { who: all, needsDashboard: true, foreign: 'NOT_FOUND' },
  me: { who: all, needsDashboard: false, foreign: 'theirs' },
};

/** Where documents of each kind come, and to whom: a kind without a row does not compile, and one that comes elsewhere fails. */
export const whoGets: Readonly<Record<DocKind, WhoGets>> = {
  license: { scopes: ['workspace'], who: all },
  user: { scopes: ['workspace', 'me'], who: all },
  person: { scopes: ['workspace'], who: leaders },
  channel: { scopes: ['workspace'], who: all },
  campaign: { scopes: ['workspace', 'campaign'], who: all },
  creative: { scopes: ['workspace'], who: all },
  contractor: { scopes: ['workspace', 'campaign', 'contractor'], who: all },
  note: { scopes: ['contractor'], who: all },
  placement: { scopes: ['campaign', 'contractor'], who: all },
  analytics: { scopes: ['campaign'], who: all },
  earnings: { scopes: ['campaign'], who: all, whileHidden: readers },
  session: { scopes: ['me'], who: all },
  notification: { scopes: ['me'], who: all },
  import: { scopes: ['me'], who: buyers },
  view: { scopes: ['workspace', 'me'], who: all },
};
