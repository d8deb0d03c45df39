import { createSocket } from 'node:dgram';
import { lookup, Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { checkedAddresses, isPrivateAddress, PrivateAddress, resolveByDns } from './private-addresses.ts';

describe('addresses of private networks', () => {
  it.each([
    ['0.0.0.0', true],
    ['10.1.2.3', true],
    ['100.63.255.255', false],
    ['100.64.0.0', true],
    ['100.127.255.255', true],
    ['100.128.0.0', false],
    ['127.0.0.1', true],
    ['169.254.169.254', true],
    ['172.15.255.255', false],
    ['172.16.0.1', true],
    ['172.31.255.255', true],
    ['172.32.0.0', false],
    ['192.168.0.1', true],
    ['198.18.0.1', true],
    ['224.0.0.1', true],
    ['255.255.255.255', true],
    ['8.8.8.8', false],
    ['::', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['::ffff:7f00:1', true],
    ['::ffff:8.8.8.8', false],
    ['::ffff:0:10.0.0.1', true],
    ['::10.0.0.1', true],
    ['64:ff9b::10.0.0.1', true],
    ['64:ff9b::8.8.8.8', false],
    ['64:ff9b:1::8.8.8.8', true],
    ['2002:a00:1::', true],
    ['2002:808:808::', false],
    ['2001::1', true],
    ['fc00::1', true],
    ['fdff::1', true],
    ['fe80::1', true],
    ['fe80::1%eth0', true],
    ['febf::1', true],
    ['ff02::1', true],
    ['2a00:1450:4010::200e', false],
    ['localhost', true],
    ['', true],
  ])('WHK-2900 %s is private: %s', (address, expected) => {
    expect(isPrivateAddress(address)).toBe(expected);
  });

  it.each([
    'http://127.1/',
    'http://0x7f.0.0.1/',
    'http://2130706433/',
    'http://[::ffff:127.0.0.1]/',
    'http://017700000001/',
  ])('WHK-2901 however it is written: %s', async (url) => {
    const asked = checkedAddresses(new URL(url), { allowPrivate: false });
    await expect(asked).rejects.toThrow(PrivateAddress);
  });

  it('WHK-2902 one private address among public ones is enough, unless they are allowed', async () => {
    const url = new URL('https://hooks.example.org/');
    const resolve = async () => [
      { address: '93.184.216.34', family: 4 as const },
      { address: '10.0.0.1', family: 4 as const },
    ];
    await expect(checkedAddresses(url, { allowPrivate: false, resolve })).rejects.toThrow(PrivateAddress);
    expect(await checkedAddresses(url, { allowPrivate: true, resolve })).toHaveLength(2);
  });
});

describe('names that no server tells of', () => {
  it('WHK-3091 hold up no other look-up of this process, and end', async () => {
    const silent = createSocket('udp4');
    silent.bind(0, '127.0.0.1');
    await once(silent, 'listening');
    const patience = 200;
    const resolver = new Resolver({ timeout: patience, tries: 1 });
    resolver.setServers([`127.0.0.1:${silent.address().port}`]);
    const ended: string[] = [];
    const looks = Array.from({ length: 8 }, (_, index) =>
      resolveByDns(resolver)(`n${index}.example.org`).catch((error: Error & { readonly code?: string }) => {
        ended.push('silent');
        return error.code;
      }),
    );
    await lookup('localhost');
    ended.push('localhost');
    expect(await Promise.all(looks)).toEqual(Array.from({ length: 8 }, () => 'ENOTFOUND'));
    expect(ended[0]).toBe('localhost');
    silent.close();
  });

  it.each(['localhost', 'localhost.'])('WHK-3092 %s is this machine, and private', async (hostname) => {
    await expect(checkedAddresses({ hostname }, { allowPrivate: false })).rejects.toThrow(PrivateAddress);
  });
});
