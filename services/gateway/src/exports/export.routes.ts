import { Readable } from 'node:stream';
import { placementExportQuery } from '@zakup/contracts/requests/queries';
import { messages } from '@zakup/domain/messages';
import { may } from '@zakup/domain/permissions';
import { Router } from 'express';
import type { GatewayDeps } from '../deps.ts';
import { noQuery, nothingToFind, readRoute } from '../read-route.ts';
import { rowOf } from '../rows.ts';
import { byteOrderMark, csvLine } from './csv.ts';
import { attachment, fileNamePart } from './file-name.ts';
import { inChunks } from './in-chunks.ts';
import { licenceArchive } from './licence-archive.ts';
import { placementColumns, type PlacementTable, placementTable } from './placement-table.ts';
import { xlsxOf } from './xlsx.ts';

const csvTexts = async function* ({ rows }: PlacementTable): AsyncGenerator<string, void, undefined> {
  yield byteOrderMark + csvLine(placementColumns.map(({ title }) => ({ kind: 'text', text: title })));
  for await (const cells of rows()) yield csvLine(cells);
};

const files = {
  csv: {
    type: 'text/csv; charset=utf-8',
    content: (table: PlacementTable): Readable => Readable.from(inChunks(csvTexts(table)), { objectMode: false }),
  },
  xlsx: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    content: (table: PlacementTable): Readable => xlsxOf({ name: 'Размещения', columns: placementColumns, ...table }),
  },
} as const;

/** What a person takes along as a file (ANA-6). */
export const exportRoutes = (deps: GatewayDeps): Router => {
  const router = Router();

  router.get(
    '/campaigns/:id/export',
    readRoute(deps, {
      may: (person) => may(person, 'campaign.export'),
      at: true,
      find: ({ params, person, readStore }) => rowOf(readStore, 'campaign', params['id'] ?? '', person.licence.id),
      missing: messages.campaignNotFound,
      query: placementExportQuery,
      answer: async ({ person, readStore }, campaign, { format, placementFormat, ...query }) => {
        const selection = { ...query, format: placementFormat };
        const table = await placementTable(readStore, person.licence.id, campaign.id, selection);
        const name = ['Размещения', fileNamePart(campaign.name)].filter((part) => part !== '').join(' - ');
        const { type, content } = files[format];
        return { type, disposition: attachment(`${name}.${format}`, `placements.${format}`), content: content(table) };
      },
    }),
  );

  router.get(
    '/license/export',
    readRoute(deps, {
      ...nothingToFind,
      may: (person) => may(person, 'licence.export'),
      query: noQuery,
      answer: async ({ licence, position }) => {
        const name = ['Zakup', fileNamePart(licence.teamName)].filter((part) => part !== '').join(' - ');
        return {
          type: 'application/zip',
          disposition: attachment(`${name}.zip`, 'zakup.zip'),
          content: licenceArchive(deps, { licence, position, now: deps.now() }),
        };
      },
    }),
  );

  return router;
};
