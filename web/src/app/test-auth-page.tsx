import { useState } from 'react';
import { claimsOf, tokenKeys } from '../shared/api/tokens.ts';
import { readSessionRecord } from '../shared/session/session-record.ts';
import { ConnectionMark } from '../shared/ui/connection.tsx';
import { PageHeader, Panel } from '../shared/ui/page.tsx';
import { useTitle } from '../shared/moment/use-title.ts';

/** What this browser itself remembers of the session; asks the server nothing. */
export const TestAuthPage = () => {
  useTitle('Проверка входа');
  const [seen] = useState(() => {
    const token = localStorage.getItem(tokenKeys.access);
    return { record: readSessionRecord(localStorage), claims: token === null ? null : claimsOf(token) };
  });
  return (
    <main className="z-page">
      <PageHeader title="Проверка входа" aside={<ConnectionMark state={navigator.onLine ? 'online' : 'offline'} />} />
      <Panel title="Запись о сессии">
        <pre className="z-mono">{seen.record ? JSON.stringify(seen.record, null, 2) : 'Записи нет'}</pre>
      </Panel>
      <Panel title="Содержимое токена">
        <pre className="z-mono">{seen.claims ? JSON.stringify(seen.claims, null, 2) : 'Токена нет'}</pre>
      </Panel>
    </main>
  );
};
