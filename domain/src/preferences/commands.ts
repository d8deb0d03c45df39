/** `head`: how far the log goes; nobody has read what has not happened. */
export type PreferencesCommand = { readonly type: 'ReadNotifications'; readonly upTo: number; readonly head: number };
