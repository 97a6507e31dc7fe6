import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { podWarnings } from './pod-warnings.ts'
import { objectWarnings } from './object-warnings.ts'
import { cidrWarnings, ipWarnings } from './ip-warnings.ts'

// The words are compared with a real server in test/kube/exchanges/warnings.ts.

function pod(spec: JsonObject): JsonObject {
  return { metadata: { name: 'web' }, spec }
}

function deployment(spec: JsonObject, generation = 1): KubeObject {
  const metadata = { name: 'web', uid: 'u', generation }
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { template: { spec } } }
}

const repeatedVariable = {
  containers: [
    {
      name: 'c',
      env: [
        { name: 'A', value: '1' },
        { name: 'A', value: '2' },
      ],
    },
  ],
}

describe('warnings about pods', () => {
  it.each<[string, JsonObject, readonly string[]]>([
    [
      'a variable that hides an earlier one',
      repeatedVariable,
      [
        'spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
      ],
    ],
    [
      'a variable that uses an earlier one',
      {
        containers: [
          {
            name: 'c',
            env: [
              { name: 'A', value: '1' },
              { name: 'A', value: '$(A)2' },
            ],
          },
        ],
      },
      [],
    ],
    [
      'ports of two containers',
      {
        initContainers: [{ name: 'i', ports: [{ containerPort: 80, protocol: 'TCP' }] }],
        containers: [
          { name: 'c', ports: [{ containerPort: 80, protocol: 'TCP', hostPort: 81 }] },
          { name: 'd', ports: [{ containerPort: 80, protocol: 'UDP' }] },
        ],
      },
      [
        'spec.containers[0].ports[0]: overlapping port definition with spec.initContainers[0].ports[0]',
      ],
    ],
    [
      'half a byte',
      { containers: [{ name: 'c', resources: { limits: { memory: '1500m', cpu: '1500m' } } }] },
      [
        'spec.containers[0].resources.limits[memory]: fractional byte value "1500m" is invalid, must be an integer',
      ],
    ],
    ['nothing discouraged', { containers: [{ name: 'c' }], volumes: [{ name: 'v' }] }, []],
  ])('%s', (_, spec, expected) => {
    expect(podWarnings(pod(spec))).toEqual(expected)
  })
})

describe('warnings about objects', () => {
  it('name the template of a new object', () => {
    expect(objectWarnings(deployment(repeatedVariable), undefined)).toEqual([
      'spec.template.spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
    ])
  })

  it('come at an update that changes the spec, and not at another', () => {
    const old = deployment(repeatedVariable)
    expect(objectWarnings(deployment(repeatedVariable, 1), old)).toEqual([])
    expect(objectWarnings(deployment(repeatedVariable, 2), old)).toHaveLength(1)
  })

  it('name no kind without rules', () => {
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', uid: 'u' } }
    expect(objectWarnings(map, undefined)).toEqual([])
  })
})

it.each([
  ['10.0.0.1', []],
  ['2001:db8::1', []],
  [
    '2001:DB8:0:0::1',
    ['f: IPv6 address "2001:DB8:0:0::1" should be in RFC 5952 canonical format ("2001:db8::1")'],
  ],
  [
    '::ffff:10.0.0.1',
    [
      'f: non-standard IP address "::ffff:10.0.0.1" will be considered invalid in a future Kubernetes release: use "10.0.0.1"',
    ],
  ],
])('the address %s', (address, expected) => {
  expect(ipWarnings('f', address)).toEqual(expected)
})

it.each([
  ['10.0.0.0/24', []],
  [
    '10.0.0.1/24',
    [
      'f: CIDR value "10.0.0.1/24" is ambiguous in this context (should be "10.0.0.0/24" or "10.0.0.1/32"?)',
    ],
  ],
])('the network %s', (network, expected) => {
  expect(cidrWarnings('f', network)).toEqual(expected)
})
