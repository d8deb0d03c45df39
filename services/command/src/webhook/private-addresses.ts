import { lookup as lookUp, Resolver } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** IPv4 that is nobody's on the internet: this network, private, shared, loopback, link-local, tests, multicast, reserved. */
const ipv4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Where a cloud answers its machines.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Their kin in IPv6, and tunnels into them. */
const ipv6: readonly (readonly [string, number])[] = [
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

const closed = new BlockList();
for (const [net, bits] of ipv4) closed.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of ipv6) closed.addSubnet(net, bits, 'ipv6');

/** The eight numbers of an IPv6 address. */
const wordsOf = (address: string): readonly number[] => {
  const host = URL.canParse(`http://[${address}]`) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : '::';
  const [left = '', right] = host.split('::');
  const words = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((word) => Number.parseInt(word, 16));
  if (right === undefined) return words(left);
  const [head, tail] = [words(left), words(right)];
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
};

const dotted = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.');

/** The IPv4 address that lies in one of IPv6: mapped, compatible, NAT64, 6to4; null = none. */
const embedded = (words: readonly number[]): string | null => {
  const [a = 0, b = 0, c = 0] = words;
  const [high = 0, low = 0] = words.slice(6);
  const zeros = (from: number, to: number): boolean => words.slice(from, to).every((word) => word === 0);
  if (zeros(0, 6) || (zeros(0, 5) && words[5] === 0xffff) || (zeros(0, 4) && words[4] === 0xffff && words[5] === 0))
    return dotted(high, low);
  if (a === 0x64 && b === 0xff9b && zeros(2, 6)) return dotted(high, low);
  return a === 0x2002 ? dotted(b, c) : null;
};

/** Whether an IP address lies in a network that is not the internet. What is no address counts as one. */
export const isPrivateAddress = (address: string): boolean => {
  const [bare = ''] = address.split('%');
  const family = isIP(bare);
  if (family === 4) return closed.check(bare, 'ipv4');
  if (family !== 6 || bare !== address) return true;
  const inside = embedded(wordsOf(bare));
  return closed.check(bare, 'ipv6') || (inside !== null && closed.check(inside, 'ipv4'));
};

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** All addresses of a host's name; rejects when there are none. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** As the system does it, its hosts file included. Each look takes one of few threads, for as long as a silent name server likes. */
const resolveBySystem: Resolve = async (hostname) =>
  (await lookUp(hostname, { all: true, verbatim: true })).map(({ address, family }) => ({
    address,
    family: family === 6 ? 6 : 4,
  }));

/** Milliseconds for a name server, and how often it is asked. */
const patience = { timeout: 2_000, tries: 2 };

/** By asking name servers, which takes no thread: whoever makes a name can let it be silent. Names of this machine are the system's. */
export const resolveByDns = (resolver: Pick<Resolver, 'resolve4' | 'resolve6'> = new Resolver(patience)): Resolve => {
  return async (hostname) => {
    const name = hostname.replace(/\.$/u, '');
    if (!name.includes('.') || name.endsWith('.localhost')) return resolveBySystem(name);
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 }) as const) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 }) as const) : []),
    ];
    if (found.length === 0) throw Object.assign(new Error(`No address of ${name} was found`), { code: 'ENOTFOUND' });
    return found;
  };
};

/** One of the addresses of a webhook's host is of a private network. */
export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';
}

/** The addresses that a URL's host has now; where private ones are allowed, its names may stand in the hosts file. Throws `PrivateAddress` where one of them is private and they are not allowed. */
export const checkedAddresses = async (
  { hostname }: Pick<URL, 'hostname'>,
  {
    allowPrivate,
    resolve = allowPrivate ? resolveBySystem : resolveByDns(),
  }: { readonly allowPrivate: boolean; readonly resolve?: Resolve | undefined },
): Promise<readonly ResolvedAddress[]> => {
  const host = hostname.replace(/^\[(.*)\]$/u, '$1');
  const family = isIP(host);
  const found = family === 0 ? await resolve(host) : [{ address: host, family: family === 6 ? 6 : 4 } as const];
  if (found.length === 0) throw new Error('The host has no address');
  if (!allowPrivate && found.some(({ address }) => isPrivateAddress(address)))
    throw new PrivateAddress('The address is of a private network');
  return found;
};
