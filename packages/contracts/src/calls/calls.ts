import { activationCalls, ownSessionCalls, signInCalls } from './access.calls.ts';
import { adminCalls } from './admin.calls.ts';
import type { Call } from './call.ts';
import { campaignCalls, channelCalls } from './campaign.calls.ts';
import { contractorCalls, creativeCalls } from './catalog.calls.ts';
import { historyCalls } from './history.calls.ts';
import { keyCalls } from './key.calls.ts';
import { webhookCalls } from './webhook.calls.ts';
import { licenceCalls, peopleCalls } from './people.calls.ts';
import { importCalls, placementCalls, undoCalls } from './placement.calls.ts';
import { referenceCalls } from './reference.calls.ts';
import { reportCalls } from './report.calls.ts';
import { notificationCalls } from './notification.calls.ts';
import { viewCalls } from './view.calls.ts';
import { searchCalls } from './search.calls.ts';

/** Every call under `/api` by method and path, in the order in which they are listed. What is not here is not served, and the other way round. */
export const calls = {
  ...signInCalls,
  ...activationCalls,
  ...ownSessionCalls,
  ...placementCalls,
  ...importCalls,
  ...undoCalls,
  ...historyCalls,
  ...campaignCalls,
  ...channelCalls,
  ...creativeCalls,
  ...contractorCalls,
  ...peopleCalls,
  ...reportCalls,
  ...searchCalls,
  ...viewCalls,
  ...notificationCalls,
  ...keyCalls,
  ...webhookCalls,
  ...licenceCalls,
  ...adminCalls,
  ...referenceCalls,
} as const satisfies Readonly<Record<string, Call>>;

export type CallName = keyof typeof calls;

export const callNames = Object.keys(calls) as readonly CallName[];
