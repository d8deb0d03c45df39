import { roleLabels } from '@zakup/domain/topics';

const labels: Readonly<Record<string, string>> = roleLabels;

/** A role in words; an unknown one counts as a media buyer. */
export const roleLabel = (role: string): string => labels[role] ?? roleLabels.MEDIA_BUYER;
