import type { LostRun } from '@zakup/event-store/sqlite/log-salvage';
import type { LogDamage } from './recover-log.ts';

const whole = new Intl.NumberFormat('ru-RU');
const mostLines = 20;

const runText = ({ from, to }: LostRun): string => (from === to ? `${from}` : `${from}–${to}`);

const some = <Item>(items: readonly Item[], show: (item: Item) => string, between: string): string => {
  const rest = items.length - mostLines;
  return [...items.slice(0, mostLines).map(show), ...(rest > 0 ? [`… и ещё ${whole.format(rest)}`] : [])].join(between);
};

/** What a damaged log lost, for the operator. */
export const damageText = ({ file, salvage, wal }: LogDamage): readonly string[] => {
  const { lost, licences, commands, end, kept, head } = salvage;
  const positions = lost.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  return [
    `Журнал ${file} повреждён.`,
    ...(positions === 0
      ? wal === null
        ? ['  события целы, повреждены служебные части файла']
        : []
      : [
          `  потеряно позиций   ${whole.format(positions)}: ${some(lost, runText, ', ')}`,
          commands === null
            ? '  потеряно команд    неизвестно: их указатель тоже повреждён'
            : `  потеряно команд    ${whole.format(commands)}`,
        ]),
    ...(wal === null ? [] : [`  потеряно последнее из записанного, сколько, неизвестно: повреждён ${wal}`]),
    ...licences
      .slice(0, mostLines)
      .map(
        ({ licenceId, events, from, since }) =>
          `  лицензия ${licenceId}: событий ${whole.format(events)}, всё с позиции ${from}${since === null ? '' : ` (${since})`}`,
      ),
    ...(licences.length > mostLines ? [`  … и ещё лицензий: ${whole.format(licences.length - mostLines)}`] : []),
    ...(end === null ? [] : [`  у всех лицензий: всё с позиции ${end}`]),
    `  цело событий       ${whole.format(kept)}, последнее на позиции ${head}`,
  ];
};
