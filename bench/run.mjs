// `npm run bench`: takes every measure in a process of its own and prints them as JSON and as a table.
// Use: npm run bench                        all of them, five runs each
//      npm run bench -- --runs 3 cold-start virtual-hour
//      npm run bench -- --json FILE         also writes the JSON there
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { build as bundle } from 'vite'
import { build, isBuildStale } from '../scripts/build.mjs'
import { measures } from './measures.mjs'
import { table } from './table.mjs'

const root = resolve(import.meta.dirname, '..')

function parse(argv) {
  const chosen = { runs: 5, names: [], json: undefined }
  for (let at = 0; at < argv.length; at++) {
    if (argv[at] === '--runs') chosen.runs = Number(argv[++at])
    else if (argv[at] === '--json') chosen.json = argv[++at]
    else chosen.names.push(argv[at])
  }
  const unknown = chosen.names.filter((name) => !measures.some((one) => one.name === name))
  if (unknown.length > 0 || !(chosen.runs >= 1)) {
    console.error(
      `Measures are: ${measures.map(({ name }) => name).join(', ')}; --runs needs a number.`,
    )
    process.exit(2)
  }
  return chosen
}

/** Bundles the programs of the measures, so that they run what ships and not a transpiler. */
async function bundlePrograms(folder, names) {
  await bundle({
    root,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      target: 'node20.19',
      rolldownOptions: {
        input: Object.fromEntries(
          names.map((name) => [name, join(root, 'bench', 'measures', `${name}.ts`)]),
        ),
      },
    },
  })
}

function run(measure, folder) {
  const program =
    measure.kind === 'program'
      ? join(folder, `${measure.program}.js`)
      : join(root, 'bench', 'measures', `${measure.program}.mjs`)
  const child = spawnSync(process.execPath, ['--expose-gc', program, ...measure.args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 300_000,
  })
  if (child.status !== 0)
    throw new Error(`${measure.name} failed (${child.status ?? child.signal})`)
  return JSON.parse(child.stdout.trim().split('\n').at(-1))
}

function median(values) {
  const sorted = values.toSorted((left, right) => left - right)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** The median of each figure over the runs, with the least and the most. */
function summary(runs) {
  return Object.fromEntries(
    Object.keys(runs[0]).map((key) => {
      const values = runs.map((one) => one[key])
      return [key, { median: median(values), min: Math.min(...values), max: Math.max(...values) }]
    }),
  )
}

const chosen = parse(process.argv.slice(2))
const wanted = measures.filter(
  ({ name }) => chosen.names.length === 0 || chosen.names.includes(name),
)
if (isBuildStale()) {
  const built = build('pipe')
  if (built.status !== 0) {
    console.error(built.output)
    process.exit(built.status)
  }
}
const folder = mkdtempSync(join(tmpdir(), 'nodescope-bench-'))
try {
  const programs = wanted.filter(({ kind }) => kind === 'program').map(({ program }) => program)
  if (programs.length > 0) await bundlePrograms(folder, [...new Set(programs)])
  const results = {}
  for (const measure of wanted) {
    const runs = []
    for (let number = 0; number < (measure.runs ?? chosen.runs); number++) {
      process.stderr.write(`${measure.name} ${number + 1}\n`)
      runs.push(run(measure, folder))
    }
    results[measure.name] = { runs: runs.length, figures: summary(runs) }
  }
  const report = {
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      node: process.version,
    },
    results,
  }
  const json = JSON.stringify(report, null, 2)
  if (chosen.json !== undefined) writeFileSync(chosen.json, `${json}\n`)
  console.log(json)
  console.log(`\n${table(report, measures)}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
