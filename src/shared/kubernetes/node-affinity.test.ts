import { describe, expect, it } from 'vitest'
import { matchesNodeAffinity } from './node-affinity.ts'
import type { AffinitySpec } from './node-affinity.ts'

const node = { name: 'n', labels: { disk: 'ssd', cores: '8' } }

describe('matchesNodeAffinity', () => {
  const requiring = (matchExpressions: readonly object[]): AffinitySpec => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions }],
        },
      },
    },
  })
  it.each([
    [true, { key: 'disk', operator: 'In', values: ['ssd'] }],
    [false, { key: 'disk', operator: 'In', values: ['hdd'] }],
    [true, { key: 'disk', operator: 'NotIn', values: ['hdd'] }],
    [true, { key: 'absent', operator: 'NotIn', values: ['x'] }],
    [true, { key: 'disk', operator: 'Exists' }],
    [false, { key: 'disk', operator: 'DoesNotExist' }],
    [true, { key: 'cores', operator: 'Gt', values: ['4'] }],
    [false, { key: 'cores', operator: 'Lt', values: ['4'] }],
    [false, { key: 'disk', operator: 'Gt', values: ['4'] }],
    [false, { key: 'disk', operator: 'Nonsense' }],
  ])('%s for %j', (matches, requirement) => {
    expect(matchesNodeAffinity(requiring([requirement]), node)).toBe(matches)
  })

  it('takes terms as alternatives, and an empty term matches nothing', () => {
    expect(matchesNodeAffinity(requiring([]), node)).toBe(false)
    expect(matchesNodeAffinity({ nodeSelector: { disk: 'ssd' } }, node)).toBe(true)
    expect(matchesNodeAffinity({ nodeSelector: { disk: 'hdd' } }, node)).toBe(false)
  })
})
