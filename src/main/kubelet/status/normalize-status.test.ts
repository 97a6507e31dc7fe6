import { describe, expect, it } from 'vitest'
import type { ContainerStatus } from '../../../shared/kubernetes/objects.ts'
import { containersOf, podOf } from '../container/fake-pods.ts'
import { cutToBytes, normalizeStatus } from './normalize-status.ts'

function statusOf(name: string, rest: Partial<ContainerStatus> = {}): ContainerStatus {
  return { name, ready: false, restartCount: 0, image: 'i', imageID: '', ...rest }
}

const time = '1970-01-01T00:00:01.999Z'
const whole = '1970-01-01T00:00:01Z'

describe('normalizeStatus', () => {
  it('cuts all times to whole seconds', () => {
    expect(
      normalizeStatus(podOf(), {
        startTime: time,
        conditions: [
          { type: 'Ready', status: 'True', lastTransitionTime: time, lastProbeTime: null },
        ],
        containerStatuses: [
          statusOf('c', {
            state: { running: { startedAt: time } },
            lastState: { terminated: { exitCode: 0, startedAt: time, finishedAt: time } },
          }),
        ],
      }),
    ).toEqual({
      startTime: whole,
      conditions: [
        { type: 'Ready', status: 'True', lastTransitionTime: whole, lastProbeTime: null },
      ],
      containerStatuses: [
        statusOf('c', {
          state: { running: { startedAt: whole } },
          lastState: { terminated: { exitCode: 0, startedAt: whole, finishedAt: whole } },
        }),
      ],
    })
  })

  it('gives each container of whatever kind its share of 12 KiB for its termination message', () => {
    const message = 'x'.repeat(20_000)
    const pod = podOf({
      containers: containersOf('a', 'b'),
      initContainers: containersOf('i'),
      ephemeralContainers: containersOf('e'),
    })
    const status = statusOf('a', { state: { terminated: { exitCode: 1, message } } })
    const cut = normalizeStatus(pod, { containerStatuses: [status] })
    expect(cut.containerStatuses?.[0]?.state?.terminated?.message).toHaveLength(3072)
  })

  it('sorts statuses by name and init statuses as in the spec', () => {
    const pod = podOf({ initContainers: containersOf('z', 'y') })
    const names = (statuses: readonly ContainerStatus[] = []) => statuses.map(({ name }) => name)
    const status = normalizeStatus(pod, {
      containerStatuses: [statusOf('b'), statusOf('a')],
      initContainerStatuses: [statusOf('other'), statusOf('y'), statusOf('z')],
      ephemeralContainerStatuses: [statusOf('f'), statusOf('e')],
    })
    expect(names(status.containerStatuses)).toEqual(['a', 'b'])
    expect(names(status.initContainerStatuses)).toEqual(['z', 'y', 'other'])
    expect(names(status.ephemeralContainerStatuses)).toEqual(['e', 'f'])
  })

  it('moves init statuses by changing places, those of strangers too', () => {
    const pod = podOf({ initContainers: containersOf('z') })
    const { initContainerStatuses = [] } = normalizeStatus(pod, {
      initContainerStatuses: [statusOf('v'), statusOf('w'), statusOf('z')],
    })
    expect(initContainerStatuses.map(({ name }) => name)).toEqual(['z', 'w', 'v'])
  })

  it('adds nothing to a status that says little', () => {
    expect(normalizeStatus(podOf(), { phase: 'Failed' })).toEqual({ phase: 'Failed' })
  })
})

describe('cutToBytes', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abc', 2, 'ab'],
    ['aß', 2, 'a'],
    ['€€', 5, '€'],
    ['😀', 3, ''],
    ['😀', 4, '😀'],
    ['', 0, ''],
  ])('cuts %j to %d bytes: %j', (text, bytes, cut) => {
    expect(cutToBytes(text, bytes)).toBe(cut)
  })
})
