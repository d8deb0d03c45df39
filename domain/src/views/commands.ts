/** `query`: as an address says it, checked. */
export type SavedViewCommand =
  | {
      readonly type: 'SaveView';
      readonly viewId: string;
      readonly name: string;
      readonly query: string;
      /** Of a view that comes back. */
      readonly saved?: { readonly authorId: string; readonly createdAt: string };
    }
  | {
      readonly type: 'ChangeView';
      readonly viewId: string;
      readonly changes: { readonly name?: string; readonly query?: string };
    }
  | { readonly type: 'DeleteView'; readonly viewId: string };
