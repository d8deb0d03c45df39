const labels: Readonly<Record<string, string>> = {
  CEO: 'Владелец',
  CBDO: 'CBDO',
  TEAM_LEAD: 'Тим-лид',
  MEDIA_BUYER: 'Медиа-байер',
  ANALYTIC: 'Аналитик',
};

/** A role in words; an unknown one counts as a media buyer. */
export const roleLabel = (role: string): string => labels[role] ?? 'Медиа-байер';
