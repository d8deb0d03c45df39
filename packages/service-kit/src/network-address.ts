/** Groups of an IPv6 address that a provider gives to one customer. */
const networkGroups = 4;

/** What of a network address stands for one place: IPv4 whole, also when written as IPv6; of IPv6 its network. */
export const addressOf = (ip: string | undefined): string => {
  const address = (ip ?? '').toLowerCase().replace(/%.*$/u, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/u.exec(address);
  if (mapped !== null) return mapped[1] ?? '';
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const before = head.split(':').filter((group) => group !== '');
  const after = (tail ?? '').split(':').filter((group) => group !== '');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return groups
    .slice(0, networkGroups)
    .map((group) => group.replace(/^0+(?=.)/u, ''))
    .join(':');
};

/** Groups of an IPv6 address that stand for a site. */
const siteGroups = 3;

/** The network that an address is in, so wide that it names no person: a /24 of IPv4, a /48 of IPv6; empty when it is neither. */
export const networkOf = (ip: string | undefined): string => {
  const address = addressOf(ip);
  if (address.includes(':')) return `${address.split(':').slice(0, siteGroups).join(':')}::/48`;
  const parts = address.split('.');
  return parts.length === 4 ? `${parts.slice(0, 3).join('.')}.0/24` : '';
};
