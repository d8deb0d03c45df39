import { openApiDocument } from '@zakup/gateway/http/reference/openapi-document';
import { callsPage } from './calls-page.ts';

export interface ReferenceFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** Everything under `docs/reference` that the table of calls makes; `textOf` reads what is there. */
export const referenceFiles = async (textOf: (path: string) => string): Promise<readonly ReferenceFile[]> => {
  const document = await openApiDocument();
  const page = 'docs/reference/calls.md';
  return [
    { path: 'docs/reference/openapi.json', text: `${JSON.stringify(document, null, 1)}\n` },
    { path: page, text: callsPage(textOf(page), document) },
  ];
};
