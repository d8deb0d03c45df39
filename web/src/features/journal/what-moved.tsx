import { useQuery } from '@tanstack/react-query';
import { showCampaignName } from '@zakup/domain/topics';
import { useApi } from '../../shared/api/api-context.tsx';
import { problemText } from '../../shared/api/api-problem.ts';
import { useSession } from '../../shared/session/session-context.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Fitted } from '../../shared/ui/fitted.tsx';
import { Skeleton } from '../../shared/ui/states.tsx';
import type { JournalEvent } from './journal-events.ts';
import { type MovedValue, moveNotes, type Moves, type MoveWords, moveWords } from './move-labels.ts';

const Value = ({ value: { text, mark } }: { readonly value: MovedValue }) =>
  mark === null ? (
    <Fitted>{text}</Fitted>
  ) : (
    <span className={`z-${mark.tone}`}>
      <Fitted>{text}</Fitted> <span aria-hidden="true">{mark.sign}</span>
      <span className="z-visually-hidden">{mark.word}</span>
    </span>
  );

const MoveLine = ({ words: { label, from, to, by, shortBy } }: { readonly words: MoveWords }) => (
  <li className={by === null ? 'z-journal-appeared' : undefined}>
    <span>{label}</span>
    {by !== null && (
      <b className="z-fits">
        <Fitted short={shortBy}>{by}</Fitted>
      </b>
    )}
    <span className="z-fits z-journal-between">
      <span className="z-visually-hidden">, было </span>
      <Value value={from} />
      <span aria-hidden="true"> → </span>
      <span className="z-visually-hidden">, стало </span>
      <Value value={to} />
    </span>
  </li>
);

const Told = ({ moves }: { readonly moves: Moves }) => (
  <>
    {moves.campaigns.map((campaign) => (
      <div key={campaign.id} className="z-journal-moves">
        {moves.campaigns.length > 1 && <h4>{showCampaignName(campaign.name ?? '')}</h4>}
        <ul>
          {moveWords(campaign).map((words) => (
            <MoveLine key={words.key} words={words} />
          ))}
        </ul>
      </div>
    ))}
    {moveNotes(moves).map((note) => (
      <p key={note} className="z-secondary">
        {note}
      </p>
    ))}
  </>
);

/**
 * What came of an action: the figures of its campaigns that are not the same after it. Asked once for the event that is open, as the server
 * has to look at two moments of the past for it.
 */
export const WhatMoved = ({ event: { position, entries } }: { readonly event: JournalEvent }) => {
  const api = useApi();
  const { person } = useSession();
  const { data, error, isFetching, refetch } = useQuery({
    // More of the same action may be loaded with the next page, and what came in since may belong to it.
    queryKey: ['moves', person.id, position, entries.length],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async ({ signal }) => (await api.get<Moves>(`/api/audit/${position}/moves`, { signal })).data,
  });
  return (
    <section className="z-journal-part">
      <h3>Что сдвинулось</h3>
      {data !== undefined && <Told moves={data} />}
      {data === undefined && error === null && <Skeleton rows={2} height={20} label="Загрузка того, что сдвинулось" />}
      {data === undefined && error !== null && (
        <div className="z-journal-failed" role="alert">
          <p className="z-secondary">{problemText(error)}</p>
          <Button small disabled={isFetching} onClick={() => void refetch()}>
            Повторить
          </Button>
        </div>
      )}
    </section>
  );
};
