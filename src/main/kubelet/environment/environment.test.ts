import { describe, expect, it } from 'vitest'
import type { ConfigMap, Container, Secret, Service } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { fakePod, fakeStaticPod } from '../pod/fake-pod.ts'
import type { ApiError } from '../ports.ts'
import { makeEnvironmentVariables } from './environment.ts'

const configMaps = new Map<string, ConfigMap>([
  [
    'default/settings',
    { metadata: { name: 'settings', uid: '1' }, data: { color: 'blue', 'not.a name': 'kept' } },
  ],
])
const secrets = new Map<string, Secret>([
  ['default/login', { metadata: { name: 'login', uid: '2' }, data: { password: 'c2VjcsOpdA==' } }],
])

function service(namespace: string, name: string, clusterIP: string): Service {
  const ports = [{ port: 80, protocol: 'TCP' }]
  return { metadata: { name, namespace, uid: name }, spec: { clusterIP, ports } }
}

const services = [
  service('default', 'kubernetes', '10.96.0.1'),
  service('default', 'web-front', '10.96.0.7'),
  service('default', 'headless', 'None'),
  service('other', 'elsewhere', '10.96.0.9'),
]

const away: ApiError = {
  kind: 'timeout',
  message: 'failed to sync secret cache: timed out waiting for the condition',
}

function getFrom<T>(objects: ReadonlyMap<string, T>, kind: string) {
  return (namespace: string, name: string): Promise<Result<T, ApiError>> => {
    if (name === 'away') return Promise.resolve(err(away))
    const object = objects.get(`${namespace}/${name}`)
    const missing = { kind: 'not-found', message: `${kind} "${name}" not found` } as const
    return Promise.resolve(object === undefined ? err(missing) : ok(object))
  }
}

async function environmentOf(
  container: Partial<Container>,
  { pod = fakePod({ spec: { enableServiceLinks: false } }), hasSynced = true } = {},
): Promise<Readonly<Record<string, string>> | string> {
  const starting = { pod, container: { name: 'c', ...container }, podIPs: ['10.0.0.5'] }
  const made = await makeEnvironmentVariables(starting, {
    configMapManager: { getConfigMap: getFrom(configMaps, 'configmap') },
    secretManager: { getSecret: getFrom(secrets, 'secret') },
    serviceLister: { list: () => services, hasSynced: () => hasSynced },
    allocatable: () => ({ cpu: '2' }),
    hostIPs: () => ['192.0.2.1'],
  })
  if (!made.ok) return made.error
  const own = [...made.value].filter(([name]) => !name.startsWith('KUBERNETES_'))
  return Object.fromEntries(own)
}

function keyOf(kind: 'configMapKeyRef' | 'secretKeyRef', name: string, key: string, rest = {}) {
  return { env: [{ name: 'X', value: '', valueFrom: { [kind]: { name, key, ...rest } } }] }
}

