import { presentCreative } from '@zakup/contracts/to-wire';
import { changeCreativeRequest, createCreativeRequest } from '@zakup/contracts/requests/catalog.requests';
import { creativeDecider } from '@zakup/domain/creative/creative.decider';
import { messages } from '@zakup/domain/messages';
import type { Router } from 'express';
import { crudRoutes } from '../pipeline/crud-routes.ts';
import type { PipelineDeps } from '../pipeline/pipeline-deps.ts';

/** Creatives: CRV-1. */
export const creativeRoutes = (deps: PipelineDeps): Router =>
  crudRoutes(deps, {
    name: 'creative',
    path: '/creatives',
    decider: creativeDecider,
    notFound: messages.creativeNotFound,
    isChangeable: () => true,
    isRemovable: ({ isActive }) => isActive,
    createSchema: createCreativeRequest,
    changeSchema: changeCreativeRequest,
    create: ({ name, abbreviation = '', type: creativeType = 'TEXT_ONLY', notes = '' }) =>
      ({
        type: 'CreateCreative',
        name,
        abbreviation,
        creativeType,
        notes,
      }) as const,
    change: (changes) => ({ type: 'ChangeCreative', changes }) as const,
    remove: { type: 'DeactivateCreative' },
    facts: {},
    removalFacts: async () => ({}),
    toWire: presentCreative,
  });
