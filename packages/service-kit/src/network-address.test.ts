import { expect, test } from 'vitest';
import { addressOf, networkOf } from './network-address.ts';

test('SIG-1 of IPv6 the network counts, of IPv4 the address however it is written', () => {
  for (const [ip, place] of [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:DB8:1:2:ffff::1', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:0db8:0000:0000::1', '2001:db8:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    [undefined, ''],
  ] as const)
    expect([ip, addressOf(ip)]).toEqual([ip, place]);
});

test('SIG-80 the network told to the audit is so wide that it names nobody', () => {
  for (const [ip, network] of [
    ['203.0.113.7', '203.0.113.0/24'],
    ['::ffff:203.0.113.7', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['::1', '0:0:0::/48'],
    ['', ''],
    [undefined, ''],
    ['unknown', ''],
  ] as const)
    expect([ip, networkOf(ip)]).toEqual([ip, network]);
});
