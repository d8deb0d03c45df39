import type { CSSProperties } from 'react';
import { colourOf } from '../ui/avatar.tsx';
import type { CellColleague, ChangeAuthor } from './grid-column.ts';

const firstName = (name: string): string => name.split(' ')[0] ?? name;

const personStyle = (userId: string): CSSProperties => ({ '--person': `var(--p${colourOf(userId)})` }) as CSSProperties;

/** Who stands in the cell: whoever edits it before those who look. */
export const ColleagueFlag = ({
  colleagues,
  nameless,
}: {
  readonly colleagues: readonly CellColleague[];
  /** Another flag has the place of the name for now. */
  readonly nameless: boolean;
}) => {
  const first = colleagues.find((one) => one.mode === 'editing') ?? colleagues[0];
  if (!first) return null;
  return (
    <span className="z-colleague" data-mode={first.mode} style={personStyle(first.userId)}>
      {!nameless && (
        <span className="z-flag z-flag-colleague">
          {firstName(first.name)} {first.mode === 'editing' ? 'правит' : 'смотрит'}
          {colleagues.length > 1 && ` +${colleagues.length - 1}`}
        </span>
      )}
    </span>
  );
};

/** Who has just changed the cell, and how many seconds ago. */
export const AuthorFlag = ({ author }: { readonly author: ChangeAuthor }) => (
  <span className="z-flag z-flag-author" style={personStyle(author.userId)}>
    {firstName(author.name)}, {Math.max(1, Math.round(author.age / 1000))} с
  </span>
);
