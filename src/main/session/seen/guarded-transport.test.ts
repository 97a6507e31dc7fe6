import { describe, expect, it, vi } from 'vitest'
import type { KubeRequest } from '../../../shared/kubernetes/request.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { FakeTransport } from '../../cluster/transport/fake-transport.ts'
import { Changes } from './changes.ts'
import { guardedTransport } from './guarded-transport.ts'

const minute = 60_000
const answer = { kind: 'object', status: 200, body: {} } as const
const deletion: KubeRequest = { method: 'DELETE', path: '/api/v1/namespaces/a/pods/web' }

function setUp(options: { readonly isFixed?: boolean } = {}) {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const onChange = vi.fn<() => void>()
  const changes = new Changes({ clock, isFixed: options.isFixed ?? false, onChange })
  const real = new FakeTransport().script(answer, answer, answer)
  return { clock, changes, onChange, real, guarded: guardedTransport(real, changes, 'prod') }
}

describe('a cluster that is only looked at', () => {
  it.each<KubeRequest>([
    deletion,
    { method: 'PATCH', path: '/api/v1/nodes/n1' },
    { method: 'POST', path: '/api/v1/namespaces/a/pods/web/eviction' },
    { method: 'PUT', path: '/api/v1/namespaces/a/pods/web' },
  ])('is sent no $method of $path', async (request) => {
    const { guarded, real } = setUp()
    await expect(guarded.send(request)).rejects.toThrow('allow changes first')
    expect(real.requests).toEqual([])
  })

  it.each<KubeRequest>([
    { method: 'GET', path: '/api/v1/pods' },
    { method: 'POST', path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews' },
  ])('is sent $method of $path', async (request) => {
    const { guarded, real } = setUp()
    await guarded.send(request)
    expect(real.requests).toEqual([request])
  })

  it('is sent changes while they are allowed, which ends 15 minutes after the last one', async () => {
    const { clock, changes, guarded, onChange } = setUp()
    expect(changes.allow()).toEqual({ ok: true, value: null })
    expect(changes.view()).toEqual({ kind: 'allowed', endsAt: 15 * minute })
    await clock.advance(14 * minute)
    await guarded.send(deletion)
    expect(changes.view()).toEqual({ kind: 'allowed', endsAt: 29 * minute })
    await clock.advance(15 * minute)
    expect(changes.view()).toEqual({ kind: 'readOnly', isFixed: false })
    await expect(guarded.send(deletion)).rejects.toThrow('allow changes first')
    expect(onChange).toHaveBeenCalledTimes(3)
  })

  it('allows none with --read-only', () => {
    const { changes } = setUp({ isFixed: true })
    expect(changes.allow()).toMatchObject({ ok: false, error: { kind: 'read-only' } })
    expect(changes.view()).toEqual({ kind: 'readOnly', isFixed: true })
  })
})
