import { stringify } from 'yaml'
import type { Chance } from './chance.ts'
import { hostileTexts, hostileValue, mutate } from './chance.ts'

/** One request as it goes out. `identity` says whose token it carries, or what stands there in its place. */
export interface FuzzedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
  readonly identity: 'admin' | 'node' | 'nobody'
}

const names = ['web', 'db', 'n1', 'default', 'a', 'b', 'constructor', 'x-1'] as const
const namespaces = ['default', 'kube-system', 'team', 'constructor', 'nope'] as const
const resources = [
  '/api/v1/NS/pods',
  '/api/v1/NS/configmaps',
  '/api/v1/NS/events',
  '/api/v1/NS/serviceaccounts',
  '/api/v1/nodes',
  '/api/v1/namespaces',
  '/api/v1/NS/services',
  '/apis/coordination.k8s.io/v1/NS/leases',
  '/apis/policy/v1/NS/poddisruptionbudgets',
  '/apis/apps/v1/NS/daemonsets',
] as const
const otherPaths = [
  '/',
  '/api',
  '/apis',
  '/version',
  '/healthz',
  '/readyz',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/api/v1',
  '/api/v1',
  '/api/v1/pods',
  '/api/v1/namespaces/default',
  '/apis/authentication.k8s.io/v1/selfsubjectreviews',
] as const
const subresources = [
  'status',
  'binding',
  'eviction',
  'finalize',
  'log',
  'exec',
  'proxy',
  'ephemeralcontainers',
  'constructor',
  '__proto__',
] as const
const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
] as const
const queryNames = [
  'labelSelector',
  'fieldSelector',
  'limit',
  'continue',
  'resourceVersion',
  'resourceVersionMatch',
  'watch',
  'timeoutSeconds',
  'allowWatchBookmarks',
  'sendInitialEvents',
  'dryRun',
  'fieldValidation',
  'fieldManager',
  'force',
  'gracePeriodSeconds',
  'propagationPolicy',
  'pretty',
  '__proto__',
  'constructor',
] as const
const queryValues = [
  'true',
  '1',
  '0',
  'All',
  'Strict',
  'app=web',
  'app in (web,db),!x',
  'valueOf',
  'constructor!=a',
  'spec.nodeName=n1',
  'metadata.name=web',
  'Exact',
  'NotOlderThan',
  'Background',
  'Foreground',
  'Orphan',
  '5',
  'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MWU5OTksInN0YXJ0IjoiYSJ9',
] as const

function metadata(chance: Chance, path: string): Record<string, unknown> {
  const inPath = chance.percent(80)
    ? names.find(
        (name) =>
          path.endsWith(`s/${name}`) ||
          (path.includes(`s/${name}/`) && !path.includes(`namespaces/${name}/`)),
      )
    : undefined
  return {
    name: inPath ?? chance.of(names),
    labels: { app: chance.of(names) },
    ...(chance.percent(10) ? { finalizers: ['example.com/a'] } : {}),
    ...(chance.percent(10) ? { annotations: { a: 'x'.repeat(chance.whole(2000)) } } : {}),
    ...(chance.percent(5) ? { resourceVersion: String(chance.whole(5000)) } : {}),
    ...(chance.percent(5) ? { generateName: 'gen-' } : {}),
  }
}

function objectFor(chance: Chance, path: string): Record<string, unknown> {
  const meta = metadata(chance, path)
  if (path.includes('/binding'))
    return {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: meta,
      target: { kind: 'Node', name: 'n1' },
    }
  if (path.includes('/eviction'))
    return { apiVersion: 'policy/v1', kind: 'Eviction', metadata: meta, deleteOptions: {} }
  if (path.includes('/pods'))
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: meta,
      spec: {
        ...(chance.percent(30) ? { nodeName: 'n1' } : {}),
        containers: [
          {
            name: 'c',
            image: 'registry.example/app:1',
            env: [{ name: 'A', value: 'x'.repeat(chance.percent(0.5) ? 1_700_000 : 5) }],
            resources: { requests: { cpu: '10m' } },
          },
        ],
        ...(chance.percent(20) ? { nodeSelector: { constructor: 'x' } } : {}),
        ...(chance.percent(10) ? { priorityClassName: chance.of(hostileTexts) } : {}),
        tolerations: [{ operator: 'Exists' }],
      },
      status: { phase: 'Running' },
    }
  if (path.includes('/nodes'))
    return {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: meta,
      spec: { unschedulable: chance.percent(20) },
      status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' } },
    }
  if (path.includes('leases'))
    return {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: meta,
      spec: { holderIdentity: 'n1', leaseDurationSeconds: 40 },
    }
  if (path.includes('poddisruptionbudgets'))
    return {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: meta,
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
    }
  if (path.includes('events'))
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: meta,
      involvedObject: { kind: 'Pod', name: 'web', namespace: 'default' },
      reason: 'Fuzzed',
      message: 'x',
      type: 'Normal',
    }
  const size = chance.percent(0.5) ? 900_000 : chance.whole(200)
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: meta, data: { a: 'x'.repeat(size) } }
}

