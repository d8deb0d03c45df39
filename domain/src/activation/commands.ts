export type ActivationCommand =
  | { readonly type: 'IssueActivationCode'; readonly by: 'admin' | 'owner'; readonly validUntil: string }
  /** Given only after the credential store found the code right. */
  | { readonly type: 'AcceptActivationCode' }
  | { readonly type: 'CompleteActivation' };

export interface ActivationFacts {
  /** UTC instant, ISO 8601. */
  readonly now: string;
}
