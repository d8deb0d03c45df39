/** Names of the scopes that documents are in: docs/reference/live.md. */
export const workspaceScope = 'workspace';
export const campaignScope = (campaignId: string): string => `campaign:${campaignId}`;
export const contractorScope = (contractorId: string): string => `contractor:${contractorId}`;
export const personScope = (userId: string): string => `person:${userId}`;
