import { signIn, type Team, type Who } from './team.ts';

/** What a browser of somebody who signed in just now keeps (AUTH-16). */
export const signedInStorage = async (team: Team, who: Who) => {
  const member = team.member(who);
  const { token, refreshToken } = await signIn(team.address, member);
  const record = { userId: member.id, timestamp: Date.now(), lifetimeMinutes: 1_440 };
  const items = { authToken: token, refreshToken, 'tg-analytics-session': JSON.stringify(record) };
  const localStorage = Object.entries(items).map(([name, value]) => ({ name, value }));
  return { cookies: [], origins: [{ origin: team.address, localStorage }] };
};
