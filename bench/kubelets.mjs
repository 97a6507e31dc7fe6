// `npm run bench:kubelets`: kubemark's hollow kubelet, KWOK and Nodescope in turns, each on a new kube-apiserver + etcd that
// already has the pods, all bound to one node: the time until all are Running.
// Use: npm run bench:kubelets                             2,000 pods, three runs each
//      npm run bench:kubelets -- --pods 1000 --runs 1
//      npm run bench:kubelets -- --only nodescope,kwok    some of them
//      npm run bench:kubelets -- --cri                    a real kubelet and Nodescope with 100 pods, each on a simulated
//                                                         runtime over CRI, and a minute with the running pods
//      npm run bench:kubelets -- --cpu-profile DIR        writes a processor profile of Nodescope there
//      npm run bench:kubelets -- --json FILE              also writes the JSON there
import { spawn } from 'node:child_process'
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { build, isBuildStale } from '../scripts/build.mjs'
import { AdminClient, requestsBetween } from './real/admin-client.mjs'
import { filesOf, overCri, startControlPlane } from './real/parts.mjs'
import { childNamed, cpuSeconds, peakMemoryMb } from './real/process-figures.mjs'
import { machine, summary } from './statistics.mjs'
import { comparison } from './table.mjs'

const root = resolve(import.meta.dirname, '..')
const nodeName = 'bench-node'
/** The server still works for a while after the creation of the pods. */
const settleMs = 3000
const givesUpAfterMs = 900_000

const { values } = parseArgs({
  options: {
    pods: { type: 'string' },
    runs: { type: 'string', default: '3' },
    only: { type: 'string' },
    cri: { type: 'boolean', default: false },
    'cpu-profile': { type: 'string' },
    json: { type: 'string' },
  },
})
const pods = Number(values.pods ?? (values.cri ? 100 : 2000))
const only = values.only?.split(',')
const runs = Number(values.runs)

const rivals = (values.cri ? ['kubelet'] : ['kubemark', 'kwok']).filter(
  (name) => only?.includes(name) ?? true,
)
const files = await filesOf(rivals)

/** The output of a contender. */
function logIn(folder) {
  return join(folder, 'contender.log')
}

