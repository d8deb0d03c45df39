/** The id of the team's stream. */
export const teamViews = 'team';

const teamPrefix = 'team-';

/** The id of a view tells whose it is. */
export const isTeamView = (viewId: string): boolean => viewId.startsWith(teamPrefix);

/** `id`: of 24 hex digits. */
export const viewIdOf = (id: string, shared: boolean): string => (shared ? `${teamPrefix}${id}` : id);

/** The id of the stream in which a view is, for a person who names it. */
export const viewStreamOf = (viewId: string, personId: string): string => (isTeamView(viewId) ? teamViews : personId);
