import { useState } from 'react';
import { problemText } from '../api/api-problem.ts';
import { useSend } from '../form/use-send.ts';

/** Changes of an import that the person asks for, one at a time. */
export const useAsked = () => {
  const send = useSend();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  /** Resolves with the reply's position; null = it was refused. */
  const ask = async (...call: Parameters<typeof send>): Promise<number | null> => {
    setBusy(true);
    setProblem(null);
    try {
      return (await send(...call)).position;
    } catch (thrown) {
      setProblem(problemText(thrown));
      return null;
    } finally {
      setBusy(false);
    }
  };
  return { busy, problem, ask };
};
