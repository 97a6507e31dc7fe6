import { describe, expect, it } from 'vitest'
import { machineAddress } from './machine-address.ts'
import type { MachineNetworks } from './machine-address.ts'

const addressOf = (address: string, internal = false) => ({
  address,
  family: address.includes(':') ? 'IPv6' : 'IPv4',
  internal,
})

const header =
  'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n'
const route = (name: string, destination: string, mask: string): string =>
  `${name}\t${destination}\t010200C0\t0003\t0\t0\t0\t${mask}\t0\t0\t0\n`
const zero = '0'.repeat(32)
const route6 = `${zero} 00 ${zero} 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003     eth1\n`

const machine: MachineNetworks = {
  interfaces: {
    lo: [addressOf('127.0.0.1', true), addressOf('::1', true)],
    eth0: [addressOf('fe80::1'), addressOf('192.0.2.2'), addressOf('2001:db8::2')],
    eth1: [addressOf('198.51.100.7'), addressOf('2001:db8:1::7')],
  },
  routes: header + route('eth0', '000200C0', '00FFFFFF') + route('eth1', '00000000', '00000000'),
  routes6: '',
  lookup: async () => [],
}

describe('machineAddress', () => {
  it('is the name of a node that is an address', async () => {
    expect(await machineAddress('203.0.113.9', machine)).toBe('203.0.113.9')
    expect(await machineAddress('2001:db8::9', machine)).toBe('2001:db8::9')
  })

  it('is what the name resolves to, if this machine has it: IPv4 first', async () => {
    const lookup = async () => ['127.0.0.1', '203.0.113.9', '2001:db8::2', '192.0.2.2']
    expect(await machineAddress('node', { ...machine, lookup })).toBe('192.0.2.2')
    const only6 = async () => ['127.0.0.1', '2001:db8::2']
    expect(await machineAddress('node', { ...machine, lookup: only6 })).toBe('2001:db8::2')
  })

  it('is else that of the interface of the default route', async () => {
    expect(await machineAddress('node', machine)).toBe('198.51.100.7')
    const lookup = async () => ['127.0.1.1']
    expect(await machineAddress('node', { ...machine, lookup })).toBe('198.51.100.7')
  })

  it('is of IPv6 where only that has a default route', async () => {
    const routes = { routes: header, routes6: route6 }
    expect(await machineAddress('node', { ...machine, ...routes })).toBe('2001:db8:1::7')
  })

  it('may be on the loopback interface where the routes are between link-local addresses', async () => {
    const interfaces = {
      lo: [addressOf('127.0.0.1', true), addressOf('203.0.113.1', true)],
      eth1: [addressOf('169.254.1.1')],
    }
    expect(await machineAddress('node', { ...machine, interfaces })).toBe('203.0.113.1')
  })

  it('is that of any interface on a system without a file of routes', async () => {
    const none = { routes: undefined, routes6: undefined }
    expect(await machineAddress('node', { ...machine, ...none })).toBe('192.0.2.2')
  })

  it('is not known on a machine without a network', async () => {
    const interfaces = { lo: [addressOf('127.0.0.1', true)] }
    expect(await machineAddress('node', { ...machine, interfaces, routes: header })).toBeUndefined()
  })
})
