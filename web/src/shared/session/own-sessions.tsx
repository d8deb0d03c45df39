import { SessionList } from './session-list.tsx';
import { useSession } from './session-context.tsx';

/** Where the signed-in person is signed in; others than this one can be ended, one by one or all. */
export const OwnSessions = () => (
  <SessionList path="/api/auth/sessions" personId={useSession().person.id} endAll="Завершить все остальные" />
);
