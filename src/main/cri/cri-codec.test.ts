import { describe, expect, it } from 'vitest'
import { decodeMessage, encodeMessage, nanoseconds } from './cri-codec.ts'
import { enums, messages } from './cri-schema.ts'

describe('messages of CRI', () => {
  it('are written as protobuf has them', () => {
    const bytes = encodeMessage('PodSandbox', {
      id: 'a',
      metadata: { name: 'p', attempt: 2 },
      state: 'SANDBOX_NOTREADY',
      createdAt: nanoseconds(1),
      labels: { k: 'v' },
    })
    // 1: "a", 2: {1: "p", 4: 2}, 3: 1, 4: 1000000, 5: {1: "k", 2: "v"}
    expect(bytes.toString('hex')).toBe('0a016112050a0170200218' + '0120c0843d2a060a016b120176')
  })

  it('are read with empty lists and maps, and without what is not known', () => {
    // 2: {5: "x"}, which no message has
    expect(decodeMessage('ListPodSandboxRequest', Buffer.from('12032a0178', 'hex'))).toEqual({})
    expect(decodeMessage('ExecSyncRequest', Buffer.alloc(0))).toEqual({ cmd: [] })
    const request = encodeMessage('RunPodSandboxRequest', {
      config: { metadata: { name: 'p' }, linux: { securityContext: { runAsUser: { value: 5 } } } },
    })
    expect(decodeMessage('RunPodSandboxRequest', request)).toEqual({
      config: {
        metadata: { name: 'p' },
        portMappings: [],
        labels: {},
        annotations: {},
        linux: {
          securityContext: { runAsUser: { value: 5 }, supplementalGroups: [] },
          sysctls: {},
        },
      },
    })
    expect(() => decodeMessage('ExecSyncRequest', Buffer.from('0aff', 'hex'))).toThrow(RangeError)
  })

  it('name only messages, enums and scalars that exist, and no number twice', () => {
    const scalars = ['string', 'bool', 'bytes', 'int32', 'int64', 'uint32', 'uint64', 'map']
    const known = new Set([...scalars, ...Object.keys(messages), ...Object.keys(enums)])
    for (const [name, text] of Object.entries(messages)) {
      const fields = text.split(' ').filter(Boolean)
      const numbers = fields.map((field) => /=(\d+)/.exec(field)?.[1])
      expect([name, new Set(numbers).size]).toEqual([name, fields.length])
      for (const field of fields) expect(known).toContain(/:\*?(\w+)$/.exec(field)?.[1] ?? 'string')
    }
  })
})

it('nanoseconds are exact', () => {
  const of = (ms: number) => {
    const { low, high } = nanoseconds(ms)
    return (BigInt(high) << 32n) + BigInt(low >>> 0)
  }
  expect(of(Date.UTC(2026, 10, 22, 10, 0, 0, 123))).toBe(1_795_341_600_123_000_000n)
  expect(of(0.001)).toBe(1000n)
})
