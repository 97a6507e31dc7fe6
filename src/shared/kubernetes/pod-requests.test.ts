import { describe, expect, it } from 'vitest'
import type { Pod, PodSpec } from './objects.ts'
import { podRequests, resourceAmount } from './pod-requests.ts'

function podOf(spec: PodSpec): Pod {
  return { metadata: { name: 'p', uid: 'u' }, spec }
}

describe('podRequests', () => {
  it('takes the greediest moment of init containers when that is more, sidecars included', () => {
    const container = (name: string, cpu: string, more: object = {}) => ({
      name,
      resources: { requests: { cpu } },
      ...more,
    })
    const pod = podOf({
      initContainers: [
        container('sidecar', '100m', { restartPolicy: 'Always' }),
        container('init', '900m'),
      ],
      containers: [container('a', '200m'), container('b', '300m')],
      overhead: { cpu: '10m' },
    })
    expect([...podRequests(pod)]).toEqual([['cpu', 1010n]])
  })

  it('rounds the sum, not what it is made of', () => {
    const container = (name: string) => ({ name, resources: { requests: { memory: '1500m' } } })
    const pod = podOf({ containers: [container('a'), container('b')] })
    expect([...podRequests(pod)]).toEqual([['memory', 3n]])
  })
})

describe('resourceAmount', () => {
  it.each([
    ['cpu', '1500m', 1500n],
    ['memory', '1Ki', 1024n],
    ['pods', '110', 110n],
    ['memory', 'nonsense', 0n],
    ['memory', undefined, 0n],
  ])('reads %s %s', (resource, quantity, amount) => {
    expect(resourceAmount(resource, quantity)).toBe(amount)
  })
})
