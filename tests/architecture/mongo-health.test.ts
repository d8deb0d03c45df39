import { createContext, runInContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { textOf } from './repository-files.ts';

interface User {
  readonly pwd: string;
  readonly roles: readonly unknown[];
}

/** What the check asks of a server, as MongoDB documents it: who may do what depends on who has signed in and whether there are users. */
class Server {
  isInitiated = false;
  isPrimary = false;
  readonly users = new Map<string, User>();
  readonly changes: string[] = [];
  private signedIn: string | null = null;

  connected(): this {
    this.signedIn = null;
    return this;
  }
  hello(): object {
    return { ...(this.isInitiated ? { setName: 'rs0' } : {}), isWritablePrimary: this.isPrimary };
  }
  adminCommand(command: {
    readonly replSetInitiate: { readonly members: readonly { readonly host: string }[] };
  }): object {
    this.mayChange();
    this.isInitiated = true;
    this.changes.push(`initiate ${command.replSetInitiate.members.map(({ host }) => host).join()}`);
    return { ok: 1 };
  }
  auth(name: string, pwd: string): object {
    if (this.users.get(name)?.pwd !== pwd) throw new Error('Authentication failed.');
    this.signedIn = name;
    return { ok: 1 };
  }
  getUser(name: string): object | null {
    this.mayChange();
    return this.users.has(name) ? { user: name } : null;
  }
  createUser({ user, ...rest }: User & { readonly user: string }): void {
    this.mayChange();
    if (!this.isPrimary) throw new Error('not primary');
    this.users.set(user, rest);
    this.changes.push(`create ${user}`);
  }
  updateUser(name: string, user: User): void {
    this.mayChange();
    this.users.set(name, user);
    this.changes.push(`update ${name}`);
  }
  private mayChange(): void {
    if (this.users.size > 0 && this.signedIn !== 'root') throw new Error('requires authentication');
  }
}

const script = textOf('deploy/mongo/health.js');

/** Runs the check as mongosh does; throws when it finds the server unhealthy. */
function check(server: Server, secrets: Readonly<Record<string, string>>): void {
  const readFileSync = (path: string): string => {
    const text = secrets[path.replace('/secrets/', '')];
    if (text === undefined) throw new Error(`ENOENT ${path}`);
    return `${text}\n`;
  };
  runInContext(script, createContext({ connect: () => server.connected(), require: () => ({ readFileSync }) }));
}

const secrets = { 'app-password': 'a', 'root-password': 'r' };

describe('health check of MongoDB in the full system', () => {
  test('DEP-9 initiates the set under the name that others reach it by, and is healthy once it is a primary with its user', () => {
    const server = new Server();
    expect(() => check(server, secrets)).toThrow('not a writable primary yet');
    expect(() => check(server, secrets)).toThrow('not a writable primary yet');
    server.isPrimary = true;
    check(server, secrets);
    expect(server.changes).toEqual(['initiate mongo:27017', 'create root', 'create zakup']);
    expect(server.users.get('zakup')).toEqual({ pwd: 'a', roles: [{ role: 'readWrite', db: 'zakup' }] });
    check(server, secrets);
    expect(server.changes).toHaveLength(3);
  });

  test('DEP-10 a start cut off between the two users is finished; another password of the services is taken over', () => {
    const server = new Server();
    server.isInitiated = server.isPrimary = true;
    server.users.set('root', { pwd: 'r', roles: ['root'] });
    check(server, secrets);
    check(server, { ...secrets, 'app-password': 'b' });
    expect(server.changes).toEqual(['create zakup', 'update zakup']);
    expect(server.users.get('zakup')?.pwd).toBe('b');
  });

  test('DEP-11 is unhealthy when the secrets are not those of the data, and when it is no primary any more', () => {
    const server = new Server();
    server.isInitiated = server.isPrimary = true;
    server.users.set('root', { pwd: 'other', roles: ['root'] });
    expect(() => check(server, secrets)).toThrow('requires authentication');
    expect(server.changes).toEqual([]);
    server.isPrimary = false;
    expect(() => check(server, secrets)).toThrow('not a writable primary yet');
  });
});
