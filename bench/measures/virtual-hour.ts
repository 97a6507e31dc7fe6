// A whole sandbox with so many pods, a fifth of them static: it comes up for two virtual minutes, then one virtual
// hour is taken as fast as it goes. Some pods crash and are started again, some end, some ignore SIGTERM.
import { VirtualNode } from '../../src/main/session/virtual-node.ts'
import { workloadPods } from '../../src/main/session/virtual-workload.ts'
import { quietLog, report } from './quiet.ts'

const count = Number(process.argv[2] ?? 200)
const minuteMs = 60_000
const hourMs = 60 * minuteMs

const node = new VirtualNode({
  seed: 1,
  startAt: Date.UTC(2026, 0, 1),
  nodeName: 'n1',
  log: quietLog,
})
node.start()
node.setStaticPods(workloadPods('static', Math.round(count / 5)))
for (const pod of workloadPods('pod', count - Math.round(count / 5))) await node.createPod(pod)
await node.clock.advance(2 * minuteMs)
let events = 0
node.trace.listen(() => {
  events++
})
const startedAt = performance.now()
await node.clock.advance(hourMs)
const seconds = (performance.now() - startedAt) / 1000
report({ seconds, timesRealTime: hourMs / 1000 / seconds, events })
node.stop()
process.exit(0)
