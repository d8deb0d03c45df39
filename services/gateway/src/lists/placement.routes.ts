import { presentPlacement, presentPlacementTotals } from '@zakup/contracts/to-wire';
import { placementQuery } from '@zakup/contracts/requests/queries';
import { messages } from '@zakup/domain/messages';
import { may } from '@zakup/domain/permissions';
import { Router } from 'express';
import { aliasesOf } from '../read-models/aliases.ts';
import type { GatewayDeps } from '../deps.ts';
import { readRoute } from '../http/read-route.ts';
import { noQuery } from '../http/asked-query.ts';
import { rowOf } from '../read-models/rows.ts';
import { placementPage } from './placement-page.ts';

/** Rows of a campaign, and one row; those of deleted campaigns are not there. */
export const placementRoutes = (deps: GatewayDeps): Router => {
  const router = Router();

  router.get(
    '/campaigns/:id/placements',
    readRoute(deps, {
      at: true,
      may: (person) => may(person, 'campaign.read'),
      find: async ({ params, person, readStore }) => {
        const [campaign, aliases] = await Promise.all([
          rowOf(readStore, 'campaign', params['id'] ?? '', person.licence.id),
          aliasesOf(readStore, person.licence.id),
        ]);
        return campaign === null ? null : { campaignId: campaign.id, aliases };
      },
      missing: messages.campaignNotFound,
      query: placementQuery,
      answer: async ({ person, readStore }, { campaignId, aliases }, query) => {
        const { rows, totals } = await placementPage({
          readStore,
          licenceId: person.licence.id,
          campaignId,
          aliases,
          query,
        });
        const told = { total: totals.placements, totals: presentPlacementTotals(totals) };
        return { data: { placements: rows.map(presentPlacement), ...told } };
      },
    }),
  );

  router.get(
    '/placements/:id',
    readRoute(deps, {
      at: true,
      may: (person) => may(person, 'campaign.read'),
      find: async ({ params, person, readStore }) => {
        const [row, aliases] = await Promise.all([
          rowOf(readStore, 'placement', params['id'] ?? '', person.licence.id),
          aliasesOf(readStore, person.licence.id),
        ]);
        if (row === null) return null;
        return (await rowOf(readStore, 'campaign', row.campaignId, person.licence.id)) && aliases.placement(row);
      },
      missing: messages.placementNotFound,
      query: noQuery,
      answer: async (_, row) => ({ data: { placement: presentPlacement(row) } }),
    }),
  );

  return router;
};