describe('containers#environment', () => {
  it('takes envFrom first, then env, whose values name what is before them', async () => {
    const container = {
      envFrom: [
        { configMapRef: { name: 'settings' } },
        { prefix: 'P_', secretRef: { name: 'login' } },
      ],
      env: [
        { name: 'A', value: '$(color) $(B) $$(color)' },
        { name: 'B', value: '$(P_password)' },
        { name: 'color', value: 'red' },
      ],
    }
    expect(await environmentOf(container)).toEqual({
      color: 'red',
      'not.a name': 'kept',
      P_password: 'secrét',
      A: 'blue $(B) $(color)',
      B: 'secrét',
    })
  })

  it.each([
    [
      'configmap "gone" not found',
      [keyOf('configMapKeyRef', 'gone', 'k'), { envFrom: [{ configMapRef: { name: 'gone' } }] }],
    ],
    [
      'secret "gone" not found',
      [keyOf('secretKeyRef', 'gone', 'k'), { envFrom: [{ secretRef: { name: 'gone' } }] }],
    ],
    [
      "couldn't find key k in ConfigMap default/settings",
      [keyOf('configMapKeyRef', 'settings', 'k')],
    ],
    ["couldn't find key k in Secret default/login", [keyOf('secretKeyRef', 'login', 'k')]],
    [away.message, [keyOf('secretKeyRef', 'away', 'k', { optional: true })]],
  ] as const)('fails with: %s', async (message, containers) => {
    for (const container of containers) expect(await environmentOf(container)).toBe(message)
  })

  it('leaves out what is optional and missing', async () => {
    const optional = { optional: true }
    for (const container of [
      keyOf('configMapKeyRef', 'gone', 'k', optional),
      keyOf('secretKeyRef', 'login', 'k', optional),
      { envFrom: [{ configMapRef: { name: 'gone', optional: true } }] },
    ])
      expect(await environmentOf(container)).toEqual({})
  })

  it('has the variables of Services, the API server’s always; the pod’s own variables win', async () => {
    const linked = fakePod({ spec: { enableServiceLinks: true } })
    const container = { env: [{ name: 'WEB_FRONT_PORT', value: '$(WEB_FRONT_SERVICE_HOST)' }] }
    expect(await environmentOf(container, { pod: linked })).toEqual({
      WEB_FRONT_SERVICE_HOST: '10.96.0.7',
      WEB_FRONT_SERVICE_PORT: '80',
      WEB_FRONT_PORT: '10.96.0.7',
      WEB_FRONT_PORT_80_TCP: 'tcp://10.96.0.7:80',
      WEB_FRONT_PORT_80_TCP_PROTO: 'tcp',
      WEB_FRONT_PORT_80_TCP_PORT: '80',
      WEB_FRONT_PORT_80_TCP_ADDR: '10.96.0.7',
    })
    const seen = await environmentOf({ env: [{ name: 'A', value: '$(KUBERNETES_SERVICE_HOST)' }] })
    expect(seen).toEqual({ A: '10.96.0.1' })
  })

  it('needs Services to be listed once, but for static pods', async () => {
    const message = 'services have not yet been read at least once, cannot construct envvars'
    expect(await environmentOf({}, { hasSynced: false })).toBe(message)
    const staticPod = fakeStaticPod({ spec: { enableServiceLinks: false } })
    expect(await environmentOf({}, { hasSynced: false, pod: staticPod })).toEqual({})
    expect(await environmentOf({}, { pod: fakePod() })).toBe(
      'nil pod.spec.enableServiceLinks encountered, cannot construct envvars',
    )
  })

  it('refuses variables that name each other and would fill the memory', async () => {
    const env = Array.from({ length: 40 }, (_, index) => ({
      name: `E${index + 1}`,
      value: index === 0 ? 'x'.repeat(100) : `$(E${index})$(E${index})`,
    }))
    expect(await environmentOf({ env })).toBe(
      'environment, command and arguments are longer than 2097152 characters once variables are expanded',
    )
  })
})

describe('containers#environment: field and resource references', () => {
  const pod = fakePod({
    name: 'web',
    metadata: { labels: { app: 'shop', 'a/b': 'c "d"' } },
    spec: { nodeName: 'n', serviceAccountName: 'robot', enableServiceLinks: false },
  })

  it.each([
    ['metadata.name', 'web'],
    ['metadata.namespace', 'default'],
    ['metadata.uid', 'web-uid'],
    ["metadata.labels['app']", 'shop'],
    ["metadata.labels['none']", ''],
    ['metadata.labels', 'a/b="c \\"d\\""\napp="shop"'],
    ["metadata.annotations['kubernetes.io/config.source']", 'api'],
    ['spec.nodeName', 'n'],
    ['spec.host', 'n'],
    ['spec.serviceAccountName', 'robot'],
    ['status.podIP', '10.0.0.5'],
    ['status.hostIPs', '192.0.2.1'],
  ])('%s', async (fieldPath, value) => {
    const fieldRef = { apiVersion: 'v1', fieldPath }
    expect(await environmentOf({ env: [{ name: 'X', valueFrom: { fieldRef } }] }, { pod })).toEqual(
      {
        X: value,
      },
    )
  })

  it.each([
    ['spec.restartPolicy', 'unsupported fieldPath: spec.restartPolicy'],
    ['spec.tolerations', 'field label not supported: spec.tolerations'],
    ["spec.nodeName['x']", "field label does not support subscript: spec.nodeName['x']"],
  ])('%s has no value', async (fieldPath, message) => {
    const fieldRef = { apiVersion: 'v1', fieldPath }
    expect(await environmentOf({ env: [{ name: 'X', valueFrom: { fieldRef } }] }, { pod })).toBe(
      message,
    )
  })

  it.each([
    [{ resource: 'requests.memory', divisor: '1Mi' }, '3'],
    [{ resource: 'limits.cpu', divisor: '0' }, '2'],
    [{ resource: 'limits.cpu', divisor: '1m' }, '2000'],
    [{ resource: 'limits.memory' }, '0'],
    [{ resource: 'requests.cpu', containerName: 'none' }, 'container none not found'],
    [{ resource: 'pods' }, 'unsupported container resource : pods'],
  ])('%j', async (resourceFieldRef, expected) => {
    const container = {
      resources: { requests: { memory: '2100Ki' } },
      env: [{ name: 'X', valueFrom: { resourceFieldRef } }],
    }
    const found = await environmentOf(container)
    expect(typeof found === 'string' ? found : found['X']).toBe(expected)
  })
})
