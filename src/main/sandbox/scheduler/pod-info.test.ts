import { describe, expect, it } from 'vitest'
import type { Pod, PodStatus } from '../../../shared/kubernetes/objects.ts'
import { countsTheSame, podInfo } from './pod-info.ts'

const metadata = { name: 'a', namespace: 'default', uid: 'u', labels: { app: 'a' } }
const spec: Pod['spec'] = {
  containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '100m' } } }],
}

function withStatus(status: PodStatus): Pod {
  return { metadata, spec, status }
}

function cpuOf(status: PodStatus): bigint | undefined {
  return podInfo(withStatus(status)).requests.get('cpu')
}

const given = (cpu: string) => ({
  containerStatuses: [
    { name: 'c', allocatedResources: { cpu }, resources: { requests: { cpu } } },
  ] as unknown as NonNullable<PodStatus['containerStatuses']>,
})

describe('podInfo', () => {
  it('reads what a pod asks for again when its status says what it has', () => {
    const asked = podInfo(withStatus({ phase: 'Pending' }))
    expect(asked.requests.get('cpu')).toBe(100n)
    expect(cpuOf(given('300m'))).toBe(300n)
    expect(cpuOf(given('50m'))).toBe(100n)
    expect(
      cpuOf({
        ...given('50m'),
        conditions: [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }],
      }),
    ).toBe(50n)
    expect(cpuOf({ phase: 'Running' })).toBe(100n)
  })

  it('counts the same for others only while it asks for the same and depends on no place', () => {
    const one = podInfo(withStatus({ phase: 'Pending' }))
    expect(countsTheSame(one, podInfo(withStatus({ phase: 'Running' })))).toBe(true)
    expect(countsTheSame(one, podInfo(withStatus(given('300m'))))).toBe(false)
    const relabelled = { metadata: { ...metadata, labels: { app: 'b' } }, spec }
    expect(podInfo(relabelled).labels).toEqual({ app: 'b' })
  })
})
