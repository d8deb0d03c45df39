import type { HistoryEntry } from '@zakup/contracts/history';
import { deletedField, type HistoryValue } from '@zakup/contracts/history-fields';
import { placementField, placementFieldNames } from '@zakup/contracts/placement-fields';
import { noCreative } from '@zakup/domain/placement/events';
import type { Method } from '../api/api-client.ts';
import type { Rights } from '../session/use-rights.ts';
import type { HistoryChangeWire } from './journal-labels.ts';

/** The change that gives a field the value of before. */
export interface SetBack {
  readonly method: Method;
  readonly path: string;
  readonly body: Readonly<Record<string, HistoryValue>>;
}

const put = (path: string, body: SetBack['body']): SetBack => ({ method: 'PUT', path, body });

const settable = {
  campaign: ['name', 'totalBudget', 'startDate', 'endDate', 'channelId'],
  channel: ['name', 'avatar'],
  creative: ['name', 'abbreviation', 'type', 'notes', 'isActive'],
  contractor: ['adminUsername', 'channelName', 'category', 'isActive'],
  user: ['name', 'email', 'role', 'isActive', 'salaryType', 'salaryRate', 'performanceThreshold'],
  license: [
    'buyersEditAll',
    'earningsVisible',
    'codeOnlyLogin',
    'secondFactorForAll',
    'changeGivenPasswords',
    'countZeroLeads',
    'leadValue',
  ],
} as const;
const nullable: ReadonlySet<string> = new Set([
  'startDate',
  'endDate',
  'avatar',
  'salaryType',
  'salaryRate',
  'performanceThreshold',
  ...placementFieldNames.filter((name) => placementField(name)?.nullable),
]);

const onPlacement = (id: string, { field, from, fromName }: HistoryChangeWire): SetBack | null => {
  const path = `/api/placements/${id}`;
  const patch = (body: SetBack['body']): SetBack => ({ method: 'PATCH', path, body });
  if (field === deletedField) return from === false ? { method: 'POST', path: `${path}/restore`, body: {} } : null;
  switch (placementField(field)?.undoable) {
    case 'change':
      return patch({ [field]: field === 'creativeId' && from === noCreative ? null : from });
    case 'nick':
      return fromName === undefined ? null : patch({ contractor: fromName });
    case 'payment':
      return { method: 'POST', path: `${path}/payment`, body: { paymentStatus: from } };
    case null:
    case undefined:
      return null;
  }
};

/** How this one field goes back by an ordinary change; null where only undoing the whole command does. */
export const setBackOf = (
  { entity: { kind, id } }: Pick<HistoryEntry, 'entity'>,
  change: HistoryChangeWire,
): SetBack | null => {
  const { field, from, hidden } = change;
  if (hidden || (from === null && !nullable.has(field))) return null;
  const has = (fields: readonly string[]): boolean => fields.includes(field);
  switch (kind) {
    case 'placement':
      return onPlacement(id, change);
    case 'campaign':
      if (field === 'deleted' && from === false)
        return { method: 'POST', path: `/api/campaigns/${id}/restore`, body: {} };
      return has(settable.campaign) ? put(`/api/campaigns/${id}`, { [field]: from }) : null;
    case 'channel':
      return has(settable.channel) ? put(`/api/channels/${id}`, { [field]: from }) : null;
    case 'creative':
      return has(settable.creative) ? put(`/api/creatives/${id}`, { [field]: from }) : null;
    case 'contractor':
      return has(settable.contractor) ? put(`/api/contractors/${id}`, { [field]: from }) : null;
    case 'user':
      // Switching somebody off has a door of its own, with checks of its own.
      if (field === 'isActive' && from === false) return null;
      return has(settable.user) ? put(`/api/users/${id}`, { [field]: from }) : null;
    case 'license':
      return has(settable.license) ? put('/api/license/settings', { [field]: from }) : null;
    default:
      return null;
  }
};

type Can = Rights['can'];

const mayChange = (can: Can, kind: string, field: string): boolean => {
  switch (kind) {
    case 'placement':
      return field === 'deleted' ? can('placement.restore', 'some') : can('placement.change', 'some');
    case 'campaign':
      return field === 'deleted' ? can('campaign.restore') : can('campaign.change');
    case 'channel':
      return can('channel.change');
    case 'creative':
      return can('creative.change');
    case 'contractor':
      return can('contractor.change');
    case 'user':
      return field === 'isActive' ? can('employee.reactivate', 'some') : can('employee.change', 'some');
    case 'license':
      if (field === 'secondFactorForAll') return can('licence.secondFactorForAll');
      return field === 'codeOnlyLogin' ? can('licence.codeOnlyLogin') : can('licence.settings');
    default:
      return false;
  }
};

/** Whether to offer the value of before to this person; whose the thing is, the server looks at. */
export const maySetBack = (can: Can, entry: Pick<HistoryEntry, 'entity'>, change: HistoryChangeWire): boolean =>
  setBackOf(entry, change) !== null && mayChange(can, entry.entity.kind, change.field);

const undoable: ReadonlySet<string> = new Set(['placement', 'campaign', 'channel', 'creative', 'contractor']);

/** Whether to offer undoing the entry's whole command. */
export const mayUndo = (can: Can, { entity: { kind }, actor, changes }: HistoryEntry): boolean =>
  undoable.has(kind) &&
  changes.length > 0 &&
  actor.userId !== 'system' &&
  can('command.undo', { actorId: actor.userId });
