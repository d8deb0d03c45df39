/** Where in a trace something belongs, as W3C Trace Context says it: 32 and 16 hex digits in lower case, neither all zero. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  /** Whether whoever began the trace keeps it. */
  readonly sampled: boolean;
}

const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-|$)/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Later versions may be longer, but nobody needs to look at more. */
const longest = 128;

/** What a `traceparent` header says; null = it is none. https://www.w3.org/TR/trace-context/#traceparent-header */
export const traceContextIn = (header: string): TraceContext | null => {
  if (header.length > longest) return null;
  const [, traceId, spanId, flags, rest] = traceparent.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  if (header.startsWith('00') && rest !== '') return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
};

/**
 * The trace that a click, a call or a command begins: its UUID is the trace's id, and its second half that of the span that nobody
 * recorded. Whoever knows the command's id knows the trace. Null: it is no UUID that can be one.
 */
export const traceOf = (id: string): TraceContext | null => {
  const text = id.toLowerCase();
  if (!uuid.test(text)) return null;
  const traceId = text.replaceAll('-', '');
  const spanId = traceId.slice(16);
  return /^0+$/.test(traceId) || /^0+$/.test(spanId) ? null : { traceId, spanId, sampled: true };
};

/** Whether a trace begins here: its first span is only named by its id, and was recorded by nobody. */
export const beginsTrace = ({ traceId, spanId }: Pick<TraceContext, 'traceId' | 'spanId'>): boolean =>
  traceId.endsWith(spanId);

/** The correlation id of a trace: its id as a UUID. */
export const correlationIdOf = ({ traceId }: TraceContext): string =>
  [traceId.slice(0, 8), traceId.slice(8, 12), traceId.slice(12, 16), traceId.slice(16, 20), traceId.slice(20)].join(
    '-',
  );

/** The `traceparent` of a command; null where its id names no trace. */
export const traceparentOf = (commandId: string): string | null => {
  const context = traceOf(commandId);
  return context === null ? null : `00-${context.traceId}-${context.spanId}-01`;
};
