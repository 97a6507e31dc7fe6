// `npm run bench:cri`: pods that start one after the other over CRI: by the calls alone, by Nodescope and by a real kubelet, each on a
// runtime of its own: the simulated one, and containerd where it runs. The time from the request that creates the pod until its
// container has started, by the runtime, and its part since the runtime created the sandbox.
// Use: npm run bench:cri                     20 pods, three runs each
//      npm run bench:cri -- --pods 5 --runs 1 --only calls,nodescope
//      npm run bench:cri -- --json FILE      also writes the JSON there
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build, isBuildStale } from '../scripts/build.mjs'
import { AdminClient } from './real/admin-client.mjs'
import { filesOf, load, overCri, startControlPlane } from './real/parts.mjs'
import { machine, summary } from './statistics.mjs'
import { comparison } from './table.mjs'

const root = resolve(import.meta.dirname, '..')
const host = join(root, 'out', 'main', 'host.js')
const nodeName = 'bench-node'
/** Below the ports that the operating system gives to connections. */
const kubeletPort = 20_000 + (process.pid % 10_000)

const { values } = parseArgs({
  options: {
    pods: { type: 'string', default: '20' },
    runs: { type: 'string', default: '3' },
    only: { type: 'string' },
    json: { type: 'string' },
  },
})
const [pods, runs] = [Number(values.pods), Number(values.runs)]
const only = values.only?.split(',')

const podStarts = await load('bench', 'real', 'pod-starts.ts')

const contenders = [
  { name: 'calls', title: 'the calls alone' },
  { name: 'nodescope', title: 'Nodescope', start: startNodescope },
  { name: 'kubelet', title: 'kubelet v1.34.4', start: startKubelet },
].filter(({ name }) => only?.includes(name) ?? true)
const files = await filesOf(contenders.map(({ name }) => name).filter((name) => name === 'kubelet'))

function run(program, args, folder) {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, HOME: folder, TMPDIR: folder },
    stdio: 'ignore',
  })
  // Ctrl-C must not leave it behind.
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  return child
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))

function startNodescope(plane, socketPath) {
  const kubeconfig = plane.nodeKubeconfigs.get(nodeName)
  const args = ['--ephemeral', `--kubeconfig=${kubeconfig}`, `--node=${nodeName}`]
  return run(process.execPath, [host, ...args, `--runtime=unix://${socketPath}`], plane.folder)
}

async function startKubelet(plane, socketPath) {
  const [program, ...args] = await overCri.realKubelet({
    file: files.get('kubelet'),
    folder: join(plane.folder, nodeName),
    planeFolder: plane.folder,
    kubeconfig: plane.nodeKubeconfigs.get(nodeName),
    nodeName,
    socketPath,
    port: kubeletPort,
    maxPods: pods + 10,
  })
  return run(program, args, plane.folder)
}

/** The starts of pods without the first one, which waits for the node. */
async function startsOf(startPod) {
  const starts = []
  for (let index = 0; index <= pods; index++) starts.push(await startPod(`bench-${index}`))
  return starts.slice(1)
}

async function throughKubelet(contender, runtime) {
  const plane = await startControlPlane({ environment: process.env, nodes: [nodeName] })
  const client = new AdminClient(plane)
  let child
  try {
    child = await contender.start(plane, runtime.socketPath)
    return await startsOf(async (name) => {
      const createdAt = Date.now()
      await client.send('POST', '/api/v1/namespaces/default/pods', {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name },
        spec: { nodeName, ...podStarts.podSpec },
      })
      return podStarts.untilStarted(runtime, name, createdAt)
    })
  } finally {
    await client.close()
    child?.kill('SIGTERM')
    await plane.stop()
  }
}

async function measure(contender, startRuntime) {
  const runtime = await startRuntime()
  try {
    const starts =
      contender.start === undefined
        ? await startsOf((name) => podStarts.startRaw(runtime, name))
        : await throughKubelet(contender, runtime)
    const sorted = (key) =>
      starts.map((start) => start[key]).toSorted((left, right) => left - right)
    const times = sorted('sinceRequest')
    const figures = {
      start: times[times.length >> 1],
      slowest: times.at(-1),
      container: sorted('sinceSandbox')[starts.length >> 1],
      ...(runtime.logFile && { between: sorted('betweenCalls')[starts.length >> 1] }),
    }
    process.stderr.write(
      `  ${figures.start.toFixed(0)} ms, slowest ${figures.slowest.toFixed(0)} ms\n`,
    )
    return figures
  } finally {
    runtime.client.close()
    await runtime.stop()
  }
}

const common = {
  start: { unit: 'ms', title: 'start of a pod, median' },
  slowest: { unit: 'ms', title: 'slowest of a run' },
  container: { unit: 'ms', title: 'of it since the creation of the sandbox, median' },
}
const between = { unit: 'ms', title: 'between the three calls, median' }
const runtimes = [
  {
    name: 'simulated',
    title: 'simulated runtime',
    start: () => podStarts.startSimulated(host),
    figures: common,
  },
  ...(podStarts.noContainerd === undefined
    ? [
        {
          name: 'containerd',
          title: 'containerd runtime',
          start: podStarts.startContainerd,
          figures: { ...common, between },
        },
      ]
    : []),
]
if (podStarts.noContainerd !== undefined)
  process.stderr.write(`Without containerd: ${podStarts.noContainerd}.\n`)
if (isBuildStale()) {
  const built = build('pipe')
  if (built.status !== 0) {
    console.error(built.output)
    process.exit(built.status)
  }
}
const reports = {}
for (const { name, start } of runtimes) {
  const taken = new Map(contenders.map((contender) => [contender.name, []]))
  for (let number = 1; number <= runs; number++) {
    for (const contender of contenders) {
      process.stderr.write(`${name}, ${contender.name} ${number}\n`)
      taken.get(contender.name).push(await measure(contender, start))
    }
  }
  const results = Object.fromEntries(
    [...taken].map(([key, all]) => [key, { runs: all.length, figures: summary(all) }]),
  )
  reports[name] = { results }
}
const text = JSON.stringify({ machine: machine(), pods, runtimes: reports }, null, 2)
if (values.json !== undefined) writeFileSync(values.json, `${text}\n`)
console.log(text)
for (const { name, title, figures } of runtimes)
  console.log(`\n${comparison(reports[name], `${pods} pods on the ${title}`, contenders, figures)}`)
// Imported modules may keep the event loop busy.
process.exit()
