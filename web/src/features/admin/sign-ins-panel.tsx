import { useQuery } from '@tanstack/react-query';
import type { AdminSignInWire } from '@zakup/contracts/calls/replies';
import { formatNumber, plural } from '@zakup/domain/russian';
import { useState } from 'react';
import { useApi } from '../../shared/api/api-context.tsx';
import { showInstant } from '../../shared/day/shown-day.ts';
import { QueryFailure } from '../../shared/load/query-failure.tsx';
import { LoadMore } from '../../shared/ui/load-more.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { Panel } from '../../shared/ui/page.tsx';

const shownAtFirst = 8;

const network = ({ network: text }: AdminSignInWire): string => (text === '' ? 'сеть неизвестна' : `сеть ${text}`);

const refusalText = ({ count }: AdminSignInWire): string =>
  count === 1 ? 'отказ' : `отказ, ${formatNumber(count)} ${plural(count, 'попытка', 'попытки', 'попыток')}`;

/** Who came in here, and who was refused: when, and from which network. */
export const SignInsPanel = () => {
  const api = useApi();
  const [all, setAll] = useState(false);
  const query = useQuery({
    queryKey: ['admin', 'sign-ins'],
    queryFn: async ({ signal }) =>
      (await api.get<{ signIns: readonly AdminSignInWire[] }>('/api/admin/sign-ins', { signal })).data.signIns,
    refetchInterval: 5_000,
  });
  const { data } = query;
  const shown = all ? data : data?.slice(0, shownAtFirst);
  return (
    <Panel title="Последние входы" className="z-panel-flush">
      {data === undefined && <QueryFailure query={query} />}
      {shown?.length === 0 && <p className="z-admin-none">Входов ещё не было.</p>}
      {shown !== undefined && shown.length > 0 && (
        <ul className="z-admin-lines" aria-label="Последние входы">
          {shown.map((one) => (
            <li key={`${one.outcome} ${one.since} ${one.network}`}>
              <b>{showInstant(one.until)}</b>
              <span className="z-secondary">{network(one)}</span>
              <Chip tone={one.outcome === 'in' ? 'good' : 'bad'} dot>
                {one.outcome === 'in' ? 'вход' : refusalText(one)}
              </Chip>
            </li>
          ))}
        </ul>
      )}
      {!all && data !== undefined && data.length > shownAtFirst && (
        <p className="z-admin-none">
          <LoadMore small look="plain" rest={data.length - shownAtFirst} onMore={() => setAll(true)} />
        </p>
      )}
    </Panel>
  );
};
