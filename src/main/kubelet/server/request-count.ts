import type { KubeletMetrics } from '../metrics/kubelet-metrics.ts'
import type { Clock } from '../ports.ts'
import type { KubeletRequest } from './kubelet-request.ts'

const methods: ReadonlySet<string> = new Set(
  'OPTIONS GET HEAD POST PUT DELETE TRACE CONNECT'.split(' '),
)

/** Paths that are counted by their name (Server.addMetricsBucketMatcher). */
const roots: ReadonlySet<string> = new Set([
  'attach',
  'checkpoint',
  'configz',
  'containerLogs',
  'debug',
  'exec',
  'healthz',
  'logs',
  'metrics',
  'metrics/cadvisor',
  'metrics/probes',
  'metrics/resource',
  'pods',
  'portForward',
  'run',
  'runningpods',
  'stats',
])

/** The kubelet writes portForward in lower case here, so that it is none of them. */
const longRunning: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward', 'debug'])

function rootOf(path: string): string {
  const [first = '', second] = path.replace(/^\//, '').split('/')
  const root = first === 'metrics' && second !== undefined ? `metrics/${second}` : first
  return roots.has(root) ? root : 'other'
}

/** Counts and times requests (pkg/kubelet/server ServeHTTP). */
export async function counted<T>(
  { method, path }: Pick<KubeletRequest, 'method' | 'path'>,
  { metrics, clock }: { readonly metrics: KubeletMetrics; readonly clock: Clock },
  answer: () => Promise<T>,
): Promise<T> {
  const root = rootOf(path)
  const isLong = String(longRunning.has(root))
  const labels = [methods.has(method) ? method : 'other', root, 'readwrite', isLong] as const
  metrics.httpRequests.with(...labels).increment()
  const inflight = metrics.httpInflightRequests.with(...labels)
  inflight.increment()
  const startedAt = clock.now()
  try {
    return await answer()
  } finally {
    inflight.increment(-1)
    metrics.httpRequestsDuration.with(...labels).observe((clock.now() - startedAt) / 1000)
  }
}
