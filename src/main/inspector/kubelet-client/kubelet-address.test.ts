import { describe, expect, it } from 'vitest'
import type { Node } from '../../../shared/kubernetes/objects.ts'
import { isProxyable, kubeletAddress } from './kubelet-address.ts'

function node(addresses: readonly (readonly [string, string])[], port: unknown = 10_250): Node {
  return {
    metadata: { name: 'a', uid: '' },
    status: {
      addresses: addresses.map(([type, address]) => ({ type, address })),
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
    },
  }
}

describe('the address of a kubelet', () => {
  it('is the internal one of its Node, with the port of its Node', () => {
    const named = node(
      [
        ['Hostname', 'a'],
        ['ExternalIP', '203.0.113.7'],
        ['InternalIP', '10.0.0.7'],
      ],
      10_260,
    )
    expect(kubeletAddress(named)).toEqual({ ok: true, value: { host: '10.0.0.7', port: 10_260 } })
    expect(kubeletAddress(node([['Hostname', 'a']]))).toMatchObject({ value: { host: 'a' } })
  })

  it.each([
    ['no address', node([])],
    ['no port', node([['InternalIP', '10.0.0.7']], 0)],
    ['an address of this machine', node([['InternalIP', '127.0.0.1']])],
    ['a link-local address', node([['InternalIP', '169.254.169.254']])],
    ['an empty object', { metadata: { name: 'a', uid: '' } }],
  ])('is none with %s, and one sentence says so', (_case, given) => {
    expect(kubeletAddress(given)).toEqual({
      ok: false,
      error: expect.stringMatching(/^Node a .*\.$/),
    })
  })

  it.each(['::1', '::', 'fe80::1', '0.0.0.0', 'localhost', 'x.localhost', '::ffff:127.0.0.1'])(
    'is never %s',
    (host) => {
      expect(isProxyable(host)).toBe(false)
    },
  )

  it.each(['10.0.0.7', 'fd00::7', 'worker-3'])('may be %s', (host) => {
    expect(isProxyable(host)).toBe(true)
  })
})
