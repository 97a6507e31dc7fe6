// `npm run bench:cri`: pods that start one after the other over CRI: by the calls alone, by Nodescope and by a real kubelet, each on a
// runtime of its own: the simulated one, and containerd where it runs. The time from the request that creates the pod until its
// container has started, by the runtime.
// Use: npm run bench:cri                     20 pods, three runs each
//      npm run bench:cri -- --pods 5 --runs 1 --only calls,nodescope
//      npm run bench:cri -- --json FILE      also writes the JSON there
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'
import { build, isBuildStale } from '../scripts/build.mjs'
import { AdminClient } from './real/admin-client.mjs'
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

async function load(...path) {
  const file = join(root, ...path)
  const { module } = await runnerImport(file, { configFile: false, logLevel: 'error' })
  return module
}
const { findParts, startControlPlane } = await load('test', 'kube', 'control-plane.ts')
const overCri = await load('bench', 'real', 'over-cri.ts')
const podStarts = await load('bench', 'real', 'pod-starts.ts')

const contenders = [
  { name: 'calls', title: 'the calls alone' },
  { name: 'nodescope', title: 'Nodescope', start: startNodescope },
  { name: 'kubelet', title: 'kubelet v1.34.4', start: startKubelet },
].filter(({ name }) => only?.includes(name) ?? true)
const obstacle = contenders.some(({ name }) => name === 'kubelet') ? overCri.obstacle() : undefined
if (obstacle !== undefined) {
  console.error(`No real kubelet: ${obstacle}.`)
  process.exit(2)
}
const parts = ['etcd', 'kube-apiserver', 'kubelet'].filter(
  (name) => name !== 'kubelet' || (only?.includes(name) ?? true),
)
const found = await findParts(parts, process.env)
if ('missing' in found) {
  console.error(`${found.missing.join(' and ')} not found; ${found.how} brings them.`)
  process.exit(2)
}

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
    file: found.files.get('kubelet'),
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

/** The times of pods whose first one, which is not counted, waits for the node. */
async function timesOf(startPod) {
  const times = []
  for (let index = 0; index <= pods; index++) times.push(await startPod(`bench-${index}`))
  return times.slice(1).toSorted((left, right) => left - right)
}

async function throughKubelet(contender, runtime) {
  const plane = await startControlPlane({ environment: process.env, nodes: [nodeName] })
  const client = new AdminClient(plane)
  let child
  try {
    child = await contender.start(plane, runtime.socketPath)
    return await timesOf(async (name) => {
      const createdAt = Date.now()
      await client.send('POST', '/api/v1/namespaces/default/pods', {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name },
        spec: { nodeName, ...podStarts.podSpec },
      })
      return (await podStarts.untilStarted(runtime, name)) - createdAt
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
    const times =
      contender.start === undefined
        ? await timesOf((name) => podStarts.startRaw(runtime, name))
        : await throughKubelet(contender, runtime)
    const figures = { start: times[times.length >> 1], slowest: times.at(-1) }
    process.stderr.write(
      `  ${figures.start.toFixed(0)} ms, slowest ${figures.slowest.toFixed(0)} ms\n`,
    )
    return figures
  } finally {
    runtime.client.close()
    await runtime.stop()
  }
}

const figures = {
  start: { unit: 'ms', title: 'start of a pod, median' },
  slowest: { unit: 'ms', title: 'slowest of a run' },
}
const runtimes = [
  { name: 'simulated', title: 'simulated runtime', start: () => podStarts.startSimulated(host) },
  ...(podStarts.noContainerd === undefined
    ? [{ name: 'containerd', title: 'containerd runtime', start: podStarts.startContainerd }]
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
for (const { name, title } of runtimes)
  console.log(`\n${comparison(reports[name], `${pods} pods on the ${title}`, contenders, figures)}`)
// Imported modules may keep the event loop busy.
process.exit()
