import { scrypt, scryptSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import jwt from 'jsonwebtoken';
import { Refusal } from './refusal.mjs';

const scrypted = promisify(scrypt);

export const hashed = (password) => {
  const salt = randomBytes(16);
  return `${salt.toString('hex')}:${scryptSync(password, salt, 32).toString('hex')}`;
};

const isPassword = async (password, kept) => {
  const [salt, hash] = kept.split(':').map((part) => Buffer.from(part, 'hex'));
  return timingSafeEqual(await scrypted(password, salt, 32), hash);
};

/** What each role may do with placements; everybody may read. */
const rights = {
  CEO: ['add', 'change', 'remove'],
  CBDO: ['add', 'change', 'remove'],
  TEAM_LEAD: ['add', 'change', 'remove'],
  MEDIA_BUYER: ['add', 'change'],
  ANALYTIC: [],
};

/** Throws a refusal when the person's role does not allow it. */
export const demand = (person, right) => {
  if (!rights[person.role]?.includes(right)) throw new Refusal(403, 'ACCESS_DENIED', 'Your role does not allow this');
};

/** Signing in, and who a token is of: the role is that of now, and somebody who was blocked is out at once. */
export const people = (db, secret) => {
  const byEmail = db.prepare('SELECT id, password FROM users WHERE email = ? AND active = 1');
  const byId = db.prepare('SELECT id, name, role FROM users WHERE id = ? AND active = 1');
  const personOf = (token) => {
    let claims;
    try {
      claims = jwt.verify(token, secret, { algorithms: ['HS256'] });
    } catch {
      throw new Refusal(401, 'UNAUTHORIZED', 'Sign in');
    }
    const person = byId.get(claims.sub);
    if (person === undefined) throw new Refusal(401, 'UNAUTHORIZED', 'Sign in');
    return person;
  };
  return {
    personOf,
    async signIn({ email, password }) {
      const user = byEmail.get(email);
      if (user === undefined || !(await isPassword(password, user.password)))
        throw new Refusal(401, 'UNAUTHORIZED', 'Wrong e-mail or password');
      return {
        userId: user.id,
        token: jwt.sign({}, secret, { subject: user.id, expiresIn: '8h', algorithm: 'HS256' }),
      };
    },
  };
};
