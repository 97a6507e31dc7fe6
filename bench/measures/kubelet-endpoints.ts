// The answers of a kubelet's own server, without connections: sizes and times of /metrics and /pods, with many running pods.
import { MemorySandbox } from '../../test/memory-sandbox/memory-sandbox.ts'
import { workloadPods } from '../../test/memory-sandbox/workload.ts'
import { quietLog, report } from './quiet.ts'

const count = Number(process.argv[2] ?? 500)
const times = 20

const cluster = new MemorySandbox({
  seed: 1,
  startAt: Date.UTC(2026, 0, 1),
  nodeNames: ['n1'],
  log: quietLog,
})
cluster.start()
for (const pod of workloadPods('pod', count)) await cluster.createPod(pod)
await cluster.clock.advance(120_000)

/** Milliseconds of one answer, the middle of several, and kilobytes. */
async function measure(path: string): Promise<{ readonly ms: number; readonly kilobytes: number }> {
  const { server } = cluster.node().kubelet
  const taken: number[] = []
  let bytes = 0
  for (let time = 0; time < times; time++) {
    const startedAt = performance.now()
    const answer = await server.handle({ method: 'GET', path, query: {} })
    taken.push(performance.now() - startedAt)
    if (answer.kind === 'text') bytes = Buffer.byteLength(answer.body)
  }
  return { ms: taken.toSorted((a, b) => a - b)[times / 2] ?? 0, kilobytes: bytes / 1000 }
}

const metrics = await measure('/metrics')
const pods = await measure('/pods')
report({
  metricsMs: metrics.ms,
  metricsKilobytes: metrics.kilobytes,
  podsMs: pods.ms,
  podsKilobytes: pods.kilobytes,
})
cluster.stop()
process.exit(0)