function pointer(chance: Chance): string {
  const steps = [
    'metadata',
    'labels',
    'app',
    'spec',
    'containers',
    '0',
    '-1',
    '-',
    'data',
    'a',
    'x',
  ]
  const parts = Array.from({ length: chance.whole(5) }, () =>
    chance.percent(85) ? chance.of(steps) : chance.of(hostileTexts).replaceAll('/', '~1'),
  )
  return parts.map((part) => `/${part}`).join('')
}

function jsonPatch(chance: Chance): unknown {
  const count = chance.percent(0.3) ? chance.of([2000, 10_001]) : 1 + chance.whole(20)
  if (chance.percent(5)) {
    const doubling = { op: 'copy', from: '/x', path: '/x/-' }
    return [
      { op: 'add', path: '/x', value: ['a'.repeat(1000)] },
      ...Array<object>(25).fill(doubling),
    ]
  }
  return Array.from({ length: count }, () => ({
    op: chance.of(['add', 'remove', 'replace', 'copy', 'move', 'test', 'nope']),
    path: pointer(chance),
    from: pointer(chance),
    value: hostileValue(chance),
  }))
}

function patchBody(chance: Chance, type: string, path: string): unknown {
  if (type.includes('json-patch') && chance.percent(95)) return jsonPatch(chance)
  const object = objectFor(chance, path)
  if (chance.percent(30))
    Object.assign(object, { $patch: chance.of(['replace', 'delete', 'merge', 'x']) })
  if (chance.percent(30))
    Object.assign(object, { '$setElementOrder/containers': [{ name: 'c' }, { name: 'd' }] })
  if (chance.percent(20)) Object.assign(object, { $retainKeys: ['metadata', 1] })
  return object
}

/** What breaks parsers. */
function garbage(chance: Chance): Buffer {
  const length = chance.of([1, 100, 1000, chance.percent(3) ? 500_000 : 10])
  switch (chance.whole(6)) {
    case 0:
      return chance.bytes(Math.min(length, 2000))
    case 1:
      return Buffer.from(
        chance.of(['[', '{', '"', '- ', '? ', '&a ', '*a ', '!!', '|\n', 'a: b\n']).repeat(length),
      )
    case 2:
      return Buffer.from(`${'{"a":'.repeat(length)}1${'}'.repeat(length)}`)
    case 3:
      return Buffer.from(`a: &a [x,x,x]\nb: [${'*a,'.repeat(Math.min(length, 5000))}]`)
    case 4:
      return Buffer.concat([Buffer.from('k8s\0'), chance.bytes(Math.min(length, 500))])
    default:
      return Buffer.from(
        Array.from({ length: Math.min(length, 5000) }, (_, index) => `k${index}: v\n`).join(''),
      )
  }
}

/** A lone half of a character has no UTF-8. */
function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString())
}

