// `npm run bench`: runs every measure in its own process and prints them as JSON and as a table.
// Use: npm run bench                        all of them, five runs each
//      npm run bench -- --runs 3 cold-start virtual-hour
//      npm run bench -- --json FILE         also writes the JSON there
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build, isBuildStale } from '../scripts/build.mjs'
import { bundlePrograms } from './bundle.mjs'
import { measures } from './measures.mjs'
import { machine, summary } from './statistics.mjs'
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

function run(measure, folder) {
  const program =
    measure.kind === 'program'
      ? join(folder, `${measure.program}.js`)
      : join(root, 'bench', 'measures', `${measure.program}.mjs`)
  const child = spawnSync(
    process.execPath,
    ['--expose-gc', ...(measure.flags ?? []), program, ...measure.args],
    {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 900_000,
    },
  )
  if (child.status !== 0)
    throw new Error(`${measure.name} failed (${child.status ?? child.signal})`)
  return JSON.parse(child.stdout.trim().split('\n').at(-1))
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
    machine: machine(),
    results,
  }
  const json = JSON.stringify(report, null, 2)
  if (chosen.json !== undefined) writeFileSync(chosen.json, `${json}\n`)
  console.log(json)
  console.log(`\n${table(report, measures)}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
