import { z } from 'zod';
import type { DocKind } from './wire-entities.ts';
import type { Patch } from './patch.ts';
import { positionSchema } from './position.ts';
import type { ProblemBody } from './problems.ts';

/** The live channel (LIVE-1 to LIVE-13): one namespace, everything by position. */

export const protocolVersion = 1;

/** `patches`: changes of documents that this socket was sent may come as a `PatchedChange`; without it none does. */
export const handshakeSchema = z.object({
  token: z.string().max(4096),
  protocolVersion: z.literal(protocolVersion),
  patches: z.boolean().default(false),
});

/** `workspace`, `campaign:<id>`, `contractor:<id>` or `me`. */
export const scopeSchema = z
  .string()
  .max(200)
  .regex(/^(?:workspace|me|campaign:[\w-]+|contractor:[\w-]+)$/u);

export const subscribeSchema = z.object({ scope: scopeSchema, since: positionSchema.optional() });
export const unsubscribeSchema = z.object({ scope: scopeSchema });
export const renewSchema = z.object({ token: z.string().max(4096) });
export const focusSchema = z
  .object({ placementId: z.string().max(100), field: z.string().max(40), mode: z.enum(['viewing', 'editing']) })
  .nullable();
export const presenceSchema = z.object({ scope: scopeSchema, focus: focusSchema });

export type Ack<Data = object> = ({ ok: true } & Data) | { ok: false; problem: ProblemBody };

/** A person who changed something; the name is the one of then. */
export interface ChangedBy {
  readonly userId: string;
  readonly name: string;
}

/**
 * One document of a scope; `doc: null` = gone from this scope. `by`: of a placement that changed live, who made all that is new in it; absent =
 * several did, nobody is named, or it is not told.
 */
export interface Change {
  readonly kind: DocKind;
  readonly id: string;
  readonly position: number;
  readonly doc: unknown;
  readonly by?: ChangedBy;
}

/** What makes of a document of a scope, as this socket was last sent it there, at `base`, the one of `position`. */
export interface PatchedChange {
  readonly kind: DocKind;
  readonly id: string;
  readonly position: number;
  readonly base: number;
  readonly patch: Patch;
  readonly by?: ChangedBy;
}

/** How far a load is, in documents as they are stored: a few come twice or not at all, as the viewer's rights have it. */
export interface LoadProgress {
  /** This message included. */
  readonly sent: number;
  readonly total: number;
}

/** First load, live change and catch-up alike. `position` is complete once `last` is true. */
export interface Changes<Each = Change> {
  readonly scope: string;
  readonly position: number;
  readonly docs: readonly Each[];
  readonly last: boolean;
  /** Of a load in several messages, with each but the last. For the eye alone: nothing else may hang on it. */
  readonly progress?: LoadProgress;
}

/** As it comes to whoever asked for patches. */
export type PatchingChanges = Changes<Change | PatchedChange>;

export interface Presence {
  readonly scope: string;
  readonly people: readonly {
    readonly sessionId: string;
    readonly userId: string;
    readonly name: string;
    readonly focus: z.infer<typeof focusSchema>;
  }[];
}

export const sessionEndCodes = [
  'LOGGED_OUT',
  'TOKEN_EXPIRED',
  'SESSION_REVOKED',
  'ACCESS_DENIED',
  'LICENSE_INACTIVE',
  'SERVER_STOPPING',
] as const;
export type SessionEndCode = (typeof sessionEndCodes)[number];

export interface ClientToServer {
  subscribe: (
    message: z.infer<typeof subscribeSchema>,
    ack: (answer: Ack<{ position: number; reset: boolean }>) => void,
  ) => void;
  unsubscribe: (message: z.infer<typeof unsubscribeSchema>, ack: (answer: Ack) => void) => void;
  renew: (message: z.infer<typeof renewSchema>, ack: (answer: Ack) => void) => void;
  presence: (message: z.infer<typeof presenceSchema>) => void;
}

export interface ServerToClient {
  changes: (changes: PatchingChanges) => void;
  presence: (presence: Presence) => void;
  reset: (message: { scope: string }) => void;
  'session-ended': (message: { code: SessionEndCode; message: string }) => void;
  problem: (problem: ProblemBody) => void;
}
