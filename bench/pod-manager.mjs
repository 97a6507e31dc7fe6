// `npm run bench:pod-manager`: the cost of Nodescope's pod manager and the kubelet's, in turns, measured in the same way.
// Use: npm run bench:pod-manager                      10,000 pods, three runs each
//      npm run bench:pod-manager -- --pods 1000 --runs 1
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'
import { bundlePrograms } from './bundle.mjs'
import { measures } from './measures.mjs'
import { machine, summary } from './statistics.mjs'

const { values } = parseArgs({
  options: {
    pods: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '3' },
  },
})
const file = resolve(import.meta.dirname, '..', 'test', 'kube', 'oracle', 'oracle.ts')
const { module } = await runnerImport(file, { configFile: false, logLevel: 'error' })

async function theirs() {
  const oracle = await module.startOracle('podManagerSpeed', process.env)
  if ('missing' in oracle) {
    console.error('The oracle was not found; npm run kube:build oracle brings it.')
    process.exit(2)
  }
  try {
    return await oracle.ask('measure', Number(values.pods))
  } finally {
    await oracle.stop()
  }
}

function ours(folder) {
  const program = join(folder, 'pod-manager.js')
  const child = spawnSync(process.execPath, [program, values.pods], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (child.status !== 0) throw new Error(`our measure failed (${child.status ?? child.signal})`)
  return JSON.parse(child.stdout.trim().split('\n').at(-1))
}

function shown(nanos) {
  if (nanos === undefined) return ''
  if (nanos >= 1e6) return `${(nanos / 1e6).toFixed(2)} ms`
  return nanos >= 1000 ? `${(nanos / 1000).toFixed(1)} us` : `${nanos.toFixed(0)} ns`
}

const folder = mkdtempSync(join(tmpdir(), 'nodescope-bench-'))
try {
  await bundlePrograms(folder, ['pod-manager'])
  const runs = { ours: [], theirs: [] }
  for (let number = 0; number < Number(values.runs); number++) {
    runs.ours.push(ours(folder))
    runs.theirs.push(await theirs())
  }
  const [our, their] = [summary(runs.ours), summary(runs.theirs)]
  console.log(JSON.stringify({ machine: machine(), load: loadavg(), ours: our, theirs: their }))
  const { figures } = measures.find(({ name }) => name === 'pod-manager')
  for (const [key, { title, beside = key }] of Object.entries(figures)) {
    const [mine, go] = [our[key].median, their[beside].median]
    const columns = [
      shown(mine).padStart(9),
      shown(go).padStart(9),
      (mine / go).toFixed(2).padStart(8),
    ]
    console.log(`${title.padEnd(44)} ${columns.join('  ')}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
