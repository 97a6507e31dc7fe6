// `npm run bench:against -- COMMIT [--runs N] [virtual-hour]`: a measure of this tree and of another commit, by turns. The
// measure's own program is that of this tree, so that both are measured in the same way.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { bundlePrograms } from './bundle.mjs'
import { measures } from './measures.mjs'
import { machine, summary } from './statistics.mjs'
import { comparison } from './table.mjs'

const root = resolve(import.meta.dirname, '..')
const [commit = '', ...rest] = process.argv.slice(2)
const runs = rest[0] === '--runs' ? Number(rest[1]) : 5
const name = (rest[0] === '--runs' ? rest[2] : rest[0]) ?? 'virtual-hour'
const measure = measures.find((one) => one.name === name && one.kind === 'program')
if (commit === '' || measure === undefined || !(runs >= 1)) {
  console.error('Use: npm run bench:against -- COMMIT [--runs N] [MEASURE]')
  process.exit(2)
}

/** The files of the commit, with the packages and the measure of this tree. */
function extract(folder) {
  mkdirSync(folder)
  const script = 'git archive "$1" | tar -x -C "$2"'
  const extracted = spawnSync('sh', ['-c', script, 'sh', commit, folder], {
    cwd: root,
    stdio: 'inherit',
  })
  if (extracted.status !== 0) process.exit(1)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const program = join('bench', 'measures', `${measure.program}.ts`)
  copyFileSync(join(root, program), join(folder, program))
}

function run(program) {
  const child = spawnSync(
    process.execPath,
    ['--expose-gc', ...(measure.flags ?? []), program, ...measure.args],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 900_000,
    },
  )
  if (child.status !== 0) throw new Error(`${program} failed (${child.status ?? child.signal})`)
  return JSON.parse(child.stdout.trim().split('\n').at(-1))
}

const folder = mkdtempSync(join(tmpdir(), 'nodescope-bench-against-'))
try {
  const contenders = [
    { name: 'other', title: commit, root: join(folder, 'tree') },
    { name: 'this', title: 'this tree', root },
  ]
  extract(join(folder, 'tree'))
  for (const { name: of, root: tree } of contenders)
    await bundlePrograms(join(folder, of), [measure.program], tree)
  const taken = { other: [], this: [] }
  for (let number = 0; number < runs; number++)
    for (const { name: of } of contenders)
      taken[of].push(run(join(folder, of, `${measure.program}.js`)))
  const results = Object.fromEntries(
    contenders.map(({ name: of }) => [of, { runs, figures: summary(taken[of]) }]),
  )
  console.log(JSON.stringify({ machine: machine(), results }, null, 2))
  console.log(`\n${comparison({ results }, measure.title, contenders, measure.figures)}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
