import type { KubeletRequest } from './kubelet-request.ts'

/** What answers a request. */
export type Endpoint =
  | 'pods'
  | 'runningPods'
  | 'stats'
  | 'metrics'
  | 'resourceMetrics'
  | 'probeMetrics'
  | 'cadvisorMetrics'
  | 'sliMetrics'
  | 'configz'
  | 'healthz'
  | 'containerLogs'
  | 'run'
  | 'exec'
  | 'attach'
  | 'portForward'
  | 'checkpoint'
  | 'logs'
  | 'profiling'
  | 'flags'

type Parameters = Readonly<Record<string, string>>

/**
 * Where a request leads. `unknown` and `redirect` come before authentication, the others after it. `none`: below the path of an
 * endpoint, but not its own.
 */
export type Route =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'redirect'; readonly path: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'method'; readonly allowed: readonly string[] }
  | { readonly kind: 'endpoint'; readonly endpoint: Endpoint; readonly parameters: Parameters }

/** These paths and no others, with every method. */
const paths: Readonly<Record<string, readonly [Endpoint, Parameters?]>> = {
  '/metrics': ['metrics'],
  '/metrics/resource': ['resourceMetrics'],
  '/metrics/probes': ['probeMetrics'],
  '/metrics/cadvisor': ['cadvisorMetrics'],
  '/metrics/slis': ['sliMetrics'],
  '/configz': ['configz'],
  '/healthz': ['healthz'],
  '/healthz/ping': ['healthz', { check: 'ping' }],
  '/healthz/log': ['healthz', { check: 'log' }],
  '/healthz/syncloop': ['healthz', { check: 'syncloop' }],
  '/debug/flags/v': ['flags'],
}

interface Service {
  /** With a slash at its end only what begins with it is meant. */
  readonly root: string
  readonly endpoint: Endpoint
  /** Absent: every one. */
  readonly methods?: readonly string[]
  /** Below the root; `{x}` stands for one step. Absent: every one. */
  readonly patterns?: readonly string[]
}

const container = '{namespace}/{pod}/{container}'
const containerWithUid = '{namespace}/{pod}/{uid}/{container}'
const streamMethods = ['GET', 'POST']

const services: readonly Service[] = [
  { root: '/pods', endpoint: 'pods', methods: ['GET'], patterns: [''] },
  { root: '/runningpods/', endpoint: 'runningPods', methods: ['GET'], patterns: [''] },
  { root: '/stats/', endpoint: 'stats', methods: ['GET', 'POST'], patterns: ['summary'] },
  { root: '/containerLogs', endpoint: 'containerLogs', methods: ['GET'], patterns: [container] },
  { root: '/run', endpoint: 'run', methods: ['POST'], patterns: [container, containerWithUid] },
  {
    root: '/exec',
    endpoint: 'exec',
    methods: streamMethods,
    patterns: [container, containerWithUid],
  },
  {
    root: '/attach',
    endpoint: 'attach',
    methods: streamMethods,
    patterns: [container, containerWithUid],
  },
  {
    root: '/portForward',
    endpoint: 'portForward',
    methods: streamMethods,
    patterns: ['{namespace}/{pod}', '{namespace}/{pod}/{uid}'],
  },
  { root: '/checkpoint/', endpoint: 'checkpoint', methods: ['POST'], patterns: [container] },
  { root: '/logs/', endpoint: 'logs' },
  { root: '/debug/pprof/', endpoint: 'profiling' },
]

function steps(path: string): readonly string[] {
  return path.split('/').filter((step) => step !== '')
}

/** Without empty steps and dots; a slash at the end stays (net/http cleanPath). */
function cleaned(path: string): string {
  const kept: string[] = []
  for (const step of steps(path)) {
    if (step === '..') kept.pop()
    else if (step !== '.') kept.push(step)
  }
  const joined = `/${kept.join('/')}`
  return path.endsWith('/') && kept.length > 0 ? `${joined}/` : joined
}

function parametersOf(pattern: string, given: readonly string[]): Parameters | undefined {
  const wanted = steps(pattern)
  if (wanted.length !== given.length) return undefined
  const found: Record<string, string> = {}
  for (const [index, step] of wanted.entries()) {
    const value = given[index] ?? ''
    if (step.startsWith('{')) found[step.slice(1, -1)] = value
    else if (step !== value) return undefined
  }
  return found
}

/** Finds what answers a request, like the kubelet's ServeMux and go-restful container. */
export function routeOf({ method, path }: Pick<KubeletRequest, 'method' | 'path'>): Route {
  const clean = cleaned(path)
  if (clean !== path) return { kind: 'redirect', path: clean }
  const exact = Object.hasOwn(paths, path) ? paths[path] : undefined
  if (exact !== undefined)
    return { kind: 'endpoint', endpoint: exact[0], parameters: exact[1] ?? {} }
  if (services.some(({ root }) => root === `${path}/`))
    return { kind: 'redirect', path: `${path}/` }
  const service = services.find(
    ({ root }) => path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`),
  )
  return service === undefined ? { kind: 'unknown' } : routeIn(service, method, path)
}

function routeIn(service: Service, method: string, path: string): Route {
  const { root, endpoint, methods, patterns } = service
  const below = steps(path.slice(root.length))
  const parameters =
    patterns === undefined
      ? {}
      : patterns.map((pattern) => parametersOf(pattern, below)).find((one) => one !== undefined)
  if (parameters === undefined) return { kind: 'none' }
  return methods?.includes(method) === false
    ? { kind: 'method', allowed: methods }
    : { kind: 'endpoint', endpoint, parameters }
}
