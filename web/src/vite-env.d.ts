/** Version of the package this page was built from. */
declare const __APP_VERSION__: string;
