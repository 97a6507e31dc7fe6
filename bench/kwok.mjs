// `npm run bench:kwok`: KWOK and Nodescope by turns, each on a fresh kube-apiserver + etcd that has the pods already,
// all bound to one node: until all of them are Running.
// Use: npm run bench:kwok                          5,000 pods, three runs each
//      npm run bench:kwok -- --pods 1000 --runs 1
//      npm run bench:kwok -- --only nodescope      one of the two
//      npm run bench:kwok -- --cpu-profile DIR     writes a processor profile of Nodescope there
//      npm run bench:kwok -- --json FILE           also writes the JSON there
import { spawn } from 'node:child_process'
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'
import { build, isBuildStale } from '../scripts/build.mjs'
import { AdminClient, requestsBetween } from './real/admin-client.mjs'
import { childNamed, cpuSeconds, peakMemoryMb } from './real/process-figures.mjs'
import { machine, summary } from './statistics.mjs'
import { table } from './table.mjs'

const root = resolve(import.meta.dirname, '..')
const nodeName = 'bench-node'
/** After the pods were made the server still writes and collects. */
const settleMs = 3000
const givesUpAfterMs = 900_000

const { values } = parseArgs({
  options: {
    pods: { type: 'string', default: '5000' },
    runs: { type: 'string', default: '3' },
    only: { type: 'string' },
    'cpu-profile': { type: 'string' },
    json: { type: 'string' },
  },
})
const pods = Number(values.pods)
const runs = Number(values.runs)

async function load(name) {
  const file = join(root, 'test', 'kube', name)
  const { module } = await runnerImport(file, { configFile: false, logLevel: 'error' })
  return module
}
const { findParts, startControlPlane } = await load('control-plane.ts')
const found = await findParts(['etcd', 'kube-apiserver', 'kwok'], process.env)
if ('missing' in found) {
  console.error(`${found.missing.join(' and ')} not found; ${found.how} brings them.`)
  process.exit(2)
}

/** What a contender said. */
function logIn(folder) {
  return join(folder, 'contender.log')
}

function run(file, args, folder) {
  const child = spawn(file, args, {
    cwd: root,
    // Its home is empty: no configuration of whoever runs this.
    env: { ...process.env, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const written = createWriteStream(logIn(folder))
  child.stdout.pipe(written, { end: false })
  child.stderr.pipe(written, { end: false })
  return child
}

const contenders = [
  {
    name: 'kwok',
    title: 'KWOK v0.7.0',
    // It manages nodes that are there; it makes none.
    prepare: (client) =>
      client.send('POST', '/api/v1/nodes', {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: nodeName },
      }),
    start: (plane) =>
      run(
        found.files.get('kwok'),
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
    title: 'Nodescope, the web host without a page',
    prepare: () => undefined,
    start: (plane) => {
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
        ],
        plane.folder,
      )
    },
  },
].filter(({ name }) => values.only === undefined || values.only === name)

/** Ctrl-C while one is at work must not leave it behind. */
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

/** One contender on one fresh server. */
async function measure(contender) {
  const plane = await startControlPlane({ environment: process.env, nodes: [nodeName] })
  const client = new AdminClient(plane)
  let child
  try {
    await contender.prepare(client)
    await client.createPods(pods, nodeName)
    await pause(settleMs)
    const servers = await Promise.all(['kube-apiserver', 'etcd'].map(childNamed))
    const before = await client.requestsSoFar()
    const cpuBefore = await Promise.all(servers.map(cpuSeconds))
    const running = client.untilRunning(pods)
    // Whoever waits for it hears of it.
    running.catch(() => undefined)
    const startedAt = performance.now()
    child = contender.start(plane)
    endWithUs(child)
    await untilAllRun({ child, plane, running })
    const seconds = (performance.now() - startedAt) / 1000
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
    }
  } finally {
    await client.close()
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      const gone = ended(child)
      child.kill('SIGTERM')
      await gone
    }
    await plane.stop()
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
console.log(
  `\n${table(
    report,
    contenders.map(({ name, title }) => ({ name, title, figures })),
  )}`,
)
// Whoever imported the modules may keep the loop busy; there is nothing left to do.
process.exit()
