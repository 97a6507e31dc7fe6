import { describe, expect, it } from 'vitest'
import { PodAddresses } from './pod-addresses.ts'

describe('PodAddresses', () => {
  it('begins after the gateway and counts up', () => {
    const addresses = new PodAddresses({ podCidr: '10.244.0.0/16' })
    expect([addresses.take(), addresses.take()]).toEqual(['10.244.0.2', '10.244.0.3'])
  })

  it('takes a freed address only when its turn comes again', () => {
    const addresses = new PodAddresses({ podCidr: '10.244.1.0/29' })
    const first = ['2', '3', '4'].map(() => addresses.take())
    addresses.free('10.244.1.2')
    expect(first).toEqual(['10.244.1.2', '10.244.1.3', '10.244.1.4'])
    expect([addresses.take(), addresses.take(), addresses.take()]).toEqual([
      '10.244.1.5',
      '10.244.1.6',
      '10.244.1.2',
    ])
  })

  it('has none left when all are in use, until one is freed', () => {
    const addresses = new PodAddresses({ podCidr: '192.168.7.4/30' })
    expect([addresses.take(), addresses.take()]).toEqual(['192.168.7.6', undefined])
    addresses.free('192.168.7.6')
    expect(addresses.take()).toBe('192.168.7.6')
  })

  it('goes over into the next block', () => {
    const addresses = new PodAddresses({ podCidr: '10.244.0.0/16' })
    const taken = Array.from({ length: 300 }, () => addresses.take())
    expect(new Set(taken).size).toBe(300)
    expect(taken.at(-1)).toBe('10.244.1.45')
  })

  it.for(['', '10.244.0.0', '10.244.0.0/31', '300.1.1.0/24', 'fd00::/64'])(
    'refuses %j',
    (podCidr) => {
      expect(() => new PodAddresses({ podCidr })).toThrow('not a range of pod addresses')
    },
  )
})
