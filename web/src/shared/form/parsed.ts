/** What a text that was typed comes to, or why to nothing, in words for people. */
export type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };
