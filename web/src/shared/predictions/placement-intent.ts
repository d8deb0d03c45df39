import {
  type AddPlacementBody,
  addPlacementRequest,
  type ChangePlacementBody,
  changePlacementRequest,
  type SetPaymentBody,
  setPaymentRequest,
} from '@zakup/contracts/requests/placement.requests';
import { messages } from '@zakup/domain/messages';
import type { z } from 'zod';
import type { CommandDraft } from '../outbox/entry.ts';

/** What a command on its way wants of a placement, its body read as the server reads it. */
export type PlacementIntent =
  | { readonly op: 'add'; readonly body: AddPlacementBody }
  | { readonly op: 'change'; readonly body: ChangePlacementBody }
  | { readonly op: 'payment'; readonly body: SetPaymentBody }
  | { readonly op: 'remove' }
  | { readonly op: 'restore' };

export type ReadIntent =
  | { readonly kind: 'wish'; readonly wish: PlacementIntent }
  /** Wrong in itself, whatever there is on the server; `reason` in the server's words. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Another call. */
  | { readonly kind: 'unknown' };

const asWish = (wish: PlacementIntent): ReadIntent => ({ kind: 'wish', wish });

const reading =
  <Schema extends z.ZodType>(schema: Schema, wish: (body: z.output<Schema>) => PlacementIntent) =>
  (body: unknown): ReadIntent => {
    const result = schema.safeParse(body);
    if (result.success) return asWish(wish(result.data));
    return { kind: 'refused', reason: result.error.issues[0]?.message ?? messages.bodyInvalid };
  };

/** By the names of the table of calls. */
const readings: Readonly<Record<string, (body: unknown) => ReadIntent>> = {
  'POST /api/placements': reading(addPlacementRequest, (body) => ({ op: 'add', body })),
  'PATCH /api/placements/{id}': reading(changePlacementRequest, (body) => ({ op: 'change', body })),
  'POST /api/placements/{id}/payment': reading(setPaymentRequest, (body) => ({ op: 'payment', body })),
  'DELETE /api/placements/{id}': () => asWish({ op: 'remove' }),
  'POST /api/placements/{id}/restore': () => asWish({ op: 'restore' }),
};

type Sent = Pick<CommandDraft, 'target' | 'method' | 'path' | 'body'>;

/** Reads a command by its call alone, so that one kept by an earlier version of the app is read as well. */
export const readPlacementIntent = ({ target, method, path, body }: Sent): ReadIntent => {
  const pattern = target.id === null ? path : path.replace(`/${target.id}`, '/{id}');
  return readings[`${method} ${pattern}`]?.(body) ?? { kind: 'unknown' };
};
