import { describe, expect, it } from 'vitest'
import type { PodStatus } from '../../../shared/kubernetes/objects.ts'
import { containerStatusOf, podOf, runtimeStatusOf } from '../container/fake-pods.ts'
import { fakeProbes } from '../container/fake-probes.ts'
import { noProbes } from '../container/probe-results.ts'
import { ReasonCache } from '../container/reason-cache.ts'
import { generateApiPodStatus } from './api-status.ts'
import type { ApiStatusInput } from './api-status.ts'
import { SettledStatuses, withAnswers } from './settled-statuses.ts'

const spec = { containers: [{ name: 'c', image: 'i', resources: { requests: { memory: '1Gi' } } }] }

const probed = (probe: string) =>
  podOf({ containers: [{ name: 'c', image: 'i', [probe]: { exec: {} } }] })

function settled(changes: Partial<ApiStatusInput> = {}) {
  const reasons = new ReasonCache()
  const actuated = { requests: { memory: '1Gi' } }
  const first: ApiStatusInput = {
    pod: podOf(spec),
    runtimeStatus: runtimeStatusOf([containerStatusOf('c', 'running')]),
    podIsTerminal: false,
    oldStatus: undefined,
    reasonCache: reasons,
    hostIPs: ['192.0.2.1'],
    probes: noProbes,
    actuatedResources: () => actuated,
    ...changes,
  }
  const cached: PodStatus = generateApiPodStatus(first)
  const input = { ...first, oldStatus: cached }
  const statuses = new SettledStatuses()
  const asking = withAnswers(input)
  generateApiPodStatus(asking.input)
  statuses.settle(input, asking.answers())
  const isSettledWith = (other: Partial<ApiStatusInput>): boolean =>
    statuses.isSettled({ ...input, ...other })
  return { input, reasons, statuses, isSettledWith }
}

const failed = (message: string) => ({
  results: [
    {
      action: 'StartContainer' as const,
      target: 'c',
      error: { reason: 'CrashLoopBackOff', message, isBackOff: true },
    },
  ],
})

describe('SettledStatuses', () => {
  it('knows a status that would be made of the same objects again', () => {
    expect(settled().isSettledWith({})).toBe(true)
    expect(settled({ hostIPs: [] }).isSettledWith({})).toBe(true)
  })

  it('knows none that it was not told of', () => {
    const { input, isSettledWith } = settled()
    expect(isSettledWith({ oldStatus: { ...input.oldStatus } })).toBe(false)
    expect(new SettledStatuses().isSettled(input)).toBe(false)
    expect(new SettledStatuses().isSettled({ ...input, oldStatus: undefined })).toBe(false)
  })

  it.each<[string, (input: ApiStatusInput) => Partial<ApiStatusInput>]>([
    ['another object of the pod', ({ pod }) => ({ pod: { ...pod } })],
    [
      'another answer of the runtime',
      ({ runtimeStatus }) => ({ runtimeStatus: { ...runtimeStatus } }),
    ],
    ['other addresses of the node', () => ({ hostIPs: ['192.0.2.2'] })],
    [
      'other actuated resources',
      () => ({ actuatedResources: () => ({ requests: { memory: '2Gi' } }) }),
    ],
    ['the end of the pod', () => ({ podIsTerminal: true })],
    [
      'an eviction',
      () => ({ evictionChecks: [{ shouldEvict: () => ({ reason: 'r', message: '' }) }] }),
    ],
    ['a resize', () => ({ resizeConditions: [{ type: 'PodResizePending', status: 'True' }] })],
    [
      'a readiness probe without a result',
      () => ({ probes: fakeProbes(probed('readinessProbe'), {}) }),
    ],
    [
      'a startup probe without a result',
      () => ({ probes: fakeProbes(probed('startupProbe'), {}) }),
    ],
  ])('does not count a status as made again with %s', (_name, change) => {
    const { input, isSettledWith } = settled()
    expect(isSettledWith(change(input))).toBe(false)
  })

  it('asks why a container failed to start, as making the status does', () => {
    const runtimeStatus = runtimeStatusOf([containerStatusOf('c', 'exited', { exitCode: 1 })])
    const reasonCache = new ReasonCache()
    const uid = podOf(spec).metadata.uid
    reasonCache.update(uid, failed('back-off 10s'))
    const { isSettledWith } = settled({ runtimeStatus, reasonCache })
    expect(isSettledWith({})).toBe(true)
    reasonCache.update(uid, failed('back-off 10s'))
    expect(isSettledWith({})).toBe(true)
    reasonCache.update(uid, failed('back-off 20s'))
    expect(isSettledWith({})).toBe(false)
    expect(settled({ runtimeStatus, reasonCache }).isSettledWith({})).toBe(true)
    reasonCache.update(uid, { results: [{ action: 'StartContainer', target: 'c' }] })
    expect(isSettledWith({})).toBe(false)
  })
})
