import type { movesData } from '@zakup/contracts/calls/replies';
import { cplClassLabels } from '@zakup/domain/analytics/cpl';
import { figureTitles } from '@zakup/domain/analytics/figures';
import { formatRoubles, formatRoublesExact, kopecks } from '@zakup/domain/money';
import { formatNumber, formatPercent, nbsp, plural } from '@zakup/domain/russian';
import { shortFigure } from '@zakup/domain/short-figure';
import type { z } from 'zod';
import { cplMark, money, type Tone } from '../../shared/campaign/figures.ts';

export type Moves = z.infer<typeof movesData>;
type CampaignMoves = Moves['campaigns'][number];
type FigureMove = CampaignMoves['figures'][number];
type PersonMove = CampaignMoves['people'][number];
type Name = FigureMove['figure'] | PersonMove['figure'];

/** A value as shown; of a CPL with its class, told by colour, sign and word. */
export interface MovedValue {
  readonly text: string;
  readonly mark: { readonly tone: Tone; readonly sign: string; readonly word: string } | null;
}

/** A line of «Что сдвинулось». */
export interface MoveWords {
  readonly key: string;
  readonly label: string;
  readonly from: MovedValue;
  readonly to: MovedValue;
  /** With its sign; null where there was no value, or is none. */
  readonly by: string | null;
  /** Where that has no room. */
  readonly shortBy: string | null;
}

type Unit = 'money' | 'exact' | 'count' | 'percent';

const units: Readonly<Record<Name, Unit>> = {
  budget: 'money',
  spent: 'money',
  paid: 'money',
  remaining: 'money',
  budgetUse: 'percent',
  placements: 'count',
  leads: 'count',
  cpl: 'exact',
  earnings: 'exact',
};

const show: Readonly<Record<Unit, (value: number) => string>> = {
  money: (value) => formatRoubles(money(value)),
  exact: (value) => formatRoublesExact(money(value)),
  count: formatNumber,
  percent: formatPercent,
};

/** A difference of percentages is in points. */
const points = (value: number): string => `${formatNumber(value)}${nbsp}п.${nbsp}п.`;

/** Of what has two decimals at most: what floating point leaves beyond them goes. */
const difference = (from: number, to: number): number => kopecks(Math.round((to - from) * 100)) / 100;

const signed = (value: number, unit: Unit): Pick<MoveWords, 'by' | 'shortBy'> => {
  const by = unit === 'percent' ? points(value) : show[unit](value);
  const plus = value > 0 ? '+' : '';
  const short = shortFigure(by);
  return { by: `${plus}${by}`, shortBy: short === null ? null : `${plus}${short}` };
};

const valueOf = (value: number | null, unit: Unit, of: keyof typeof cplClassLabels | undefined): MovedValue => {
  const text = value === null ? '—' : show[unit](value);
  const { tone, sign } = cplMark(of ?? 'none');
  return { text, mark: tone === null || of === undefined ? null : { tone, sign, word: cplClassLabels[of] } };
};

const wordsOf = (key: string, label: string, { figure, from, to, ...more }: FigureMove | PersonMove): MoveWords => {
  const unit = units[figure];
  const classes = 'classes' in more ? more.classes : undefined;
  return {
    key,
    label,
    from: valueOf(from, unit, classes?.from),
    to: valueOf(to, unit, classes?.to),
    ...(from === null || to === null ? { by: null, shortBy: null } : signed(difference(from, to), unit)),
  };
};

const personTitles: Readonly<Record<PersonMove['figure'], string>> = { remaining: 'Остаток', earnings: 'Заработок' };

/** What moved of a campaign, then of its people. */
export const moveWords = ({ figures, people }: CampaignMoves): readonly MoveWords[] => [
  ...figures.map((move) => wordsOf(move.figure, figureTitles[move.figure], move)),
  ...people.map((move) =>
    wordsOf(`${move.figure} ${move.userId}`, `${personTitles[move.figure]}, ${move.name || 'без имени'}`, move),
  ),
];

/** What else there is to say: what is missing, and why. */
export const moveNotes = ({
  outcome,
  campaigns,
  campaignsLeftOut,
  othersBetween,
  licenceWide,
}: Moves): readonly string[] => {
  if (outcome === 'scattered')
    return ['Действие шло вперемешку с чужими изменениями: что сдвинуло оно одно, не посчитать.'];
  if (outcome === 'unreadable') return ['Эта версия программы не может прочитать историю до этого места.'];
  const notes: string[] = [];
  if (licenceWide) notes.push('Это меняет расчёт сразу во многих кампаниях. Сколько в какой, здесь не считается.');
  else if (campaigns.length === 0 && campaignsLeftOut === 0) notes.push('Цифры не сдвинулись');
  if (othersBetween && campaigns.length > 0)
    notes.push('Тем временем кампанию меняли и другие. Здесь только то, что сдвинуло это действие.');
  if (campaignsLeftOut > 0) {
    const rest = `${formatNumber(campaignsLeftOut)}${nbsp}${plural(campaignsLeftOut, 'кампания', 'кампании', 'кампаний')}`;
    notes.push(`Кампаний в этом действии больше, чем показано здесь: ещё ${rest}.`);
  }
  return notes;
};
