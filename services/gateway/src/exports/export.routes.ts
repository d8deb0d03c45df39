import { placementExportQuery } from '@zakup/contracts/requests/queries';
import { messages } from '@zakup/domain/messages';
import { may } from '@zakup/domain/permissions';
import { Router } from 'express';
import type { GatewayDeps } from '../deps.ts';
import { nothingToFind, readRoute } from '../http/read-route.ts';
import { noQuery } from '../http/asked-query.ts';
import { rowOf } from '../read-models/rows.ts';
import { attachment, fileNamePart } from './file-name.ts';
import { licenceArchive } from './licence-archive.ts';
import { placementColumns, placementTable } from './placement-table.ts';
import { tableFile } from './table-file.ts';

/** What a person takes along as a file (ANA-6). */
export const exportRoutes = (deps: GatewayDeps): Router => {
  const router = Router();

  router.get(
    '/campaigns/:id/export',
    readRoute(deps, {
      weight: 'file',
      may: (person) => may(person, 'campaign.export'),
      at: true,
      find: ({ params, person, readStore }) => rowOf(readStore, 'campaign', params['id'] ?? '', person.licence.id),
      missing: messages.campaignNotFound,
      query: placementExportQuery,
      answer: async ({ person, readStore, at }, campaign, { format, placementFormat, ...query }) => {
        const selection = { ...query, format: placementFormat };
        const table = await placementTable(readStore, person.licence.id, campaign.id, selection);
        const names = ['Размещения', campaign.name];
        return tableFile(
          { columns: placementColumns, ...table },
          { format, names, plainName: 'placements', sheet: 'Размещения', at, what: 'table' },
        );
      },
    }),
  );

  router.get(
    '/license/export',
    readRoute(deps, {
      closedToKeys: true,
      ...nothingToFind,
      weight: 'bundle',
      may: (person) => may(person, 'licence.export'),
      query: noQuery,
      answer: async ({ licence, position }) => {
        const name = ['Zakup', fileNamePart(licence.teamName)].filter((part) => part !== '').join(' - ');
        return {
          type: 'application/zip',
          disposition: attachment(`${name}.zip`, 'zakup.zip'),
          taken: { what: 'archive', name: '' },
          content: licenceArchive(deps, { licence, position, now: deps.now() }),
        };
      },
    }),
  );

  return router;
};
