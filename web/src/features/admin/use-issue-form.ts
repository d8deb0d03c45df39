import { type FormEvent, useState } from 'react';
import { features } from '@zakup/domain/permissions';
import { useApi } from '../../shared/api/api-context.tsx';
import { ApiProblem, problemText } from '../../shared/api/api-problem.ts';
import type { AdminLicence } from './admin-api.tsx';

type Name = 'teamName' | 'ownerName' | 'ownerEmail' | 'ownerTelegram' | 'expiresAt' | 'maxConcurrentSessions';

const inAYear = (): string => {
  const date = new Date();
  date.setFullYear(date.getFullYear() + 1);
  return date.toISOString().slice(0, 10);
};

/** What is no whole number stays text, so that the server names the mistake. */
const wholeOf = (text: string): number | string => (/^\d+$/u.test(text.trim()) ? Number(text) : text);

/** What each field asks for when it is empty: one text for all would not say what is missing. */
const asked = {
  teamName: 'Введите название команды',
  ownerName: 'Введите имя владельца',
  ownerEmail: 'Введите почту владельца',
  ownerTelegram: 'Введите Telegram владельца',
  expiresAt: 'Выберите, до какого дня действует лицензия',
} as const;
const required = Object.keys(asked) as readonly (keyof typeof asked)[];

/** A new licence with its code, which is shown once. */
export interface Issued {
  readonly license: AdminLicence;
  readonly activationCode: string;
}

/** The form of a new licence and what becomes of it. */
export interface IssueForm {
  /** What a field is given. */
  readonly field: (name: Name) => {
    readonly value: string;
    readonly error: string | undefined;
    readonly onChange: (typed: string) => void;
  };
  /** The features that the licence will have. */
  readonly open: ReadonlySet<string>;
  readonly setOpen: (feature: string, isOpen: boolean) => void;
  readonly problem: string | null;
  readonly busy: boolean;
  /** Something was changed. */
  readonly touched: boolean;
  /** Null until it is issued. */
  readonly issued: Issued | null;
  readonly submit: (event: FormEvent) => void;
}

export const useIssueForm = (onIssued: () => void): IssueForm => {
  const api = useApi();
  const [values, setValues] = useState<Record<Name, string>>({
    teamName: '',
    ownerName: '',
    ownerEmail: '',
    ownerTelegram: '',
    expiresAt: inAYear(),
    maxConcurrentSessions: '10',
  });
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(features));
  const [errors, setErrors] = useState<Readonly<Partial<Record<Name, string>>>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [touched, setTouched] = useState(false);
  const [issued, setIssued] = useState<Issued | null>(null);

  const submit = async (): Promise<void> => {
    const missing = required.filter((name) => values[name].trim() === '');
    setErrors(Object.fromEntries(missing.map((name) => [name, asked[name]])));
    if (missing.length > 0) return;
    setBusy(true);
    setProblem(null);
    try {
      const { data } = await api.send<Issued>('POST', '/api/admin/licenses', {
        ...values,
        maxConcurrentSessions: wholeOf(values.maxConcurrentSessions),
        features: features.filter((feature) => open.has(feature)),
      });
      setIssued(data);
      onIssued();
    } catch (thrown) {
      const found = thrown instanceof ApiProblem ? thrown.errors : [];
      setErrors(Object.fromEntries(found.map(({ pointer, detail }) => [pointer.replace(/^\//u, ''), detail])));
      setProblem(problemText(thrown));
    } finally {
      setBusy(false);
    }
  };

  return {
    field: (name) => ({
      value: values[name],
      error: errors[name],
      onChange: (typed) => {
        setTouched(true);
        setErrors({ ...errors, [name]: undefined });
        setValues({ ...values, [name]: typed });
      },
    }),
    open,
    setOpen: (feature, isOpen) => {
      const next = new Set(open);
      if (isOpen) next.add(feature);
      else next.delete(feature);
      setTouched(true);
      setOpen(next);
    },
    problem,
    busy,
    touched,
    issued,
    submit: (event) => {
      event.preventDefault();
      submit().catch(() => undefined);
    },
  };
};
