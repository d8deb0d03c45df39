declare module 'swagger-ui-express' {
  import type { RequestHandler } from 'express';

  /** Handlers of the page's own start script and of the files of `swagger-ui-dist`; the options are `express.static`'s. */
  export function serveWithOptions(options: {
    readonly redirect?: boolean;
    readonly fallthrough?: boolean;
    readonly maxAge?: number;
  }): readonly [RequestHandler, RequestHandler];
}
