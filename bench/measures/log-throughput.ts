// The log of a simulated container, written by its shell and read through the kubelet's server with follow: line by line
// and in bursts, as fast as the virtual clock goes; and the heap that a million lines leave behind.
import type { Pod } from '../../src/shared/kubernetes/objects.ts'
import { MemorySandbox } from '../../test/memory-sandbox/memory-sandbox.ts'
import { collectedHeap } from './bench-server.ts'
import { quietLog, report } from './quiet.ts'

const secondMs = 1000
const measuredSeconds = 60
const linesPerSecond = 1000
const longSeconds = 1000
/** Of the lines of those seconds: a burst takes a few ms too. */
const leastShare = 0.99

const scripts = {
  /** The container wakes up for each line. */
  line: `i=0; while true; do i=$((i+1)); echo "10.244.0.1 GET /cart/$i HTTP/1.1 200"; sleep 0.001; done`,
  /** For each second. */
  burst: `while true; do for i in $(seq ${linesPerSecond}); do echo "10.244.0.1 GET /cart/$i HTTP/1.1 200"; done; sleep 1; done`,
} as const

function podOf(script: string): Pod {
  const container = { name: 'main', image: 'busybox:1.36', command: ['sh', '-c', script] }
  return {
    metadata: { name: 'writer', namespace: 'default', uid: '' },
    spec: { containers: [container] },
  }
}

/** Reads a log, and checks that no line is missing between its chunks. */
class Follower {
  lines = 0
  missing = 0
  #last: number | undefined
  readonly #chunks: AsyncIterable<string>
  readonly stop: () => void

  constructor(stream: { readonly chunks: AsyncIterable<string>; readonly stop: () => void }) {
    this.#chunks = stream.chunks
    this.stop = stream.stop
  }

  async read(): Promise<void> {
    for await (const chunk of this.#chunks) {
      for (let at = chunk.indexOf('\n'); at !== -1; at = chunk.indexOf('\n', at + 1)) this.lines++
      const first = numberIn(chunk)
      const isNext = first === (this.#last ?? first - 1) + 1
      // A burst begins with 1.
      if (!isNext && first !== 1) this.missing++
      this.#last = numberIn(chunk.slice(chunk.lastIndexOf('\n', chunk.length - 2) + 1))
    }
  }
}

function numberIn(line: string): number {
  return Number(/cart\/(\d+)/.exec(line)?.[1])
}

async function started(script: string): Promise<MemorySandbox> {
  const cluster = new MemorySandbox({
    seed: 1,
    startAt: Date.UTC(2026, 0, 1),
    nodeNames: ['n1'],
    log: quietLog,
  })
  cluster.start()
  await cluster.clock.advance(10 * secondMs)
  await cluster.createPod(podOf(script))
  await cluster.clock.advance(10 * secondMs)
  return cluster
}

async function followed(cluster: MemorySandbox): Promise<Follower> {
  const answer = await cluster.node().kubelet.server.handle({
    method: 'GET',
    path: '/containerLogs/default/writer/main',
    query: { follow: 'true', tailLines: '0' },
  })
  if (answer.kind !== 'stream') throw new Error(`no log: ${answer.body}`)
  const follower = new Follower(answer.stream)
  void follower.read()
  return follower
}

/** Lines per second of real time, written and read. Throws if lines are missing. */
async function rateOf(cluster: MemorySandbox, seconds: number): Promise<number> {
  const follower = await followed(cluster)
  await cluster.clock.advance(secondMs)
  const before = follower.lines
  const startedAt = performance.now()
  await cluster.clock.advance(seconds * secondMs)
  const realSeconds = (performance.now() - startedAt) / 1000
  const read = follower.lines - before
  if (follower.missing > 0 || read < seconds * linesPerSecond * leastShare)
    throw new Error(`${read} lines in ${seconds} s, ${follower.missing} gaps`)
  follower.stop()
  return read / realSeconds
}

const byLine = await started(scripts.line)
const linesReadPerSecond = await rateOf(byLine, measuredSeconds)
byLine.stop()
const byBurst = await started(scripts.burst)
const burstLinesReadPerSecond = await rateOf(byBurst, measuredSeconds)
const heapBefore = collectedHeap()
await rateOf(byBurst, longSeconds)
const heapGrowthBytes = collectedHeap() - heapBefore
byBurst.stop()
report({ linesReadPerSecond, burstLinesReadPerSecond, heapGrowthBytes })
process.exit(0)
