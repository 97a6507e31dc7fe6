// A cluster that is opened to look at it, without a page's process: from the start of the session to the first row and to all
// rows, then a time without changes and one with them. The parent makes the changes between the lines that it reads and writes.
// Arguments: a kubeconfig, the number of pods, ms of each of the two times.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Events } from '../../src/shared/ipc/contract.ts'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import { parsersInPlace } from '../../src/main/parsing/kubernetes-text.ts'
import { fakeSessionConfig } from '../../src/main/session/fake-session-config.ts'
import { startSession } from '../../src/main/session/start-session.ts'

const [kubeconfig = '', pods = '0', windowMs = '0'] = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'nodescope-bench-seen-'))

/** A collection stops everything for some 50 ms. */
const heapEveryMs = 15_000

function heapMb(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1e6
}

const before = performance.now()
const started = await startSession(
  fakeSessionConfig({
    cluster: { kind: 'look', path: kubeconfig, context: null },
    manifestsPath: join(folder, 'manifests'),
    dataFolder: folder,
  }),
  {
    log: new FakeLog(),
    assets: { list: () => Promise.resolve([]), readText: () => Promise.resolve('') },
    parsers: parsersInPlace,
    host: 'web',
    printLine: () => undefined,
    environment: { HOME: folder },
  },
)
if (!started.ok) throw new Error(started.error.message)
let patches = 0
// A page that takes each patch at once.
const page = started.value.channel.connect((name, event) => {
  if (name !== 'view.patched') return
  patches++
  const { epoch, number } = event as Events['view.patched']
  void page.request('view.acknowledge', { epoch, number })
})

/** ms from the start until the page has so many rows. */
async function untilRows(count: number): Promise<number> {
  for (;;) {
    const { rows } = await page.request('view.open', {})
    if (rows.length >= count) return performance.now() - before
    // A snapshot of thousands of rows takes the process that is measured some ms.
    await sleep(rows.length === 0 ? 5 : 50)
  }
}

const firstRow = await untilRows(1)
const allRows = await untilRows(Number(pods))

/** What a time costs: delays of the event loop, processor time, heap. */
async function during(): Promise<Record<string, number | readonly number[]>> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  const [heapBefore, patchesBefore] = [heapMb(), patches]
  const [cpu, at] = [process.cpuUsage(), performance.now()]
  delay.enable()
  const heaps: number[] = []
  while (performance.now() - at < Number(windowMs)) {
    await sleep(Math.min(heapEveryMs, Number(windowMs)))
    heaps.push(Math.round(heapMb() * 10) / 10)
  }
  delay.disable()
  const used = process.cpuUsage(cpu)
  const ms = performance.now() - at
  return {
    delayP99: delay.percentile(99) / 1e6,
    delayMax: delay.max / 1e6,
    cpuPercent: ((used.user + used.system) / 1000 / ms) * 100,
    heapMb: heapMb(),
    heapGrownMb: heapMb() - heapBefore,
    patches: patches - patchesBefore,
    heaps,
  }
}

process.stdout.write('open\n')
const quiet = await during()
process.stdout.write('changes\n')
// The parent has begun with them.
await sleep(2000)
const busy = await during()
process.stdout.write(`${JSON.stringify({ firstRow, allRows, quiet, busy })}\n`)
await started.value.stop()
await rm(folder, { recursive: true, force: true })
process.exit()
