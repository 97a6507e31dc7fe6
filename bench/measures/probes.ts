// 1,000 running pods, each with a readiness and a liveness probe every 10 seconds, in the sandbox: processor time per
// virtual hour, and of the same pods without probes. A part of an hour is measured and multiplied.
import type { Pod } from '../../src/shared/kubernetes/objects.ts'
import { MemorySandbox } from '../../test/memory-sandbox/memory-sandbox.ts'
import { quietLog, report } from './quiet.ts'

const count = Number(process.argv[2] ?? 1000)
const minuteMs = 60_000
const startMs = 3 * minuteMs
const measuredMs = 10 * minuteMs
const hourMs = 60 * minuteMs
const periodSeconds = 10

function podOf(index: number, probes: object): Pod {
  const image = 'nginx:1.27'
  const container = { name: 'web', image, ports: [{ containerPort: 80 }], ...probes }
  const metadata = { name: `web-${index}`, namespace: 'default', uid: '' }
  return { metadata, spec: { containers: [container] } }
}

const probes = {
  readinessProbe: { httpGet: { path: '/', port: 80 }, periodSeconds },
  livenessProbe: { tcpSocket: { port: 80 }, periodSeconds },
}

async function readyPods(cluster: MemorySandbox): Promise<number> {
  const answer = await cluster.request('GET', '/api/v1/namespaces/default/pods')
  // The server's own objects.
  const { items } = (answer as { readonly body: { readonly items: readonly Pod[] } }).body
  return items.filter(({ status }) =>
    status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True'),
  ).length
}

/** Processor time in seconds per virtual hour. */
async function hourOf(ofContainer: object): Promise<number> {
  const cluster = new MemorySandbox({
    seed: 1,
    startAt: Date.UTC(2026, 0, 1),
    nodeNames: ['n1'],
    log: quietLog,
  })
  cluster.start()
  for (let index = 0; index < count; index++) await cluster.createPod(podOf(index, ofContainer))
  await cluster.clock.advance(startMs)
  const before = process.cpuUsage()
  await cluster.clock.advance(measuredMs)
  const { user, system } = process.cpuUsage(before)
  const ready = await readyPods(cluster)
  if (ready !== count) throw new Error(`${ready} pods are ready, not ${count}`)
  cluster.stop()
  return ((user + system) / 1e6) * (hourMs / measuredMs)
}

const withoutProbes = await hourOf({})
const withProbes = await hourOf(probes)
const probesPerHour = (2 * count * hourMs) / (periodSeconds * 1000)
report({
  cpuSecondsPerHour: withProbes,
  withoutProbes,
  microsecondsPerProbe: ((withProbes - withoutProbes) / probesPerHour) * 1e6,
  probesPerHour,
})
process.exit(0)
