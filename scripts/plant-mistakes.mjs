// `npm run kube:mistakes`: plants one mistake after the other in a copy of the tree and runs the suites that must find it
// there. Without a mistake they must pass. Needs `npm run kube:build`.
// Use: npm run kube:mistakes [-- name…]
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { mistakes } from '../test/kube/mistakes.mjs'

const root = resolve(import.meta.dirname, '..')

/** The last commit, as a clean clone has it. */
function copyTree() {
  const folder = mkdtempSync(join(tmpdir(), 'nodescope-mistakes-'))
  const archive = execFileSync('git', ['archive', '--format=tar', 'HEAD'], {
    cwd: root,
    maxBuffer: 1 << 30,
  })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** How many tests of the suites failed and passed; compare.test.ts with these scenarios only. */
function judge(folder, suites, scenarios) {
  const report = join(folder, '.tmp-report.json')
  rmSync(report, { force: true })
  const { stdout, stderr, error } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...suites,
    ],
    // A mistake may cause an endless loop, which counts as found.
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', NODESCOPE_COMPARE: scenarios.join(',') },
      timeout: 300_000,
      killSignal: 'SIGKILL',
    },
  )
  if (error?.code === 'ETIMEDOUT') return { failed: 1, passed: 0, first: 'they did not end' }
  try {
    const { numFailedTests, numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
    const failed = testResults.flatMap(({ assertionResults }) =>
      assertionResults.filter(({ status }) => status === 'failed'),
    )
    // A suite that could not start has no failed test.
    const broken = testResults.filter(({ status }) => status === 'failed')
    return {
      failed: Math.max(numFailedTests, broken.length),
      passed: numPassedTests,
      first: failed[0]?.fullName ?? broken[0]?.message,
    }
  } catch {
    throw new Error(`the suites did not run:\n${stdout}\n${stderr}`)
  }
}

function plant(folder, { file, from, to }) {
  const path = join(folder, file)
  const right = readFileSync(path, 'utf8')
  if (right.split(from).length !== 2)
    throw new Error(`${file} does not contain exactly once: ${from}`)
  writeFileSync(
    path,
    right.replace(from, () => to),
  )
  return () => writeFileSync(path, right)
}

const names = process.argv.slice(2)
const chosen = mistakes.filter(({ name }) => names.length === 0 || names.includes(name))
if (chosen.length === 0 || names.some((name) => !mistakes.some((one) => one.name === name))) {
  console.error(`The mistakes are: ${mistakes.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

const folder = copyTree()
let missed = 0
try {
  const suites = [...new Set(chosen.flatMap((mistake) => mistake.suites))]
  const scenarios = [...new Set(chosen.flatMap((mistake) => mistake.scenarios ?? []))]
  const clean = judge(folder, suites, scenarios)
  console.log(`without a mistake: ${clean.passed} passed, ${clean.failed} failed`)
  if (clean.failed > 0 || clean.passed === 0) throw new Error('the suites must be green before')
  for (const mistake of chosen) {
    const takeBack = plant(folder, mistake)
    const { failed, first } = judge(folder, mistake.suites, mistake.scenarios ?? [])
    takeBack()
    if (failed === 0) missed++
    const outcome = failed > 0 ? `found, ${failed} failed: ${first}` : 'NOT FOUND'
    console.log(`${mistake.name} (${mistake.why}): ${outcome}`)
  }
  console.log(`${chosen.length - missed} of ${chosen.length} mistakes found`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit(missed === 0 ? 0 : 1)
