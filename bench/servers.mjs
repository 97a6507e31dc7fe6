// `npm run bench:servers`: requests per second of the sandbox's API server and of kube-apiserver + etcd, in turns, over
// the same HTTPS client.
// Use: npm run bench:servers                          10,000 pods and 1,000 ReplicaSets, three runs each
//      npm run bench:servers -- --pods 1000 --runs 1
//      npm run bench:servers -- --json FILE           also writes the JSON there
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'
import { bundlePrograms } from './bundle.mjs'
import { machine, summary } from './statistics.mjs'
import { table } from './table.mjs'

const { values } = parseArgs({
  options: {
    pods: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '3' },
    json: { type: 'string' },
  },
})
const file = resolve(import.meta.dirname, '..', 'test', 'kube', 'control-plane.ts')
const { module } = await runnerImport(file, { configFile: false, logLevel: 'error' })
const found = await module.findParts(['etcd', 'kube-apiserver'], process.env)
if ('missing' in found) {
  console.error(`${found.missing.join(' and ')} not found; ${found.how} brings them.`)
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'nodescope-bench-'))

async function ratesOf(server) {
  const program = join(folder, 'server-rates.js')
  // Not spawnSync: the logs of the control plane go through this process.
  const child = spawn(process.execPath, [program, server, values.pods], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((done) => {
    child.once('exit', done)
  })
  const printed = await textOf(child.stdout)
  const code = await ended
  if (code !== 0) throw new Error(`the measure of ${server} ended with ${code}`)
  return JSON.parse(printed.trim().split('\n').at(-1))
}

async function realRates() {
  const plane = await module.startControlPlane({ environment: process.env })
  try {
    return await ratesOf(plane.adminKubeconfig)
  } finally {
    await plane.stop()
  }
}

const figures = {
  createOne: { unit: 'pods/s', title: 'creates, one at a time' },
  createMany: { unit: 'pods/s', title: 'creates, 16 at a time' },
  createSets: { unit: '/s', title: 'creates of ReplicaSets, 16 at a time' },
  getOne: { unit: 'pods/s', title: 'gets, one at a time' },
  getMany: { unit: 'pods/s', title: 'gets, 16 at a time' },
  listSets: { unit: '/s', title: 'list of the ReplicaSets in one piece' },
  listWhole: { unit: 'pods/s', title: 'list in one piece' },
  listPaged: { unit: 'pods/s', title: 'list in pages of 500' },
  watchOne: { unit: 'events/s', title: 'watch from the start, one watcher' },
  watchTen: { unit: 'events/s', title: 'ten watchers, all together' },
  patchOne: { unit: 'pods/s', title: 'patches of a status, one at a time' },
  patchMany: { unit: 'pods/s', title: 'patches of a status, 16 at a time' },
  fanOut: { unit: 'events/s', title: 'ten watchers of patches, 16 at a time' },
}
const servers = [
  { name: 'sandbox', title: 'The sandbox’s API server', take: () => ratesOf('sandbox') },
  { name: 'real', title: 'kube-apiserver + etcd', take: realRates },
]

const taken = new Map(servers.map(({ name }) => [name, []]))
try {
  await bundlePrograms(folder, ['server-rates'])
  for (let number = 1; number <= Number(values.runs); number++) {
    for (const { name, take } of servers) {
      process.stderr.write(`${name} ${number}, load ${loadavg()[0].toFixed(1)}\n`)
      taken.get(name).push(await take())
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
const results = Object.fromEntries(
  [...taken].map(([name, all]) => [name, { runs: all.length, figures: summary(all) }]),
)
const ratios = Object.fromEntries(
  Object.keys(figures).map((key) => {
    const [sandbox, real] = servers.map(({ name }) => results[name].figures[key].median)
    return [key, sandbox / real]
  }),
)
const report = { machine: machine(), pods: Number(values.pods), results, ratios }
const json = JSON.stringify(report, null, 2)
if (values.json !== undefined) writeFileSync(values.json, `${json}\n`)
console.log(json)
console.log(
  `\n${table(
    report,
    servers.map(({ name, title }) => ({ name, title, figures })),
  )}`,
)
console.log('The sandbox’s rates by those of the real one')
for (const [key, { title }] of Object.entries(figures))
  console.log(`  ${title.padEnd(44)} ${ratios[key].toFixed(2).padStart(10)} ×`)
// Imported modules may keep the event loop busy.
process.exit()
