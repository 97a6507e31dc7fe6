// `npm run bench:seen`: a server with many nodes and pods that is opened to look at it: until the first row and all rows, the
// requests of a quiet time, and what it costs while pods change.
// Use: npm run bench:seen                                  5,000 pods on 100 nodes, 500 changes a second, 30 s each
//      npm run bench:seen -- --server sandbox             on Nodescope's own API server, in a process of its own, which
//                                                         leaves more of the machine; default: a real kube-apiserver
//      npm run bench:seen -- --pods 10000 --seconds 60    the heap each 15 s, each minute of more than ten minutes
//      npm run bench:seen -- --quiet 0                    no time without changes
//      npm run bench:seen -- --opens 5                    opens it five times before; the first row and all rows of each
//      npm run bench:seen -- --page                       the built web host with its page in Chromium (npm run build);
//                                                         else the session alone, with a connection that takes each patch
//      npm run bench:seen -- --cpu-profile DIR            writes a processor profile of the measured process there
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { bundlePrograms } from './bundle.mjs'
import { AdminClient } from './real/admin-client.mjs'
import { ask, childNamed, cpuSeconds, peakMemoryMb } from './real/process-figures.mjs'
import { machine, slope } from './statistics.mjs'

const { values } = parseArgs({
  options: {
    server: { type: 'string', default: 'real' },
    pods: { type: 'string', default: '5000' },
    nodes: { type: 'string', default: '100' },
    rate: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '30' },
    quiet: { type: 'string' },
    opens: { type: 'string', default: '0' },
    page: { type: 'boolean', default: false },
    'cpu-profile': { type: 'string' },
  },
})
const [pods, nodes, rate, seconds, opens] = ['pods', 'nodes', 'rate', 'seconds', 'opens'].map(
  (name) => Number(values[name]),
)
const quietSeconds = Number(values.quiet ?? seconds)
const nodeNames = Array.from({ length: nodes }, (_, index) => `node-${index}`)
/** As a kubelet renews its lease. */
const leaseMs = 10_000
const mostUnderWay = 64
const framesMs = 10_000
/** Until all rows are there, and what was only needed to show them is collected. */
const settleMs = 5000
/** The heap of the first minutes is not that of the hour: pods get their first histories. */
const warmMinutes = 10

async function startReal() {
  const { filesOf, startControlPlane } = await import('./real/parts.mjs')
  await filesOf([])
  const plane = await startControlPlane({ environment: process.env })
  const pids = await Promise.all(['kube-apiserver', 'etcd'].map(childNamed))
  return {
    ...plane,
    title: 'kube-apiserver v1.34.4 and etcd',
    pids,
    kubeconfig: plane.adminKubeconfig,
  }
}

async function startSandbox() {
  const child = fork(join(folder, 'server-rates.js'), ['serve'])
  const [{ url, caPem }] = await once(child, 'message')
  const kubeconfig = join(folder, 'kubeconfig')
  const ca = Buffer.from(caPem).toString('base64')
  // JSON is YAML.
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'bench', cluster: { server: url, 'certificate-authority-data': ca } }],
    users: [{ name: 'admin', user: { token: 'admin' } }],
    contexts: [{ name: 'bench', context: { cluster: 'bench', user: 'admin' } }],
    'current-context': 'bench',
  }
  writeFileSync(kubeconfig, JSON.stringify(config))
  return {
    title: 'Nodescope’s API server in a process of its own',
    url,
    caPem,
    token: 'admin',
    pids: [child.pid],
    kubeconfig,
    stop: () => child.kill('SIGKILL'),
  }
}

const starts = { real: startReal, sandbox: startSandbox }

/** Statuses of pods, so many a second, and the leases of the nodes, until it is stopped. */
function changeObjects() {
  const startedAt = performance.now()
  let [made, missed, underWay, done, renewed] = [0, 0, 0, 0, 0]
  const failures = []
  const send = async (change) => {
    underWay++
    try {
      await change()
    } catch (error) {
      const seconds = (performance.now() - startedAt) / 1000
      failures.push(`after ${seconds.toFixed(1)} s: ${error.code ?? ''} ${error.message}`)
      process.stderr.write(`a change failed ${failures.at(-1)}\n`)
    }
    underWay--
  }
  const patch = async () => {
    const change = made++
    await admin.patchStatus(change % pods, Math.floor(change / pods))
    done++
  }
  const timer = setInterval(() => {
    const ms = performance.now() - startedAt
    const due = () => (ms / 1000) * rate - missed - made
    while (due() > 0 && underWay < mostUnderWay) void send(patch)
    // What the server has no time for is not made up for later.
    missed += Math.max(0, due() - rate)
    for (; renewed < (ms / leaseMs) * nodes; renewed++) {
      const name = nodeNames[renewed % nodes]
      void send(() => admin.renewLease(name))
    }
  }, 5)
  return {
    done: () => done,
    stop: async () => {
      clearInterval(timer)
      while (underWay > 0) await sleep(5)
      if (failures.length > done / 1000)
        throw new Error(`of ${made} changes failed ${failures.length}: ${failures[0]}`)
      return failures
    },
  }
}

