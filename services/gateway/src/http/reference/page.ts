/** The page of `/api/docs`: nothing inline and nothing from elsewhere, as the content security policy wants it. */
export const page = `<!doctype html>
<html lang="ru">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Zakup: вызовы сервера</title>
    <link rel="icon" type="image/png" href="/api/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/api/docs/swagger-ui.css">
    <link rel="stylesheet" href="/api/docs/page.css">
  </head>
  <body>
    <main id="calls"><p>Описание загружается…</p></main>
    <noscript><p>Чтобы увидеть описание, включите JavaScript. Оно же для программ: <a href="/api/openapi.json">openapi.json</a>.</p></noscript>
    <script src="/api/docs/swagger-ui-bundle.js"></script>
    <script src="/api/docs/start.js"></script>
  </body>
</html>
`;

export const pageStyle = `html { box-sizing: border-box; }
*, *::before, *::after { box-sizing: inherit; }
body { margin: 0; background: #fafafa; }
#calls > p, noscript > p { margin: 2rem; font-family: sans-serif; }
`;

/** No validator elsewhere is asked, and a token typed in is forgotten with the page. */
export const pageStart = `SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#calls',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  validatorUrl: null,
  persistAuthorization: false,
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
});
`;