function run(file, args, folder) {
  const child = spawn(file, args, {
    cwd: root,
    // An empty home folder, without the user's configuration. Its files are removed with the folder.
    env: { ...process.env, HOME: folder, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const written = createWriteStream(logIn(folder))
  child.stdout.pipe(written, { end: false })
  child.stderr.pipe(written, { end: false })
  return child
}

/** A port on which nothing listens. */
function freePort() {
  return new Promise((done, failed) => {
    const server = createServer()
    server.once('error', failed)
    server.listen(0, () => {
      const { port } = server.address()
      server.close(() => done(port))
    })
  })
}

function nodescope(plane, ...more) {
  const profile = values['cpu-profile']
  return run(
    process.execPath,
    [
      ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(profile)}`]),
      join(root, 'out', 'main', 'host.js'),
      '--ephemeral',
      `--kubeconfig=${plane.nodeKubeconfigs.get(nodeName)}`,
      `--node=${nodeName}`,
      `--max-pods=${pods + 10}`,
      ...more,
    ],
    plane.folder,
  )
}

/** Both on a runtime of their own, which this process serves at `socketOf(plane)`. */
const onRuntimes = [
  {
    name: 'kubelet',
    title: 'kubelet v1.34.4',
    prepare: () => undefined,
    start: async (plane) => {
      const [program, ...args] = await overCri.realKubelet({
        file: files.get('kubelet'),
        folder: join(plane.folder, nodeName),
        planeFolder: plane.folder,
        kubeconfig: plane.nodeKubeconfigs.get(nodeName),
        nodeName,
        socketPath: socketOf(plane),
        port: await freePort(),
        maxPods: pods + 10,
      })
      return run(program, args, plane.folder)
    },
  },
  {
    name: 'nodescope',
    title: 'Nodescope --runtime',
    prepare: () => undefined,
    start: (plane) => nodescope(plane, `--runtime=unix://${socketOf(plane)}`),
  },
]

function socketOf(plane) {
  return join(plane.folder, 'bench-cri.sock')
}

const hollow = [
  {
    name: 'kubemark',
    title: 'kubemark v1.34.4',
    prepare: () => undefined,
    start: async (plane) =>
      run(
        files.get('kubemark'),
        [
          '--morph=kubelet',
          `--name=${nodeName}`,
          `--kubeconfig=${plane.nodeKubeconfigs.get(nodeName)}`,
          `--max-pods=${pods + 10}`,
          '--use-host-image-service=false',
          '--kube-api-qps=5000',
          '--kube-api-burst=5000',
          `--kubelet-port=${await freePort()}`,
          `--kubelet-read-only-port=${await freePort()}`,
        ],
        plane.folder,
      ),
  },
  {
    name: 'kwok',
    title: 'KWOK v0.7.0',
    // It manages existing nodes; it creates none.
    prepare: (client) =>
      client.send('POST', '/api/v1/nodes', {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: nodeName },
      }),
    start: (plane) =>
      run(
        files.get('kwok'),
        [
          `--kubeconfig=${plane.adminKubeconfig}`,
          `--manage-single-node=${nodeName}`,
          '--node-lease-duration-seconds=40',
        ],
        plane.folder,
      ),
  },
  {
    name: 'nodescope',
    title: 'Nodescope',
    prepare: () => undefined,
    start: (plane) => nodescope(plane),
  },
]

const contenders = (values.cri ? onRuntimes : hollow).filter(
  ({ name }) => only?.includes(name) ?? true,
)

/** Ctrl-C must not leave a running contender behind. */
function endWithUs(child) {
  const signals = ['SIGINT', 'SIGTERM']
  const end = () => {
    child.kill('SIGKILL')
    process.exit(130)
  }
  for (const signal of signals) process.once(signal, end)
  child.once('exit', () => {
    for (const signal of signals) process.off(signal, end)
  })
}

function ended(child) {
  return new Promise((done) => {
    child.once('exit', done)
  })
}

async function untilAllRun({ child, plane, running }) {
  const limit = new AbortController()
  try {
    await Promise.race([
      running,
      plane.failed,
      ended(child).then((code) => {
        throw new Error(`it ended with ${code}:\n${readFileSync(logIn(plane.folder), 'utf8')}`)
      }),
      pause(givesUpAfterMs, undefined, { signal: limit.signal }).then(() => {
        throw new Error('not all pods came to run')
      }),
    ])
  } finally {
    limit.abort()
  }
}

/** One contender on one new server. */
async function measure(contender) {
  const plane = await startControlPlane({ environment: process.env, nodes: [nodeName] })
  const client = new AdminClient(plane)
  const runtime = values.cri ? await overCri.serveCountedRuntime(socketOf(plane)) : undefined
  let child
  try {
    await contender.prepare(client)
    await client.createPods(pods, nodeName)
    await pause(settleMs)
    const servers = await Promise.all(['kube-apiserver', 'etcd'].map(childNamed))
    const before = await client.requestsSoFar()
    const cpuBefore = await Promise.all(servers.map(cpuSeconds))
    const running = client.untilRunning(pods)
    // Callers that wait get the error.
    running.catch(() => undefined)
    const startedAt = performance.now()
    child = await contender.start(plane)
    endWithUs(child)
    await untilAllRun({ child, plane, running })
    const seconds = (performance.now() - startedAt) / 1000
    const criCalls = callsOf(runtime)
    const figures = [cpuSeconds(child.pid), peakMemoryMb(child.pid), ...servers.map(cpuSeconds)]
    const [cpu, peakMb, apiServerCpu, etcdCpu] = await Promise.all(figures)
    const requests = requestsBetween(before, await client.requestsSoFar())
    const calls = requests.reduce((sum, [, count]) => sum + count, 0)
    process.stderr.write(
      `  ${seconds.toFixed(1)} s, load ${loadavg()[0].toFixed(1)}; ${requests.map(([name, count]) => `${name} ${count}`).join(', ')}\n`,
    )
    return {
      seconds,
      podsPerSecond: pods / seconds,
      calls,
      callsPerSecond: calls / seconds,
      callsPerPod: calls / pods,
      cpuSeconds: cpu,
      peakMb,
      apiServerCpuSeconds: apiServerCpu - cpuBefore[0],
      etcdCpuSeconds: etcdCpu - cpuBefore[1],
      ...(runtime === undefined
        ? {}
        : { criCalls, criCallsPerPod: criCalls / pods, ...(await steady(child, client, runtime)) }),
    }
  } finally {
    await client.close()
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      const gone = ended(child)
      child.kill('SIGTERM')
      await gone
    }
    runtime?.stop()
    await plane.stop()
  }
}

/** How many calls of CRI a runtime has had. */
function callsOf(runtime) {
  return [...(runtime?.counts.values() ?? [])].reduce((sum, count) => sum + count, 0)
}

/** A minute in which nothing happens to the running pods. */
async function steady(child, client, runtime) {
  await pause(settleMs)
  const [cpu, before, calls] = [
    await cpuSeconds(child.pid),
    await client.requestsSoFar(),
    callsOf(runtime),
  ]
  await pause(60_000)
  const requests = requestsBetween(before, await client.requestsSoFar())
  return {
    steadyCpuSeconds: (await cpuSeconds(child.pid)) - cpu,
    steadyCalls: requests.reduce((sum, [, count]) => sum + count, 0),
    steadyCriCalls: callsOf(runtime) - calls,
    steadyPeakMb: await peakMemoryMb(child.pid),
  }
}

const figures = {
  seconds: { unit: 's', title: 'start to all Running' },
  podsPerSecond: { unit: 'pods/s', title: 'rate' },
  calls: { unit: '', title: 'API calls answered' },
  callsPerSecond: { unit: '/s', title: 'calls a second' },
  callsPerPod: { unit: '', title: 'calls a pod' },
  cpuSeconds: { unit: 's', title: 'its processor time' },
  peakMb: { unit: 'MB', title: 'its peak memory' },
  apiServerCpuSeconds: { unit: 's', title: 'kube-apiserver’s processor time' },
  etcdCpuSeconds: { unit: 's', title: 'etcd’s processor time' },
  ...(values.cri
    ? {
        criCalls: { unit: '', title: 'CRI calls' },
        criCallsPerPod: { unit: '', title: 'CRI calls a pod' },
        steadyCpuSeconds: { unit: 's', title: 'processor time of a minute afterwards' },
        steadyCalls: { unit: '', title: 'API calls of that minute' },
        steadyCriCalls: { unit: '', title: 'CRI calls of that minute' },
        steadyPeakMb: { unit: 'MB', title: 'peak memory until its end' },
      }
    : {}),
}

if (isBuildStale()) {
  const built = build('pipe')
  if (built.status !== 0) {
    console.error(built.output)
    process.exit(built.status)
  }
}
const taken = new Map(contenders.map(({ name }) => [name, []]))
for (let number = 1; number <= runs; number++) {
  for (const contender of contenders) {
    process.stderr.write(`${contender.name} ${number}\n`)
    taken.get(contender.name).push(await measure(contender))
  }
}
const results = Object.fromEntries(
  [...taken].map(([name, all]) => [name, { runs: all.length, figures: summary(all) }]),
)
const report = { machine: machine(), pods, results }
const text = JSON.stringify(report, null, 2)
if (values.json !== undefined) writeFileSync(values.json, `${text}\n`)
console.log(text)
console.log(`\n${comparison(report, `${pods} pods on one node`, contenders, figures)}`)
// Imported modules may keep the event loop busy.
process.exit()
