import { Dialog } from '../../../shared/ui/dialog.tsx';

const groups: readonly (readonly [title: string, keys: readonly (readonly [keys: string, what: string])[]])[] = [
  [
    'Ходить',
    [
      ['← ↑ → ↓', 'соседняя ячейка'],
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
      ['↵', 'сохранить'],
      ['Esc', 'оставить как было'],
      ['Tab, Shift Tab', 'сохранить и к следующей, к предыдущей'],
      ['Пробел', 'переключить оплату, на дате – история, на нике – контрагент, на CPL – почему он такой'],
    ],
  ],
  ['Отменять', [['Ctrl Z', 'вернуть удалённое, пока об этом сказано наверху']]],
  [
    'Везде',
    [
      ['Ctrl ↵', 'добавить размещение'],
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
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </section>
    ))}
  </Dialog>
);
