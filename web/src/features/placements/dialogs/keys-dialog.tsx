import { Dialog } from '../../../shared/ui/dialog.tsx';

const groups: readonly (readonly [title: string, keys: readonly (readonly [keys: string, what: string])[]])[] = [
  [
    'Ходить',
    [
      ['← ↑ → ↓', 'соседняя ячейка'],
      ['Ctrl ← ↑ → ↓', 'крайняя ячейка'],
      ['Home, End', 'начало и конец строки'],
      ['Ctrl Home, Ctrl End', 'первая и последняя ячейка'],
      ['PageUp, PageDown', 'на экран вверх и вниз'],
    ],
  ],
  [
    'Править',
    [
      ['↵, F2', 'править ячейку'],
      ['любой знак', 'заменить значение'],
      ['↵, Shift ↵', 'сохранить и вниз, вверх'],
      ['Tab, Shift Tab', 'сохранить и к следующей, к предыдущей'],
      ['← ↑ → ↓', 'сохранить и к соседней, если начали печатать'],
      ['Esc', 'оставить как было'],
      ['Delete', 'очистить, где бывает пусто'],
      ['Ctrl D, Ctrl R', 'заполнить вниз, вправо'],
      ['Shift F10', 'всё, что можно сделать с ячейкой или выделенным'],
      ['Ctrl J', 'ещё раз такая же строка, на сегодня'],
      ['Пробел', 'переключить оплату, на дате – история, на нике – контрагент, на CPL – почему он такой'],
    ],
  ],
  [
    'Отменять',
    [
      ['Ctrl Z', 'отменить своё последнее действие, и после перезагрузки'],
      ['Ctrl Shift Z, Ctrl Y', 'повторить отменённое'],
    ],
  ],
  [
    'Выделять',
    [
      ['Shift ← ↑ → ↓', 'ячейки подряд, с Ctrl до края'],
      ['Shift Пробел, Ctrl Пробел', 'строка, столбец'],
      ['Ctrl A', 'вся таблица'],
      ['Ctrl Shift Пробел', 'отметить строку, мышью – на её номере'],
      ['Ctrl C', 'скопировать для Excel и Google Таблиц'],
    ],
  ],
  [
    'Везде',
    [
      ['Ctrl ↵', 'добавить размещение, в его форме – добавить и начать следующее'],
      ['Ctrl F', 'найти в таблице'],
      ['Ctrl K', 'поиск и команды'],
      ['?', 'этот список'],
    ],
  ],
];

/** The keys of the table. */
export const KeysDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Клавиши" onClose={onClose}>
    {groups.map(([title, keys]) => (
      <section key={title} className="z-keys-group">
        <h3>{title}</h3>
        <dl>
          {keys.map(([key, what]) => (
            <div key={`${key} ${what}`}>
              <dt>
                {key.split(', ').map((one) => (
                  <kbd key={one}>{one}</kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </section>
    ))}
  </Dialog>
);
