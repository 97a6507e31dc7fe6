import { describe, expect, it } from 'vitest'
import { schemaNamed } from './api-schema.ts'
import { decodeAs, type Decoded } from './decode.ts'

function decoded(value: unknown): Decoded {
  return decodeAs(schemaNamed('core.v1.Pod'), value)
}

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
      { name: 'w', rbd: { monitors: ['m'], image: 'i' } },
    ],
    nodeSelector: { a: 'b' },
    tolerations: [{ operator: 'Exists' }],
    terminationGracePeriodSeconds: 0,
  })
  expect(decoded(whole)).toEqual({
    object: whole,
    problems: [],
    error: undefined,
    unknownFields: [],
  })
})

describe('what Go leaves out or makes its own of', () => {
  it('null fields', () => {
    const { object, error } = decoded({
      kind: 'Pod',
      metadata: { name: 'p', creationTimestamp: null, labels: null },
      spec: { containers: [{ ...container, resources: null }] },
      status: null,
    })
    expect(error).toBeUndefined()
    expect(object).toEqual({
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { containers: [container] },
    })
  })

  it('nulls in lists and maps become empty values', () => {
    const spec = { containers: [null], nodeSelector: { a: null } }
    expect(decoded(pod(spec)).object).toMatchObject({
      spec: { containers: [{}], nodeSelector: { a: '' } },
    })
  })

  it('numbers where quantities belong become text', () => {
    const limits = { cpu: 1, memory: '64Mi', 'example.com/x': 0.5 }
    const spec = { containers: [{ ...container, resources: { limits } }] }
    expect(decoded(pod(spec)).object).toMatchObject({
      spec: {
        containers: [
          { resources: { limits: { cpu: '1', memory: '64Mi', 'example.com/x': '0.5' } } },
        ],
      },
    })
  })

  it('unknown fields, each named with its path', () => {
    const { object, unknownFields } = decoded({
      ...pod({
        containers: [container, { ...container, imagee: 'x', env: [{ name: 'A', valu: '1' }] }],
        Containers: [],
      }),
      specc: {},
    })
    expect(object).toEqual(pod({ containers: [container, { ...container, env: [{ name: 'A' }] }] }))
    expect(unknownFields).toEqual([
      'spec.containers[1].imagee',
      'spec.containers[1].env[0].valu',
      'spec.Containers',
      'specc',
    ])
  })

  it('a field called like a part of every JavaScript object is only an unknown field', () => {
    const body: unknown = JSON.parse(
      '{"metadata":{"__proto__":{"x":1},"labels":{"__proto__":"y"}},"constructor":1}',
    )
    const { object, unknownFields } = decoded(body)
    expect(unknownFields).toEqual(['metadata.__proto__', 'constructor'])
    expect(JSON.stringify(object)).toBe('{"metadata":{"labels":{"__proto__":"y"}}}')
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
      `${inGo} number into Go struct field Container.spec.containers.name of type string`,
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
      'parsing time "soon" as "2006-01-02T15:04:05Z07:00": cannot parse "soon" as "2006"',
    ],
    [[], `${inGo} array into Go value of type v1.Pod`],
    [undefined, `${inGo} undefined into Go value of type v1.Pod`],
  ])('%j', (body, message) => {
    expect(decoded(body).error).toBe(message)
  })

  it('is the first that is reported, unless a later one ends the decoding', () => {
    const two = decoded(pod({ priority: 'x', hostNetwork: 'y' }))
    expect(two.problems.map(({ field }) => field)).toEqual(['spec.priority', 'spec.hostNetwork'])
    expect(two.error).toContain('PodSpec.spec.priority')
    expect(decoded(pod({ priority: 'x', overhead: { cpu: 'z' } })).error).toContain('quantities')
  })
})

function withContainer(container: Record<string, unknown>): object {
  return withSpec({ containers: [{ name: 'c', image: 'x', ...container }] })
}

function withSpec(spec: Record<string, unknown>): object {
  return { metadata: { name: 'n' }, spec: { containers: [{ name: 'c', image: 'x' }], ...spec } }
}

describe('a value of the wrong type, in its place', () => {
  it.each<[unknown, string, string]>([
    [
      withContainer({ image: 5 }),
      'spec.containers[0].image',
      'json: cannot unmarshal number into Go struct field Container.spec.containers.image of type string',
    ],
    [
      withSpec({ containers: { name: 'c' } }),
      'spec.containers',
      'json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container',
    ],
    [
      withSpec({ containers: ['c'] }),
      'spec.containers[0]',
      'json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type v1.Container',
    ],
    [
      withSpec({ terminationGracePeriodSeconds: '30' }),
      'spec.terminationGracePeriodSeconds',
      'json: cannot unmarshal string into Go struct field PodSpec.spec.terminationGracePeriodSeconds of type int64',
    ],
    [
      withSpec({ terminationGracePeriodSeconds: 1.5 }),
      'spec.terminationGracePeriodSeconds',
      'json: cannot unmarshal number 1.5 into Go struct field PodSpec.spec.terminationGracePeriodSeconds of type int64',
    ],
    [
      withSpec({ hostNetwork: 'true' }),
      'spec.hostNetwork',
      'json: cannot unmarshal string into Go struct field PodSpec.spec.hostNetwork of type bool',
    ],
    [
      withContainer({ env: [{ name: 'A', value: 1 }] }),
      'spec.containers[0].env[0].value',
      'json: cannot unmarshal number into Go struct field EnvVar.spec.containers.env.value of type string',
    ],
    [
      withContainer({ livenessProbe: { httpGet: { port: true } } }),
      'spec.containers[0].livenessProbe.httpGet.port',
      'json: cannot unmarshal bool into Go struct field HTTPGetAction.spec.containers.livenessProbe.httpGet.port of type int32',
    ],
    [
      withSpec({ volumes: [{ name: 'v', emptyDir: 'x' }] }),
      'spec.volumes[0].emptyDir',
      'json: cannot unmarshal string into Go struct field Volume.spec.volumes.emptyDir of type v1.EmptyDirVolumeSource',
    ],
    [
      { metadata: 'b' },
      'metadata',
      'json: cannot unmarshal string into Go struct field Pod.metadata of type v1.ObjectMeta',
    ],
    [
      { metadata: { name: 'n', labels: { a: 1 } } },
      'metadata.labels[a]',
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    ],
    [
      { metadata: { name: 'n', labels: 'x' } },
      'metadata.labels',
      'json: cannot unmarshal string into Go struct field ObjectMeta.metadata.labels of type map[string]string',
    ],
    [
      { metadata: { name: 'n', creationTimestamp: 'x' } },
      'metadata.creationTimestamp',
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ],
    [
      { spec: 7 },
      'spec',
      'json: cannot unmarshal number into Go struct field Pod.spec of type v1.PodSpec',
    ],
    [
      withContainer({ resources: { limits: { cpu: '1x' } } }),
      'spec.containers[0].resources.limits[cpu]',
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      withContainer({ resources: { limits: { cpu: '1iK' } } }),
      'spec.containers[0].resources.limits[cpu]',
      "unable to parse quantity's suffix",
    ],
  ])('names the field and type', (pod, field, message) => {
    expect(decoded(pod).problems).toEqual([{ field, message, reason: 'FieldValueTypeInvalid' }])
  })

  it.each([null, 'pod', 7, []])('is not a pod: %j', (value) => {
    expect(decoded(value).problems).toHaveLength(1)
  })
})