function pathOf(chance: Chance, method: string): string {
  if (chance.percent(8)) return chance.of(otherPaths)
  let path = chance
    .of(resources)
    .replace('NS', `namespaces/${chance.percent(60) ? 'default' : chance.of(namespaces)}`)
  // Mostly where the method is served: a POST makes something, most others are about something.
  const isNamed = chance.percent(method === 'POST' ? 15 : method === 'GET' ? 50 : 95)
  if (isNamed) path += `/${chance.of(names)}`
  if (isNamed && chance.percent(method === 'POST' ? 90 : 20))
    path += `/${chance.percent(70) ? chance.of(['status', 'binding', 'eviction']) : chance.of(subresources)}`
  if (chance.percent(8)) {
    const parts = path.split('/')
    parts[chance.whole(parts.length)] = encoded(chance.of(hostileTexts))
    path = parts.join('/')
  }
  if (chance.percent(2))
    path += chance.of(['/', '//', '/..', '/%2e%2e', '%2f', '/a/b/c/d', ';x', '%'])
  return path.startsWith('/') ? path : `/${path}`
}

function queryOf(chance: Chance): string {
  const count = chance.percent(50) ? 0 : 1 + chance.whole(4)
  const pairs = Array.from({ length: count }, () => {
    const name = chance.percent(97) ? chance.of(queryNames) : chance.of(hostileTexts)
    const value = chance.percent(75) ? chance.of(queryValues) : chance.of(hostileTexts)
    return `${encoded(name)}=${encoded(value)}`
  })
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function headersOf(chance: Chance, contentType: string | undefined): Record<string, string> {
  return {
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    ...(chance.percent(20)
      ? {
          accept: chance.of([
            'application/json',
            'application/json;as=Table;v=v1;g=meta.k8s.io',
            'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
            'application/vnd.kubernetes.protobuf',
            'text/html',
            '*/*',
            ';;;q=x',
            '__proto__',
          ]),
        }
      : {}),
    ...(chance.percent(5) ? { 'user-agent': 'x'.repeat(chance.whole(500)) } : {}),
  }
}

function bodyOf(chance: Chance, method: string, path: string): { type: string; body: Buffer } {
  if (chance.percent(6)) {
    const type = chance.of([
      'application/json',
      'application/yaml',
      'application/vnd.kubernetes.protobuf',
      ...patchTypes,
    ])
    return { type, body: garbage(chance) }
  }
  const type =
    method === 'PATCH'
      ? chance.of(patchTypes)
      : chance.of(['application/json', 'application/json', 'application/yaml', 'text/plain', ''])
  let value: unknown =
    method === 'PATCH'
      ? patchBody(chance, type, path)
      : method === 'DELETE'
        ? { gracePeriodSeconds: chance.whole(40), preconditions: { uid: 'x' } }
        : objectFor(chance, path)
  const mutations = chance.percent(50) ? 0 : 1 + chance.whole(4)
  for (let count = 0; count < mutations; count++) value = mutate(chance, value)
  const isYaml = type.includes('yaml') && chance.percent(80)
  let text: string
  try {
    text = isYaml ? stringify(value) : JSON.stringify(value)
  } catch {
    // Deeper than the writer goes.
    text = '{"a":'.repeat(5000)
  }
  return { type, body: Buffer.from(text ?? 'null') }
}

/** A request that is now and then good, and mostly is not. */
export function randomRequest(chance: Chance): FuzzedRequest {
  const method = chance.percent(97)
    ? chance.of(['GET', 'GET', 'POST', 'POST', 'PUT', 'PATCH', 'PATCH', 'DELETE'] as const)
    : chance.of(['OPTIONS', 'HEAD', 'TRACE', 'LINK'] as const)
  const path = pathOf(chance, method)
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(method) || chance.percent(20)
  const sent = hasBody ? bodyOf(chance, method, path) : undefined
  const identity = chance.percent(85) ? 'admin' : chance.percent(60) ? 'node' : 'nobody'
  return {
    method,
    path: path + queryOf(chance),
    headers: headersOf(chance, sent?.type),
    body: sent?.body,
    identity,
  }
}

/** Bytes that are hardly HTTP. */
export function randomBytes(chance: Chance): Buffer {
  switch (chance.whole(4)) {
    case 0:
      return chance.bytes(1 + chance.whole(500))
    case 1:
      return Buffer.from('GET / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nx')
    case 2:
      return Buffer.from(`GET /${'a'.repeat(100_000)} HTTP/1.1\r\n\r\n`)
    default:
      return Buffer.from(
        `POST /api/v1/pods HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${chance.of(['zz', '-1', 'ffffffffffffffff'])}\r\n`,
      )
  }
}
