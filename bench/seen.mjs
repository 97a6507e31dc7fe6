// `npm run bench:seen`: a real kube-apiserver with many nodes and pods that is opened to look at it: until the first row and
// all rows, the requests of a quiet time, and the event loop while pods change.
// Use: npm run bench:seen                                  5,000 pods on 100 nodes, 500 changes a second, 30 s each
//      npm run bench:seen -- --pods 10000 --seconds 60    the heap each 15 s
//      npm run bench:seen -- --opens 5                    opens it five times before; the first row and all rows of each
//      npm run bench:seen -- --page                       also the page of the built program in Chromium (npm run build)
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { bundlePrograms } from './bundle.mjs'
import { AdminClient, requestsBetween } from './real/admin-client.mjs'
import { filesOf, startControlPlane } from './real/parts.mjs'
import { machine } from './statistics.mjs'

const { values } = parseArgs({
  options: {
    pods: { type: 'string', default: '5000' },
    nodes: { type: 'string', default: '100' },
    rate: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '30' },
    opens: { type: 'string', default: '0' },
    page: { type: 'boolean', default: false },
  },
})
const [pods, nodes, rate, seconds, opens] = ['pods', 'nodes', 'rate', 'seconds', 'opens'].map(
  (name) => Number(values[name]),
)
await filesOf([])

/** Changes of statuses, so many a second, until it is stopped. Returns what stops it and tells how many were made. */
function changePods(admin) {
  let made = 0
  let isStopped = false
  const startedAt = performance.now()
  const work = async () => {
    while (!isStopped) {
      const due = ((performance.now() - startedAt) / 1000) * rate
      if (made >= due) {
        await sleep(2)
        continue
      }
      const change = made++
      await admin.patchStatus(change % pods, change)
    }
  }
  const working = Promise.all(Array.from({ length: 16 }, work))
  return async () => {
    isStopped = true
    await working
    return made / ((performance.now() - startedAt) / 1000)
  }
}

/** Opens the cluster in a process of its own. */
async function look(windowMs) {
  const load = loadavg()[0]
  const program = join(folder, 'seen-cluster.js')
  const args = ['--expose-gc', program, plane.adminKubeconfig, String(pods), String(windowMs)]
  // Not spawnSync: the logs of the control plane go through this process.
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let before = new Map()
  let quietCalls = []
  let stop
  let last = ''
  for await (const line of createInterface({ input: child.stdout })) {
    last = line
    if (line === 'open') before = await admin.requestsSoFar()
    if (line === 'changes') {
      quietCalls = requestsBetween(before, await admin.requestsSoFar())
      if (windowMs > 0) stop = changePods(admin)
    }
  }
  return { load, quietCalls, changesPerSecond: await stop?.(), figures: JSON.parse(last) }
}

/** Opens it with a page: a time without changes, and one with them. */
async function lookWithPage() {
  const { openSeenPage } = await import('./real/seen-page.mjs')
  const page = await openSeenPage(plane.adminKubeconfig, join(folder, 'data'))
  try {
    const quiet = await page.during(seconds * 1000)
    const stop = changePods(admin)
    const busy = await page.during(seconds * 1000)
    const changesPerSecond = await stop()
    return { rowsAfterMs: page.rowsAfterMs, quiet, busy, changesPerSecond, load: loadavg()[0] }
  } finally {
    await page.close()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'nodescope-bench-'))
const plane = await startControlPlane({ environment: process.env })
const admin = new AdminClient(plane)
try {
  await bundlePrograms(folder, ['seen-cluster'])
  for (let index = 0; index < nodes; index++) await admin.createNode(`node-${index}`)
  await admin.createPods(pods, (index) => `node-${index % nodes}`)
  const opened = []
  for (let index = 0; index < opens; index++) {
    const { figures, load } = await look(0)
    opened.push({ load, firstRow: figures.firstRow, allRows: figures.allRows })
  }
  const { figures, load, changesPerSecond, quietCalls } = await look(seconds * 1000)
  const ofPage = values.page ? await lookWithPage() : undefined
  const report = {
    machine: machine(),
    load,
    pods,
    nodes,
    opened,
    changesPerSecond,
    quietCalls,
    ...figures,
    page: ofPage,
  }
  console.log(JSON.stringify(report, null, 2))
} finally {
  await admin.close()
  await plane.stop()
  rmSync(folder, { recursive: true, force: true })
}
// Imported modules may keep the event loop busy.
process.exit()
