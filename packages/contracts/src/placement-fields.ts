import type { PlacementWire } from './wire-entities.ts';

/** The one list of a placement's fields, by the names that they have on the wire. Tables, exports, journal and putting back read it. */

export interface PlacementField {
  /** Id of its column in tables; `null` = it has none. */
  readonly column: string | null;
  readonly label: string;
  /** As it stands behind «правит»; its columns say the same. */
  readonly accusative: string;
  /** Width of its column in exported tables, in characters; `null` = it is not exported. */
  readonly exportWidth: number | null;
  /**
   * By what it takes an earlier value back: an ordinary change of this member, one of the contractor by the nick, the call for payment;
   * `null` = it follows from others, or never changes.
   */
  readonly undoable: 'change' | 'nick' | 'payment' | null;
  /** Whether `null` is a value that it takes back. */
  readonly nullable?: true;
}

type Stamp = 'id' | 'revision' | 'createdAt' | 'updatedAt';
export type PlacementFieldName = Exclude<keyof PlacementWire, Stamp>;

/** In the order of tables. A member of the wire without its line does not compile. */
export const placementFields = {
  date: { column: 'date', label: 'Дата', accusative: 'дату', exportWidth: 12, undoable: 'change' },
  contractorId: { column: 'contractor', label: 'Контрагент', accusative: 'ник', exportWidth: 24, undoable: 'nick' },
  price: { column: 'price', label: 'Цена', accusative: 'цену', exportWidth: 14, undoable: 'change' },
  leads: { column: 'leads', label: 'Приход', accusative: 'приход', exportWidth: 10, undoable: 'change' },
  costPerLead: { column: 'cpl', label: 'CPL', accusative: 'CPL', exportWidth: 12, undoable: null },
  creativeId: { column: 'creative', label: 'Креатив', accusative: 'креатив', exportWidth: 24, undoable: 'change' },
  category: { column: 'topic', label: 'Тематика', accusative: 'тематику', exportWidth: 20, undoable: 'change' },
  format: { column: 'format', label: 'Формат', accusative: 'формат', exportWidth: 10, undoable: 'change' },
  buyerId: { column: 'buyer', label: 'Байер', accusative: 'байера', exportWidth: 22, undoable: 'change' },
  paymentStatus: { column: 'payment', label: 'Оплата', accusative: 'оплату', exportWidth: 14, undoable: 'payment' },
  status: { column: 'status', label: 'Статус', accusative: 'статус', exportWidth: 20, undoable: 'change' },
  comment: {
    column: 'comment',
    label: 'Комментарий',
    accusative: 'комментарий',
    exportWidth: 40,
    undoable: 'change',
  },
  postUrl: {
    column: 'post',
    label: 'Ссылка на пост',
    accusative: 'ссылку на пост',
    exportWidth: 30,
    undoable: 'change',
    nullable: true,
  },
  campaignId: { column: null, label: 'Кампания', accusative: 'кампанию', exportWidth: null, undoable: null },
} as const satisfies { readonly [Name in PlacementFieldName]: PlacementField };

type Fields = typeof placementFields;
export type PlacementColumnId = Exclude<Fields[PlacementFieldName]['column'], null>;
/** Fields that stand in exported tables. */
export type ExportedField = {
  [Name in PlacementFieldName]: Fields[Name]['exportWidth'] extends null ? never : Name;
}[PlacementFieldName];

export const placementFieldNames = Object.keys(placementFields) as readonly PlacementFieldName[];

/** The field of a placement that has this name, seen as any other; `undefined` = none has. */
export const placementField = (name: string): PlacementField | undefined =>
  Object.hasOwn(placementFields, name) ? placementFields[name as PlacementFieldName] : undefined;
