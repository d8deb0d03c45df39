import type { CallName } from '@zakup/contracts/calls/calls';

/** Who asks: the licence's owner, somebody of the same role who does not own it, and the other roles. */
export const askers = ['OWNER', 'CEO', 'CBDO', 'TEAM_LEAD', 'MEDIA_BUYER', 'ANALYTIC'] as const;
export type Asker = (typeof askers)[number];

/** What a licence that is not in force leaves: an expired one all but changes, a suspended one the same to its owner alone. */
type Kind =
  /** A change: refused under both. */
  | 'change'
  /** A read, or what is one's own: open when expired; when suspended to the owner alone. */
  | 'read'
  /** One's own sessions: always open to whoever has one. */
  | 'session'
  /** One's own password and second factor, asked by somebody just hired: closed in a suspended licence. */
  | 'password';

export interface WhoMay {
  readonly who: 'everybody' | 'admin' | readonly Asker[];
  readonly kind: Kind;
  /** What somebody of another licence gets who names things of this one: nothing of it, in any case. */
  readonly foreign: 200 | 404 | 422;
  /** It changes placements: refused in a completed campaign. */
  readonly placements: boolean;
}

const leaders: readonly Asker[] = ['OWNER', 'CEO', 'CBDO', 'TEAM_LEAD'];
const buyers: readonly Asker[] = [...leaders, 'MEDIA_BUYER'];
const all: readonly Asker[] = askers;
const readers: readonly Asker[] = [...leaders, 'ANALYTIC'];
const owner: readonly Asker[] = ['OWNER'];

const row = (who: WhoMay['who'], kind: Kind, foreign: WhoMay['foreign'], more: 'placements' | '' = ''): WhoMay => ({
  who,
  kind,
  foreign,
  placements: more === 'placements',
});
const open = row('everybody', 'session', 200);
const admin = row('admin', 'session', 200);

/**
 * Who may call what, as the product promises it: written by hand, so that what the code decides is compared with something. A call without
 * a row does not compile, and fails the matrix.
 */
