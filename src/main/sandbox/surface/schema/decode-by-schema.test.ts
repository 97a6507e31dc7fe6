import { describe, expect, it } from 'vitest'
import { decodeBySchema } from './decode-by-schema.ts'

const container = { name: 'c', image: 'i' }

function pod(spec: Record<string, unknown>): Record<string, unknown> {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec }
}

it('an object with known fields stays as it is', () => {
  const whole = pod({
    containers: [
      {
        ...container,
        env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
        ports: [{ containerPort: 80 }],
        livenessProbe: { httpGet: { port: 'web' }, periodSeconds: 5 },
        resources: { limits: { cpu: '500m', memory: '1Gi' } },
      },
    ],
    volumes: [
      { name: 'v', emptyDir: {} },
      { name: 'w', rbd: { anything: [1, null] } },
    ],
    nodeSelector: { a: 'b' },
    tolerations: [{ operator: 'Exists' }],
    terminationGracePeriodSeconds: 0,
  })
  expect(decodeBySchema('Pod', whole)).toEqual({
    ok: true,
    value: { object: whole, unknownFields: [] },
  })
})

describe('what Go leaves out or makes its own of', () => {
  it('null fields', () => {
    const decoded = decodeBySchema('Pod', {
      kind: 'Pod',
      metadata: { name: 'p', creationTimestamp: null, labels: null },
      spec: { containers: [{ ...container, resources: null }] },
      status: null,
    })
    expect(decoded).toEqual({
      ok: true,
      value: {
        object: { kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [container] } },
        unknownFields: [],
      },
    })
  })

  it('nulls in lists and maps become empty values', () => {
    const decoded = decodeBySchema('Pod', pod({ containers: [null], nodeSelector: { a: null } }))
    expect(decoded).toMatchObject({
      value: { object: { spec: { containers: [{}], nodeSelector: { a: '' } } } },
    })
  })

  it('numbers where quantities belong become text', () => {
    const limits = { cpu: 1, memory: '64Mi', 'example.com/x': 0.5 }
    const decoded = decodeBySchema(
      'Pod',
      pod({ containers: [{ ...container, resources: { limits } }] }),
    )
    expect(decoded).toMatchObject({
      value: {
        object: {
          spec: {
            containers: [
              { resources: { limits: { cpu: '1', memory: '64Mi', 'example.com/x': '0.5' } } },
            ],
          },
        },
      },
    })
  })

  it('unknown fields, each named with its path', () => {
    const decoded = decodeBySchema('Pod', {
      ...pod({
        containers: [container, { ...container, imagee: 'x', env: [{ name: 'A', valu: '1' }] }],
        Containers: [],
      }),
      specc: {},
    })
    expect(decoded).toEqual({
      ok: true,
      value: {
        object: pod({ containers: [container, { ...container, env: [{ name: 'A' }] }] }),
        unknownFields: [
          'spec.containers[1].imagee',
          'spec.containers[1].env[0].valu',
          'spec.Containers',
          'specc',
        ],
      },
    })
  })

  it('a field called like a part of every JavaScript object is only an unknown field', () => {
    const body: unknown = JSON.parse(
      '{"metadata":{"__proto__":{"x":1},"labels":{"__proto__":"y"}},"constructor":1}',
    )
    const decoded = decodeBySchema('Pod', body)
    expect(decoded).toMatchObject({
      value: { unknownFields: ['metadata.__proto__', 'constructor'] },
    })
    expect(JSON.stringify(decoded.ok ? decoded.value.object : '')).toBe(
      '{"metadata":{"labels":{"__proto__":"y"}}}',
    )
  })
})

describe('a value of the wrong type', () => {
  const inGo = 'json: cannot unmarshal'
  it.each([
    [
      pod({ containers: 'c' }),
      `${inGo} string into Go struct field PodSpec.spec.containers of type []v1.Container`,
    ],
    [
      pod({ containers: ['c'] }),
      `${inGo} string into Go struct field PodSpec.spec.containers of type v1.Container`,
    ],
    [
      pod({ containers: [{ name: 5 }] }),
      `${inGo} number 5 into Go struct field Container.spec.containers.name of type string`,
    ],
    [
      pod({ nodeSelector: { a: true } }),
      `${inGo} bool into Go struct field PodSpec.spec.nodeSelector of type string`,
    ],
    [
      pod({ terminationGracePeriodSeconds: '30' }),
      `${inGo} string into Go struct field PodSpec.spec.terminationGracePeriodSeconds of type int64`,
    ],
    [
      pod({ terminationGracePeriodSeconds: 1.5 }),
      `${inGo} number 1.5 into Go struct field PodSpec.spec.terminationGracePeriodSeconds of type int64`,
    ],
    [
      pod({ priority: 3_000_000_000 }),
      `${inGo} number 3000000000 into Go struct field PodSpec.spec.priority of type int32`,
    ],
    [
      pod({ securityContext: [] }),
      `${inGo} array into Go struct field PodSpec.spec.securityContext of type v1.PodSecurityContext`,
    ],
    [
      pod({ overhead: { cpu: 'many' } }),
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      { metadata: { deletionTimestamp: 'soon' } },
      'parsing time "soon" as "2006-01-02T15:04:05Z07:00"',
    ],
    [[], `${inGo} array into Go value of type v1.Pod`],
    [undefined, `${inGo} undefined into Go value of type v1.Pod`],
  ])('%j', (body, message) => {
    expect(decodeBySchema('Pod', body)).toEqual({ ok: false, error: message })
  })
})

it('a kind without a schema comes back as it is', () => {
  expect(decodeBySchema('Service', { spec: { x: null } })).toEqual({
    ok: true,
    value: { object: { spec: { x: null } }, unknownFields: [] },
  })
})
