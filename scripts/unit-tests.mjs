// Usage: node scripts/unit-tests.mjs NAME PROJECT...: runs projects of Vitest, with a report in .tmp/NAME.json.
// In CI, the files with a failed test are run once more, with a report in .tmp/NAME-again.json: their servers and
// kubelets start again with them, which Vitest's own retry does not do.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = resolve(import.meta.dirname, '..')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
/** If no file failed, but the run did (a worker ended): all is run again if that does not take long. */
const longestRepeatMs = 6 * 60_000

export function reportPath(name) {
  return join(root, '.tmp', `${name}.json`)
}

/** Undefined if the run did not get that far. */
export function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** The files of Vitest's JSON report with a failed test, and those that could not be loaded. */
export function failedFiles(report) {
  return (report?.testResults ?? [])
    .filter(({ status }) => status === 'failed')
    .map(({ name }) => relative(root, name))
}

/** What to run again: files, all of them (an empty list), or nothing (undefined). */
export function whatToRepeat(report, durationMs) {
  const files = failedFiles(report)
  return files.length > 0 || durationMs <= longestRepeatMs ? files : undefined
}

function run(name, projects, files) {
  const options = [
    ...projects.flatMap((project) => ['--project', project]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportPath(name)}`,
  ]
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...options, ...files], {
    cwd: root,
    stdio: 'inherit',
  })
  return status === 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [name, ...projects] = process.argv.slice(2)
  const again = `${name}-again`
  for (const each of [name, again]) rmSync(reportPath(each), { force: true })
  const startedAt = performance.now()
  let passed = run(name, projects, [])
  if (!passed && process.env['CI'] !== undefined) {
    const files = whatToRepeat(readReport(reportPath(name)), performance.now() - startedAt)
    if (files !== undefined) {
      console.log(`\nOnce more: ${files.join(', ') || 'all files'}`)
      passed = run(again, projects, files)
    }
  }
  process.exit(passed ? 0 : 1)
}
