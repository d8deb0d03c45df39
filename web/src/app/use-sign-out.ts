import { useSession } from '../shared/session/session-context.tsx';
import { useGo } from '../shared/ui/use-go.ts';

/** Ends the session, once what is unsent has been asked about, and goes to the way in. */
export const useSignOut = (): (() => void) => {
  const { signOut } = useSession();
  const go = useGo();
  return () => {
    const end = async (): Promise<void> => {
      if (await signOut()) go('/login', { replace: true });
    };
    end().catch(() => undefined);
  };
};
