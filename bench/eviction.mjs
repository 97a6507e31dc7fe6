// `npm run bench:eviction`: the cost of a round of Nodescope's eviction manager and the kubelet's, in turns, measured in the
// same way on the same nodes.
// Use: npm run bench:eviction                      500 and 5,000 pods, five runs each
//      npm run bench:eviction -- --pods 100 --runs 1
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
    pods: { type: 'string', default: '500,5000' },
    runs: { type: 'string', default: '5' },
  },
})

async function load(...path) {
  const file = resolve(import.meta.dirname, ...path)
  return (await runnerImport(file, { configFile: false, logLevel: 'error' })).module
}

const { startOracle } = await load('..', 'test', 'kube', 'oracle', 'oracle.ts')
const { evictionCases, evictionNode } = await load('measures', 'eviction-nodes.ts')

/** In the oracle's names. */
function questionOf({ hard, node, pods, specs, evictions }) {
  const statements = { hard, soft: {}, grace: {}, reclaim: {}, pods: false }
  return { statements, isolation: true, node, pods, specs, evictions }
}

async function theirs(count) {
  const oracle = await startOracle('evictionSpeed', process.env)
  if ('missing' in oracle) {
    console.error('The oracle was not found; npm run kube:build oracle brings it.')
    process.exit(2)
  }
  try {
    const figures = {}
    for (const what of evictionCases)
      figures[what] = await oracle.ask('measure', questionOf(evictionNode(what, count)))
    return figures
  } finally {
    await oracle.stop()
  }
}

function ours(folder, count) {
  const program = join(folder, 'eviction.js')
  const child = spawnSync(process.execPath, [program, String(count)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (child.status !== 0) throw new Error(`our measure failed (${child.status ?? child.signal})`)
  return JSON.parse(child.stdout.trim().split('\n').at(-1))
}

const folder = mkdtempSync(join(tmpdir(), 'nodescope-bench-'))
try {
  await bundlePrograms(folder, ['eviction'])
  const { figures } = measures.find(({ name }) => name === 'eviction')
  for (const count of values.pods.split(',').map(Number)) {
    const runs = { ours: [], theirs: [] }
    for (let number = 0; number < Number(values.runs); number++) {
      runs.ours.push(ours(folder, count))
      runs.theirs.push(await theirs(count))
    }
    const [our, their] = [summary(runs.ours), summary(runs.theirs)]
    console.log(
      JSON.stringify({ machine: machine(), load: loadavg(), count, ours: our, theirs: their }),
    )
    console.log(`${count} pods: median of ${values.runs} runs, in us`)
    for (const [key, { title }] of Object.entries(figures)) {
      const [mine, go] = [our[key].median / 1000, their[key].median / 1000]
      const columns = [mine.toFixed(1), go.toFixed(1), (mine / go).toFixed(2)]
      console.log(`${title.padEnd(52)} ${columns.map((one) => one.padStart(9)).join('  ')}`)
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
