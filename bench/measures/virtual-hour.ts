// A sandbox with many pods, a fifth of them static: it starts for two virtual minutes, then one virtual
// hour runs as fast as possible. Some pods crash and are restarted, some complete, some ignore SIGTERM.
import { MemorySandbox } from '../../test/memory-sandbox/memory-sandbox.ts'
import { workloadPods } from '../../test/memory-sandbox/workload.ts'
import { quietLog, report } from './quiet.ts'

const count = Number(process.argv[2] ?? 200)
const minuteMs = 60_000
const hourMs = 60 * minuteMs

const cluster = new MemorySandbox({
  seed: 1,
  startAt: Date.UTC(2026, 0, 1),
  nodeNames: ['n1'],
  log: quietLog,
})
cluster.start()
cluster.putManifests(workloadPods('static', Math.round(count / 5)))
for (const pod of workloadPods('pod', count - Math.round(count / 5))) await cluster.createPod(pod)
await cluster.clock.advance(2 * minuteMs)
let events = 0
cluster.trace.listen(() => {
  events++
})
const startedAt = performance.now()
const cpuBefore = process.cpuUsage()
await cluster.clock.advance(hourMs)
const seconds = (performance.now() - startedAt) / 1000
const cpu = process.cpuUsage(cpuBefore)
const cpuSeconds = (cpu.user + cpu.system) / 1e6
report({ seconds, timesRealTime: hourMs / 1000 / seconds, cpuSeconds, events })
cluster.stop()
process.exit(0)
