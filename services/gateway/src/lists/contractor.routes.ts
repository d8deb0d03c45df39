import { presentContractor, presentPlacement } from '@zakup/contracts/to-wire';
import { contractorQuery } from '@zakup/contracts/requests/queries';
import { messages } from '@zakup/domain/messages';
import { may } from '@zakup/domain/permissions';
import { Router } from 'express';
import { aliasesOf } from '../read-models/aliases.ts';
import type { GatewayDeps } from '../deps.ts';
import { readRoute } from '../http/read-route.ts';
import { dataOf, rowOf, rowsOf } from '../read-models/rows.ts';

const newestFirst = (
  a: { readonly date: string; readonly createdAt: string },
  b: { readonly date: string; readonly createdAt: string },
): number => {
  const [left, right] = [`${a.date} ${a.createdAt}`, `${b.date} ${b.createdAt}`];
  return left < right ? 1 : left > right ? -1 : 0;
};

/** The contractor dialog: totals, history in campaigns that are there, notes oldest first; of a merged one that of whom it is a part of. */
export const contractorRoutes = (deps: GatewayDeps): Router => {
  const router = Router();

  router.get(
    '/contractors/:id',
    readRoute(deps, {
      at: true,
      may: (person) => may(person, 'lists.read'),
      find: async ({ params, person: { licence }, readStore }) => {
        const { receiver } = await aliasesOf(readStore, licence.id);
        return rowOf(readStore, 'contractor', receiver(params['id'] ?? ''), licence.id);
      },
      missing: messages.contractorNotFound,
      query: contractorQuery,
      answer: async ({ person, readStore }, row, { channelId }) => {
        const licenceId = person.licence.id;
        const aliases = await aliasesOf(readStore, licenceId);
        const parts = await Promise.all(
          aliases
            .parts(row.id)
            .map((contractorId) => rowsOf(readStore, 'placement', licenceId, { where: { contractorId } })),
        );
        const placements = parts.flat().map(aliases.placement);
        const campaignIds = [...new Set(placements.map(({ campaignId }) => campaignId))];
        const campaigns = new Map(
          (await readStore.getMany('campaign', campaignIds))
            .filter((doc) => !doc.deleted && doc.licenceId === licenceId)
            .map((doc) => [doc.id, dataOf('campaign', doc)]),
        );
        const history = placements
          .flatMap((placement) => {
            const campaign = campaigns.get(placement.campaignId);
            if (campaign === undefined || (channelId !== undefined && campaign.channelId !== channelId)) return [];
            const { id, ...rest } = presentPlacement(placement);
            return [{ ...rest, placementId: id, campaignName: campaign.name, channelId: campaign.channelId }];
          })
          .sort(newestFirst);
        const contractor = presentContractor(row);
        return { data: { contractor, history, notes: contractor.notesHistory } };
      },
    }),
  );

  return router;
};
