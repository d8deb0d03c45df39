import { type Call, replySchemaOf } from '@zakup/contracts/calls/call';
import { type CallName, calls } from '@zakup/contracts/calls/calls';
import { problemBodySchema } from '@zakup/contracts/problems';
import type { Sent } from './examples.ts';
import type { WholeApi } from './whole-api.ts';

export interface Got {
  readonly status: number;
  readonly code: string | null;
  readonly error: string | null;
  readonly text: string;
}

const pathOf = (call: Call, { params = {}, query = {} }: Sent): string => {
  const path = call.path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const members = new URLSearchParams(query).toString();
  return members === '' ? path : `${path}?${members}`;
};

/**
 * Sends a call as its table has it. A success must be exactly its reply, a refusal a problem with a code that the table names: anything
 * else throws.
 */
export const send = async (api: WholeApi, name: CallName, sent: Sent, token?: string): Promise<Got> => {
  const call: Call = calls[name];
  const after = call.after && sent.query?.['at'] === undefined ? { after: String(await api.eventStore.head()) } : {};
  const path = pathOf(call, { ...sent, query: { ...after, ...sent.query } });
  const bearer = sent.token ?? token;
  const response = await fetch(`${api.address}/api${path}`, {
    method: call.method,
    headers: {
      ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
      ...(sent.body !== undefined && { 'Content-Type': 'application/json' }),
      ...sent.headers,
    },
    ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }),
  });
  const text = await response.text();
  const { status } = response;
  if (status === 200 && call.envelope === 'file') return { status, code: null, error: null, text };
  const body: unknown = JSON.parse(text);
  if (status === 200) {
    const parsed = replySchemaOf(call).parse(body);
    const [known, told] = [JSON.stringify(sorted(parsed)), JSON.stringify(sorted(body))];
    if (known !== told) throw new Error(`${name} answers more than its schema has: ${told} instead of ${known}`);
    return { status, code: null, error: null, text };
  }
  const { code, error } = problemBodySchema.parse(body);
  if (!call.problems.includes(code)) throw new Error(`${name} answers ${code}, which its row does not name: ${text}`);
  return { status, code, error, text };
};

/** With members in the order of their names. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sorted(member as unknown)]),
  );
};
