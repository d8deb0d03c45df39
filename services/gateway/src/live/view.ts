import type { DocKind } from '@zakup/contracts/wire-entities';
import { presentImport } from '@zakup/contracts/imports';
import { presentNotification } from '@zakup/contracts/notifications';
import {
  type EarningsToPresent,
  presentAnalytics,
  presentCampaign,
  presentChannel,
  presentContractor,
  presentCreative,
  presentEarnings,
  presentNote,
  presentPlacement,
  presentUser,
  presentView,
} from '@zakup/contracts/to-wire';
import { declaredFields, type EmployeeRow, type RowKind } from '@zakup/contracts/read-models';
import type { Change } from '@zakup/contracts/socket';
import type { CodeCipher } from '@zakup/credentials/code-cipher';
import { may, type Person } from '@zakup/domain/permissions';
import type { Changes, ReadDocument } from '@zakup/read-store/read-store';
import { seesOthersEarnings } from '@zakup/contracts/shown-event';
import { seesCodeOf } from '../http/person.ts';
import { dataOf } from '../read-models/rows.ts';
import { showLicense, showPerson } from '../read-models/shown-codes.ts';
import type { Scope } from './scope.ts';

/** The few rights that change what a scope shows: sockets with the same one share every message. */
export interface View {
  readonly key: string;
  readonly scope: Scope['kind'];
  /** People's data, as kind `person` beside `user`. */
  readonly people: boolean;
  /** Everybody's earnings and terms. */
  readonly earnings: boolean;
  /** Whose terms are shown where the others' are hidden. */
  readonly termsOf: string | undefined;
  /** Whose code is shown among people's data. */
  readonly showsCode: (row: EmployeeRow) => boolean;
  readonly codes: CodeCipher;
}

/** Those of whom it is the same are told the same codes, each other's too. */
const codesSeenBy = ({ isOwner, role, permissions }: Person): string => JSON.stringify([isOwner, role, permissions]);

export const viewOf = (person: Person, { kind }: Scope, codes: CodeCipher): View => {
  const people = kind === 'workspace' && may(person, 'people.read').allowed;
  const matters = kind === 'workspace' || kind === 'campaign' || kind === 'me';
  const earnings = !matters || seesOthersEarnings(person);
  const termsOf = earnings ? undefined : person.userId;
  const key = `${people ? codesSeenBy(person) : ''}/${termsOf ?? ''}`;
  const showsCode = (row: EmployeeRow): boolean => seesCodeOf(person, row);
  return { key, scope: kind, people, earnings, termsOf, showsCode, codes };
};

const kinds: ReadonlySet<string> = new Set(Object.keys(declaredFields));
const isRowKind = (kind: string): kind is RowKind => kinds.has(kind);

/** Where others' earnings are hidden, one's own travel in `me` only. */
export const showsEarnings = (view: View): boolean => view.earnings === (view.scope !== 'me');

/** As which kinds a document of the read store is shown; none = not at all. */
const shownAs = (view: View, kind: string): readonly DocKind[] => {
  if (!isRowKind(kind)) return [];
  if (kind === 'user') return view.people ? ['user', 'person'] : ['user'];
  if (kind === 'earnings') return showsEarnings(view) ? ['earnings'] : [];
  return [kind];
};

/** Exactly what the HTTP read of the kind answers. */
const shown = (view: View, kind: DocKind, doc: ReadDocument, now: string): unknown => {
  switch (kind) {
    case 'license':
      return showLicense(view.codes, dataOf('license', doc), { now, reveal: false });
    case 'user':
      return view.scope === 'me'
        ? showPerson(view.codes, dataOf('user', doc), doc.licenceId, true)
        : presentUser(dataOf('user', doc));
    case 'person': {
      const row = dataOf('user', doc);
      return showPerson(view.codes, row, doc.licenceId, view.showsCode(row));
    }
    case 'channel':
      return presentChannel(dataOf('channel', doc));
    case 'campaign':
      return presentCampaign(dataOf('campaign', doc), view.termsOf);
    case 'creative':
      return presentCreative(dataOf('creative', doc));
    case 'contractor':
      return presentContractor(dataOf('contractor', doc));
    case 'note':
      return presentNote(dataOf('note', doc));
    case 'placement':
      return presentPlacement(dataOf('placement', doc));
    case 'analytics':
      return presentAnalytics(dataOf('analytics', doc));
    case 'earnings':
      // The scope's reader has put the lines in.
      return presentEarnings(doc.data as unknown as EarningsToPresent);
    case 'notification':
      return presentNotification(doc.id, dataOf('notification', doc));
    case 'import':
      return presentImport(dataOf('import', doc));
    case 'view':
      return presentView(dataOf('view', doc));
    case 'session':
      return null;
  }
};

/** What of the view decides how documents of the kind are shown in a scope: where it is the same, they are. */
export const variantOf = ({ key, earnings, termsOf }: View, kind: string): string => {
  if (kind === 'user') return key;
  if (kind === 'campaign') return termsOf ?? '';
  return kind === 'earnings' ? String(earnings) : '';
};

/** Whether two documents of the kind at one position are the same: the state of a licence is one of the hour, sessions are in no log. */
export const isToldByPosition = (kind: DocKind): boolean => kind !== 'license' && kind !== 'session';

/** An import goes by its own id, which other licences may have, too. */
const shownId = ({ kind, id }: ReadDocument): string => (kind === 'import' ? id.slice(id.indexOf('~') + 1) : id);

export type StoredChange = Changes['docs'][number];

/** Stored changes as the sockets of a view get them. */
export const changesFor = (view: View, docs: readonly StoredChange[], now: string): readonly Change[] =>
  docs.flatMap(({ doc, gone, position }) =>
    shownAs(view, doc.kind).map((kind) => ({
      kind,
      id: shownId(doc),
      position,
      doc: gone ? null : shown(view, kind, doc, now),
    })),
  );
