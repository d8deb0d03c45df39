import type { ImportMapping, ImportReport, ImportWire } from '@zakup/contracts/imports';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { ApiProblem, problemText } from '../api/api-problem.ts';
import { newCommandId } from '../api/new-command-id.ts';
import { useSession } from '../session/session-context.tsx';
import { tellImportBegun } from './begun-imports.ts';
import { keepMapping, keptMapping } from './kept-mappings.ts';

export type ImportStep =
  | { readonly kind: 'none' }
  | { readonly kind: 'reading' }
  | { readonly kind: 'refused'; readonly reason: string }
  /** `problem`: why it did not begin. `busy`: it is read in another way, could not be (`unread`), or is begun. */
  | {
      readonly kind: 'judged';
      readonly report: ImportReport;
      readonly problem: string | null;
      readonly busy: 'reading' | 'unread' | 'starting' | null;
    };

const nothingChosen: ImportMapping = {};

/** Bytes that the server takes. */
const mostBytes = 20 * 1024 * 1024;

/** A file on its way into a campaign: read, told of, mapped, and begun. Each change of the mapping reads it anew; the last one counts. */
export const useImportFile = (campaignId: string, onStarted: (started: ImportWire) => void) => {
  const api = useApi();
  const { person } = useSession();
  const [file, setFile] = useState<File | null>(null);
  const [mapping, setMapping] = useState<ImportMapping>(nothingChosen);
  const [step, setStep] = useState<ImportStep>({ kind: 'none' });
  const reading = useRef<AbortController | null>(null);
  /** Of one file read in one way: sent again after a lost answer it is the same import. */
  const commandId = useRef(newCommandId());
  useEffect(() => () => reading.current?.abort(), []);

  const path = `/api/campaigns/${encodeURIComponent(campaignId)}/import`;
  const queryOf = (chosen: File, how: ImportMapping) => ({ name: chosen.name, mapping: JSON.stringify(how) });

  const judge = async (chosen: File, how: ImportMapping, isFirst: boolean): Promise<void> => {
    reading.current?.abort();
    const controller = new AbortController();
    reading.current = controller;
    commandId.current = newCommandId();
    setMapping(how);
    const reportOf = async (one: ImportMapping): Promise<ImportReport> => {
      const query = { dryRun: true, ...queryOf(chosen, one) };
      const { data } = await api.upload<{ report: ImportReport }>(path, chosen, { query, signal: controller.signal });
      return data.report;
    };
    try {
      let report = await reportOf(how);
      const kept = isFirst ? keptMapping(localStorage, person.id, report) : null;
      if (kept !== null) {
        report = await reportOf(kept);
        setMapping(kept);
      }
      if (!controller.signal.aborted) setStep({ kind: 'judged', report, problem: null, busy: null });
    } catch (thrown) {
      if (controller.signal.aborted) return;
      const reason = problemText(thrown);
      setStep((last) =>
        isFirst || last.kind !== 'judged' ? { kind: 'refused', reason } : { ...last, problem: reason, busy: 'unread' },
      );
    }
  };

  const begin = async (chosen: File, report: ImportReport): Promise<void> => {
    setStep({ kind: 'judged', report, problem: null, busy: 'starting' });
    try {
      const { data } = await api.upload<{ import: ImportWire }>(path, chosen, {
        query: queryOf(chosen, mapping),
        commandId: commandId.current,
      });
      keepMapping(localStorage, person.id, report, mapping);
      setFile(null);
      setStep({ kind: 'none' });
      tellImportBegun(data.import);
      onStarted(data.import);
    } catch (thrown) {
      if (thrown instanceof ApiProblem && thrown.code !== 'NETWORK') commandId.current = newCommandId();
      setStep({ kind: 'judged', report, problem: problemText(thrown), busy: null });
    }
  };

  return {
    file,
    mapping,
    step,
    choose: (chosen: File): void => {
      reading.current?.abort();
      setFile(chosen);
      if (chosen.size >= mostBytes) {
        setStep({ kind: 'refused', reason: 'Файл больше 20 МБ' });
        return;
      }
      setStep({ kind: 'reading' });
      void judge(chosen, nothingChosen, true);
    },
    /** Reads the same file in another way; what is told of it stays until the new answer comes. */
    remap: (how: ImportMapping): void => {
      if (file === null || step.kind !== 'judged') return;
      // What would be written is not known before the new answer: nothing begins until then.
      setStep({ ...step, problem: null, busy: 'reading' });
      void judge(file, how, false);
    },
    /** Says why something cannot be done with the file; it stays as it was. */
    refuse: (problem: string): void => {
      if (step.kind === 'judged') setStep({ ...step, problem });
    },
    start: (): void => {
      if (file !== null && step.kind === 'judged' && step.busy === null) void begin(file, step.report);
    },
    drop: (): void => {
      reading.current?.abort();
      setFile(null);
      setStep({ kind: 'none' });
    },
  };
};

export type ImportFile = ReturnType<typeof useImportFile>;
