import { useState } from 'react';
import { ApiProblem, problemText } from '../api/api-problem.ts';
import { useSend } from '../form/use-send.ts';

/** Changes of an import that the person asks for, one at a time. */
export const useAsked = () => {
  const send = useSend();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  /** Resolves with the reply's position; null = it was refused. */
  const ask = async (...call: Parameters<typeof send>): Promise<number | null> => {
    setBusy(true);
    setRefusal(null);
    try {
      return (await send(...call)).position;
    } catch (thrown) {
      setRefusal(thrown);
      return null;
    } finally {
      setBusy(false);
    }
  };
  /** Others changed some of what was to go back: the person chooses. */
  const clash = refusal instanceof ApiProblem && refusal.undo !== null ? refusal : null;
  return {
    busy,
    problem: refusal === null || clash !== null ? null : problemText(refusal),
    clash,
    ask,
    /** The person chose nothing. */
    putAway: (): void => setRefusal(null),
  };
};