export const whoMay: Readonly<Record<CallName, WhoMay>> = {
  'POST /auth/employee-login': open,
  'POST /auth/ceo-login': open,
  'POST /auth/login-code': open,
  'POST /auth/second-factor': open,
  'POST /auth/second-factor/set-up': open,
  'POST /auth/second-factor/set-up/confirm': open,
  'POST /auth/refresh': open,
  'POST /licenses/request-code': open,
  'POST /licenses/activate-step1': open,
  'POST /licenses/activate-step2': open,
  'POST /licenses/activate': open,

  'GET /auth/session': row(all, 'read', 200),
  'GET /auth/sessions': row(all, 'read', 200),
  'DELETE /auth/sessions': row(all, 'session', 200),
  'DELETE /auth/sessions/{id}': row(all, 'session', 404),
  'GET /users/{id}/sessions': row(owner, 'read', 404),
  'DELETE /users/{id}/sessions': row(owner, 'read', 404),
  'DELETE /users/{id}/sessions/{session}': row(owner, 'read', 404),
  'POST /auth/logout': row(all, 'session', 200),
  'POST /auth/password': row(all, 'password', 422),
  'GET /auth/second-factor': row(all, 'read', 200),
  'POST /auth/second-factor/begin': row(all, 'password', 422),
  'POST /auth/second-factor/confirm': row(all, 'password', 422),
  'POST /auth/second-factor/off': row(all, 'password', 422),
  'POST /auth/second-factor/recovery-codes': row(all, 'password', 422),

  'GET /campaigns/{id}/placements': row(all, 'read', 404),
  'GET /campaigns/{id}/export': row(all, 'read', 404),
  'GET /placements/{id}': row(all, 'read', 404),
  'POST /placements': row(buyers, 'change', 422, 'placements'),
  'PATCH /placements/{id}': row(buyers, 'change', 404, 'placements'),
  'POST /placements/{id}/payment': row(buyers, 'change', 404, 'placements'),
  'DELETE /placements/{id}': row(buyers, 'change', 404, 'placements'),
  'POST /placements/{id}/restore': row(buyers, 'change', 404, 'placements'),
  'POST /placements/batch': row(buyers, 'change', 200, 'placements'),
  'POST /campaigns/{id}/import': row(buyers, 'change', 404, 'placements'),
  'GET /imports': row(all, 'read', 200),
  'GET /imports/{id}': row(all, 'read', 404),
  'DELETE /imports/{id}': row(buyers, 'change', 404),
  'POST /undo': row(all, 'change', 404, 'placements'),

  'GET /placements/{id}/history': row(all, 'read', 404),
  'GET /timeline': row(all, 'read', 200),
  'GET /audit': row(readers, 'read', 200),
  'GET /audit/{position}/moves': row(readers, 'read', 404),
  'GET /campaigns/{id}/events': row(readers, 'read', 404),

  'GET /campaigns': row(all, 'read', 200),
  'POST /campaigns': row(leaders, 'change', 404),
  'POST /campaigns/create-safe': row(leaders, 'change', 422),
  'PUT /campaigns/{id}': row(leaders, 'change', 404),
  'DELETE /campaigns/{id}': row(leaders, 'change', 404),
  'POST /campaigns/{id}/complete': row(leaders, 'change', 404),
  'POST /campaigns/{id}/reopen': row(leaders, 'change', 404),
  'POST /campaigns/{id}/restore': row(leaders, 'change', 404),
  'GET /campaigns/{id}/analytics': row(all, 'read', 404),
  'GET /campaigns/{id}/earnings': row(all, 'read', 404),

  'GET /channels': row(all, 'read', 200),
  'POST /channels': row(leaders, 'change', 200),
  'PUT /channels/{id}': row(leaders, 'change', 404),
  'DELETE /channels/{id}': row(leaders, 'change', 404),

  'GET /creatives': row(all, 'read', 200),
  'GET /creatives/{id}/results': row(all, 'read', 404),
  'POST /creatives': row(leaders, 'change', 200),
  'PUT /creatives/{id}': row(leaders, 'change', 404),
  'DELETE /creatives/{id}': row(leaders, 'change', 404),

  'GET /contractors': row(all, 'read', 200),
  'GET /contractors/{id}': row(all, 'read', 404),
  'POST /contractors': row(buyers, 'change', 200),
  'PUT /contractors/{id}': row(leaders, 'change', 404),
  'POST /contractors/{id}/merge': row(leaders, 'change', 404),
  'POST /contractors/{id}/notes': row(all, 'change', 404),
  'DELETE /contractors/{id}/notes/{noteId}': row(all, 'change', 404),

  'GET /users': row(all, 'read', 200),
  'GET /users/activity': row(leaders, 'read', 200),
  'POST /employees/create': row(leaders, 'change', 200),
  'PUT /users/{id}': row(leaders, 'change', 404),
  'DELETE /users/{id}': row(leaders, 'change', 404),
  'POST /users/{id}/reissue-code': row(leaders, 'change', 404),
  'POST /users/{id}/temporary-password': row(leaders, 'change', 404),
  'GET /users/{id}/second-factor': row(leaders, 'read', 404),
  'DELETE /users/{id}/second-factor': row(leaders, 'change', 404),

  'GET /reports/salary': row([...leaders, 'ANALYTIC'], 'read', 200),
  'GET /reports/salary/events': row([...leaders, 'ANALYTIC'], 'read', 200),
  'GET /reports/salary/lineage': row([...leaders, 'ANALYTIC'], 'read', 200),
  'GET /reports/salary/lineage/export': row([...leaders, 'ANALYTIC'], 'read', 200),
  'GET /campaigns/{id}/lineage': row(all, 'read', 404),
  'GET /campaigns/{id}/lineage/export': row(all, 'read', 404),
  'GET /contractors/{id}/lineage': row(all, 'read', 404),
  'GET /creatives/{id}/lineage': row(all, 'read', 404),
  'GET /creatives/{id}/lineage/export': row(all, 'read', 404),
  'GET /contractors/{id}/lineage/export': row(all, 'read', 404),
  'GET /license/lineage': row(all, 'read', 200),
  'GET /license/lineage/export': row(all, 'read', 200),
  'GET /profile/statement': row(all, 'read', 200),

  'GET /search': row(all, 'read', 200),

  'GET /views': row(all, 'read', 200),
  'POST /views': row(all, 'read', 200),
  'PUT /views/{id}': row(all, 'read', 404),
  'DELETE /views/{id}': row(all, 'read', 404),

  'GET /notifications': row(all, 'read', 200),
  'POST /notifications/read': row(all, 'read', 200),

  'GET /keys': row(owner, 'read', 200),
  'POST /keys': row(owner, 'read', 200),
  'DELETE /keys/{id}': row(owner, 'read', 404),

  'GET /webhooks': row(owner, 'read', 200),
  'POST /webhooks': row(owner, 'read', 200),
  'PUT /webhooks/{id}': row(owner, 'read', 404),
  'DELETE /webhooks/{id}': row(owner, 'read', 404),
  'GET /webhooks/{id}/deliveries': row(owner, 'read', 404),
  'POST /webhooks/{id}/deliveries/{position}/resend': row(owner, 'read', 404),
  'POST /webhooks/{id}/replay': row(owner, 'read', 404),
  'POST /webhooks/{id}/test': row(owner, 'read', 404),

  'GET /license': row(all, 'read', 200),
  'GET /license/history-bundle': row(readers, 'read', 200),
  'GET /license/export': row(owner, 'read', 200),
  'PUT /license/settings': row(leaders, 'change', 200),
  'POST /license/renewal-request': row(owner, 'read', 200),
  'POST /license/close': row(owner, 'read', 200),
  'POST /license/close/cancel': row(owner, 'read', 200),

  'POST /admin/login': open,
  'POST /admin/logout': admin,
  'POST /admin/second-factor': open,
  'GET /admin/second-factor': admin,
  'POST /admin/second-factor/begin': admin,
  'POST /admin/second-factor/confirm': admin,
  'POST /admin/second-factor/off': admin,
  'POST /admin/second-factor/recovery-codes': admin,
  'GET /admin/licenses': admin,
  'POST /admin/licenses': admin,
  'POST /admin/licenses/{id}/code': admin,
  'POST /admin/licenses/{id}/renew': admin,
  'POST /admin/licenses/{id}/suspend': admin,
  'POST /admin/licenses/{id}/resume': admin,
  'POST /admin/licenses/{id}/second-factor/reset': admin,
  'POST /admin/rebuild': admin,
  'POST /admin/backup': admin,
  'GET /admin/sign-ins': admin,
  'GET /admin/health': admin,

  'GET /openapi.json': open,
  'GET /docs': open,
  'GET /docs/{file}': open,
};
