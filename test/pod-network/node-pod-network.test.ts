import { describe, expect, it } from 'vitest'
import { nodePodNetwork } from '../../src/main/pod-network/node-pod-network.ts'
import { probedPod, probeOnce } from './ask.ts'
import { networkCases } from './cases.ts'
import { tcpServer } from './servers.ts'

describe('the network of this machine', () => {
  it.each(Object.entries(networkCases))(
    'gives a probe what a kubelet’s gets: %s',
    async (_name, networkCase) => {
      const { serve, result, message } = networkCase
      const { port, close } = await serve()
      try {
        const answer = await probeOnce(probedPod(networkCase, port))
        const events = answer.events.map((event) => event.replaceAll(String(port), 'PORT'))
        const reason = result === 'Success' ? 'ProbeWarning' : 'Unhealthy'
        const expected = message === undefined ? [] : [`Warning ${reason} ${message}`]
        expect({ ...answer, events }).toEqual({ result, events: expected })
      } finally {
        close()
      }
    },
  )

  it('names a connection that is reset with both its ends', async () => {
    const { port, close } = await tcpServer((socket) => socket.resetAndDestroy())
    const request = { scheme: 'http', host: '127.0.0.1', port, path: '/', headers: [] } as const
    const answer = await nodePodNetwork.httpGet({ ...request, timeoutMs: Infinity })
    close()
    const text = answer.ok ? '' : answer.error
    expect(text.replaceAll(/127\.0\.0\.1:\d+/g, 'ADDRESS')).toBe(
      'read tcp ADDRESS->ADDRESS: read: connection reset by peer',
    )
  })

  it('says that a name is not found', async () => {
    const answer = await nodePodNetwork.tcpConnect({
      host: 'no-such-host.invalid',
      port: 80,
      timeoutMs: 10_000,
    })
    expect(answer).toEqual({
      ok: false,
      error: expect.stringContaining('dial tcp: lookup no-such-host.invalid: '),
    })
  })
})
