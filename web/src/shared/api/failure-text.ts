const things: readonly (readonly [path: RegExp, thing: string])[] = [
  [/^\/api\/employees(?:\/|$)/u, 'employee'],
  [/^\/api\/users(?:\/|$)/u, 'user'],
  [/^\/api\/channels(?:\/|$)/u, 'channel'],
  [/^\/api\/campaigns(?:\/|$)/u, 'campaign'],
  [/^\/api\/creatives(?:\/|$)/u, 'creative'],
];

const operationOf = (method: string, rest: string): 'create' | 'update' | 'delete' | null => {
  switch (method) {
    case 'POST':
      // Further words are other calls of one that is there: completing, a code issued anew.
      return /^(?:\/create(?:-safe)?)?$/u.test(rest) ? 'create' : 'update';
    case 'PUT':
    case 'PATCH':
      return 'update';
    case 'DELETE':
      return 'delete';
    default:
      return null;
  }
};

/** What a failure without a text of the server's own is called: 'Failed to create channel', else 'HTTP error! status: 500'. */
export const failureText = (method: string, address: string, status: number): string => {
  const path = address.split('?')[0] ?? address;
  for (const [pattern, thing] of things) {
    const [start] = pattern.exec(path) ?? [];
    if (start === undefined) continue;
    const operation = operationOf(method, path.slice(start.replace(/\/$/u, '').length));
    if (operation !== null) return `Failed to ${operation} ${thing}`;
  }
  return `HTTP error! status: ${status}`;
};
