import { stringify } from 'yaml'
import type { RandomPicker } from '../random-picker.ts'
import { collections, randomObject, subresources } from './random-object.ts'
import { hostileTexts, hostileValue, mutate } from './hostile-values.ts'

/** One request. `identity`: whose token it has; `anonymous`: an invalid or missing one. */
export interface FuzzedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
  readonly identity: Identity
}

/** Those after `anonymous` have few rights, where RBAC is enforced. */
export type Identity = 'admin' | 'node' | 'anonymous' | 'viewer' | 'author' | 'account'

const names = ['web', 'db', 'n1', 'default', 'a', 'b', 'constructor', 'x-1'] as const
const namespaces = ['default', 'kube-system', 'team', 'constructor', 'nope'] as const
const common = [
  '/api/v1/NS/pods',
  '/api/v1/NS/configmaps',
  '/api/v1/NS/events',
  '/api/v1/nodes',
  '/api/v1/namespaces',
  '/apis/coordination.k8s.io/v1/NS/leases',
  '/apis/policy/v1/NS/poddisruptionbudgets',
  '/apis/fuzz.example.com/v1/NS/things',
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
const otherSubresources = ['finalize', 'proxy', 'constructor', '__proto__'] as const
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

function metadata(pick: RandomPicker, path: string): Record<string, unknown> {
  const inPath = pick.percent(80)
    ? names.find(
        (name) =>
          path.endsWith(`s/${name}`) ||
          (path.includes(`s/${name}/`) && !path.includes(`namespaces/${name}/`)),
      )
    : undefined
  return {
    name: inPath ?? pick.of(names),
    labels: { app: pick.of(names) },
    ...(pick.percent(10) ? { finalizers: ['example.com/a'] } : {}),
    ...(pick.percent(10) ? { annotations: { a: 'x'.repeat(pick.below(2000)) } } : {}),
    ...(pick.percent(5) ? { resourceVersion: String(pick.below(5000)) } : {}),
    ...(pick.percent(5) ? { generateName: 'gen-' } : {}),
  }
}

function objectFor(pick: RandomPicker, path: string): Record<string, unknown> {
  const meta = metadata(pick, path)
  if (path.includes('/binding'))
    return {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: meta,
      target: { kind: 'Node', name: 'n1' },
    }
  if (path.includes('/eviction'))
    return { apiVersion: 'policy/v1', kind: 'Eviction', metadata: meta, deleteOptions: {} }
  const fromSchema = pick.percent(40) ? randomObject(pick, path, meta) : undefined
  if (fromSchema !== undefined) return fromSchema
  if (path.includes('/pods'))
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: meta,
      spec: {
        ...(pick.percent(30) ? { nodeName: 'n1' } : {}),
        containers: [
          {
            name: 'c',
            image: 'registry.example/app:1',
            env: [{ name: 'A', value: 'x'.repeat(pick.percent(0.5) ? 1_700_000 : 5) }],
            resources: { requests: { cpu: '10m' } },
          },
        ],
        ...(pick.percent(20) ? { nodeSelector: { constructor: 'x' } } : {}),
        ...(pick.percent(10) ? { priorityClassName: pick.of(hostileTexts) } : {}),
        tolerations: [{ operator: 'Exists' }],
      },
      status: { phase: 'Running' },
    }
  if (path.includes('/nodes'))
    return {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: meta,
      spec: { unschedulable: pick.percent(20) },
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
  if (!path.includes('/configmaps')) {
    const object = randomObject(pick, path, meta)
    if (object !== undefined) return object
  }
  const size = pick.percent(0.5) ? 900_000 : pick.below(200)
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: meta, data: { a: 'x'.repeat(size) } }
}

function pointer(pick: RandomPicker): string {
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
  const parts = Array.from({ length: pick.below(5) }, () =>
    pick.percent(85) ? pick.of(steps) : pick.of(hostileTexts).replaceAll('/', '~1'),
  )
  return parts.map((part) => `/${part}`).join('')
}

function jsonPatch(pick: RandomPicker): unknown {
  const count = pick.percent(0.3) ? pick.of([2000, 10_001]) : 1 + pick.below(20)
  if (pick.percent(5)) {
    const doubling = { op: 'copy', from: '/x', path: '/x/-' }
    return [
      { op: 'add', path: '/x', value: ['a'.repeat(1000)] },
      ...Array<object>(25).fill(doubling),
    ]
  }
  return Array.from({ length: count }, () => ({
    op: pick.of(['add', 'remove', 'replace', 'copy', 'move', 'test', 'nope']),
    path: pointer(pick),
    from: pointer(pick),
    value: hostileValue(pick),
  }))
}

function patchBody(pick: RandomPicker, type: string, path: string): unknown {
  if (type.includes('json-patch') && pick.percent(95)) return jsonPatch(pick)
  const object = objectFor(pick, path)
  if (pick.percent(30))
    Object.assign(object, { $patch: pick.of(['replace', 'delete', 'merge', 'x']) })
  if (pick.percent(30))
    Object.assign(object, { '$setElementOrder/containers': [{ name: 'c' }, { name: 'd' }] })
  if (pick.percent(20)) Object.assign(object, { $retainKeys: ['metadata', 1] })
  return object
}