/** Runs a program that tells its figures. */
function start(args) {
  const hook = resolve(import.meta.dirname, 'real', 'tell-figures.mjs')
  const profile = values['cpu-profile']
  const flags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  // Not spawnSync: the logs of the control plane go through this process.
  return spawn(process.execPath, ['--expose-gc', '--import', hook, ...flags, ...args], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
}

async function stop(child) {
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** Opens the cluster in a process of its own. */
async function open() {
  const load = loadavg()[0]
  const child = start([join(folder, 'seen-cluster.js'), server.kubeconfig, String(pods)])
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return { child, opened: { load, ...JSON.parse(line) } }
}

async function openWithPage() {
  const { hostArgs, openSeenPage } = await import('./real/seen-page.mjs')
  const child = start(hostArgs(server.kubeconfig, join(folder, 'data')))
  const page = await openSeenPage(child)
  return { child, page, opened: { load: loadavg()[0], rowsAfterMs: page.rowsAfterMs } }
}

/** Processor time of the server and of this process, which makes the changes, so far. */
async function othersCpu() {
  const ofServer = await Promise.all(server.pids.map(cpuSeconds))
  return [ofServer.reduce((sum, one) => sum + one, 0), await cpuSeconds(process.pid)]
}

/** What a time costs. */
async function during({ child, page }, forSeconds) {
  const everySeconds = forSeconds > 600 ? 60 : 15
  const heaps = []
  const takeHeap = async () => {
    const minutes = Math.round((performance.now() - startedAt) / 600) / 100
    heaps.push([minutes, await ask(child, 'heap'), ...(page ? [await page.heap()] : [])])
    process.stderr.write(`${heaps.at(-1).join(' ')} load ${loadavg()[0]}\n`)
  }
  const before = await othersCpu()
  const startedAt = performance.now()
  await ask(child, 'begin')
  await page?.begin()
  await takeHeap()
  for (let at = 0; at < forSeconds; at += everySeconds) {
    await sleep(1000 * Math.min(everySeconds, forSeconds - at))
    await takeHeap()
  }
  const ofPage = await page?.end()
  const figures = await ask(child, 'end')
  const [serverCpuPercent, generatorCpuPercent] = (await othersCpu()).map(
    (one, index) => ((one - before[index]) / figures.seconds) * 100,
  )
  const warm = heaps.filter(([minutes]) => minutes >= warmMinutes)
  const perHour = (column) => slope(warm.map((heap) => [heap[0] / 60, heap[column]]))
  return {
    ...figures,
    peakMb: await peakMemoryMb(child.pid),
    page: ofPage,
    serverCpuPercent,
    generatorCpuPercent,
    load: loadavg()[0],
    heaps,
    ...(warm.length < 10 ? {} : { heapMbPerHour: perHour(1), pageHeapMbPerHour: perHour(2) }),
  }
}

/** A time without changes, and one with them. */
async function look(seen) {
  await sleep(settleMs)
  const quiet = quietSeconds > 0 ? await during(seen, quietSeconds) : undefined
  const changes = changeObjects()
  // Until the connections are open and the code is warm.
  await sleep(settleMs)
  const before = changes.done()
  const busy = await during(seen, seconds)
  const changesPerSecond = (changes.done() - before) / busy.seconds
  const frames = await seen.page?.frames(framesMs)
  const failures = await changes.stop()
  return { quiet, changesPerSecond, failures, busy, frames }
}

const folder = mkdtempSync(join(tmpdir(), 'nodescope-bench-'))
await bundlePrograms(folder, ['seen-cluster', 'server-rates'])
const server = await starts[values.server]()
const admin = new AdminClient(server)
try {
  for (const name of nodeNames) await admin.createNode(name)
  await admin.createPods(pods, (index) => nodeNames[index % nodes])
  const opened = []
  for (let index = 0; index < opens; index++) {
    const { child, opened: one } = await open()
    opened.push(one)
    await stop(child)
  }
  const seen = await (values.page ? openWithPage() : open())
  opened.push(seen.opened)
  const figures = await look(seen)
  await seen.page?.close()
  await stop(seen.child)
  const report = { machine: machine(), server: server.title, pods, nodes, opened, ...figures }
  console.log(JSON.stringify(report, null, 2))
} finally {
  await admin.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
// Imported modules may keep the event loop busy.
process.exit()