/** What breaks parsers. */
function garbage(pick: RandomPicker): Buffer {
  const length = pick.of([1, 100, 1000, pick.percent(3) ? 500_000 : 10])
  switch (pick.below(6)) {
    case 0:
      return pick.bytes(Math.min(length, 2000))
    case 1:
      return Buffer.from(
        pick.of(['[', '{', '"', '- ', '? ', '&a ', '*a ', '!!', '|\n', 'a: b\n']).repeat(length),
      )
    case 2:
      return Buffer.from(`${'{"a":'.repeat(length)}1${'}'.repeat(length)}`)
    case 3:
      return Buffer.from(`a: &a [x,x,x]\nb: [${'*a,'.repeat(Math.min(length, 5000))}]`)
    case 4:
      return Buffer.concat([Buffer.from('k8s\0'), pick.bytes(Math.min(length, 500))])
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

function pathOf(pick: RandomPicker, method: string): string {
  if (pick.percent(8)) return pick.of(otherPaths)
  // Half of the requests are about what a kubelet needs, half about any kind.
  let path = (pick.percent(50) ? pick.of(common) : pick.of(collections)).replace(
    'NS',
    `namespaces/${pick.percent(60) ? 'default' : pick.of(namespaces)}`,
  )
  // Mostly where the method is served: a POST makes something, most others are about something.
  const isNamed = pick.percent(method === 'POST' ? 15 : method === 'GET' ? 50 : 95)
  if (isNamed) path += `/${pick.of(names)}`
  if (isNamed && pick.percent(method === 'POST' ? 90 : 20))
    path += `/${pick.percent(85) ? pick.of(subresources) : pick.of(otherSubresources)}`
  if (pick.percent(8)) {
    const parts = path.split('/')
    parts[pick.below(parts.length)] = encoded(pick.of(hostileTexts))
    path = parts.join('/')
  }
  if (pick.percent(2)) path += pick.of(['/', '//', '/..', '/%2e%2e', '%2f', '/a/b/c/d', ';x', '%'])
  if (pick.percent(2)) path = path.replace(/^(\/api|\/apis\/[^/]+)(\/[^/]+)\//, '$1$2/watch/')
  return path.startsWith('/') ? path : `/${path}`
}

const limited = ['viewer', 'author', 'account'] as const

function identityOf(pick: RandomPicker, enforcesRbac: boolean): Identity {
  if (enforcesRbac && pick.percent(60)) return pick.of(limited)
  return pick.percent(85) ? 'admin' : pick.percent(60) ? 'node' : 'anonymous'
}

/** `kubectl --as`, which few may. */
function impersonation(pick: RandomPicker): Record<string, string> {
  if (pick.percent(95)) return {}
  const name = (): string => pick.of(['viewer', 'system:serviceaccount:default:account', 'a', ''])
  return {
    'impersonate-user': name(),
    ...(pick.percent(50) ? { 'impersonate-group': pick.of(['system:masters', 'a']) } : {}),
    ...(pick.percent(20) ? { 'impersonate-uid': name() } : {}),
    ...(pick.percent(20) ? { 'impersonate-extra-a%': name() } : {}),
  }
}

function queryOf(pick: RandomPicker): string {
  const count = pick.percent(50) ? 0 : 1 + pick.below(4)
  const pairs = Array.from({ length: count }, () => {
    const name = pick.percent(97) ? pick.of(queryNames) : pick.of(hostileTexts)
    const value = pick.percent(75) ? pick.of(queryValues) : pick.of(hostileTexts)
    return `${encoded(name)}=${encoded(value)}`
  })
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function headersOf(pick: RandomPicker, contentType: string | undefined): Record<string, string> {
  return {
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    ...(pick.percent(20)
      ? {
          accept: pick.of([
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
    ...(pick.percent(5) ? { 'user-agent': 'x'.repeat(pick.below(500)) } : {}),
  }
}

function bodyOf(pick: RandomPicker, method: string, path: string): { type: string; body: Buffer } {
  if (pick.percent(6)) {
    const type = pick.of([
      'application/json',
      'application/yaml',
      'application/vnd.kubernetes.protobuf',
      ...patchTypes,
    ])
    return { type, body: garbage(pick) }
  }
  const type =
    method === 'PATCH'
      ? pick.of(patchTypes)
      : pick.of(['application/json', 'application/json', 'application/yaml', 'text/plain', ''])
  let value: unknown =
    method === 'PATCH'
      ? patchBody(pick, type, path)
      : method === 'DELETE'
        ? { gracePeriodSeconds: pick.below(40), preconditions: { uid: 'x' } }
        : objectFor(pick, path)
  const mutations = pick.percent(50) ? 0 : 1 + pick.below(4)
  for (let count = 0; count < mutations; count++) value = mutate(pick, value)
  const isYaml = type.includes('yaml') && pick.percent(80)
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
export function randomRequest(pick: RandomPicker, enforcesRbac = false): FuzzedRequest {
  const method = pick.percent(97)
    ? pick.of(['GET', 'GET', 'POST', 'POST', 'PUT', 'PATCH', 'PATCH', 'DELETE'] as const)
    : pick.of(['OPTIONS', 'HEAD', 'TRACE', 'LINK'] as const)
  const path = pathOf(pick, method)
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(method) || pick.percent(20)
  const sent = hasBody ? bodyOf(pick, method, path) : undefined
  const identity = identityOf(pick, enforcesRbac)
  return {
    method,
    path: path + queryOf(pick),
    headers: {
      ...headersOf(pick, sent?.type),
      ...(enforcesRbac && method !== 'HEAD' ? impersonation(pick) : {}),
    },
    body: sent?.body,
    identity,
  }
}

/** Bytes that are hardly HTTP. */
export function randomBytes(pick: RandomPicker): Buffer {
  switch (pick.below(4)) {
    case 0:
      return pick.bytes(1 + pick.below(500))
    case 1:
      return Buffer.from('GET / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nx')
    case 2:
      return Buffer.from(`GET /${'a'.repeat(100_000)} HTTP/1.1\r\n\r\n`)
    default:
      return Buffer.from(
        `POST /api/v1/pods HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${pick.of(['zz', '-1', 'ffffffffffffffff'])}\r\n`,
      )
  }
}
