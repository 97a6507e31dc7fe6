// `npm test`: checks, build and journeys, then one closing line with the true totals of both runners.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = resolve(import.meta.dirname, '..')
const unitReport = join(root, '.tmp', 'unit.json')
const e2eReport = join(root, '.tmp', 'e2e.json')

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined // the runner did not get that far
  }
}

/** Counts of Vitest's JSON report. */
export function unitTotals(report) {
  return {
    passed: report?.numPassedTests ?? 0,
    failed: report?.numFailedTests ?? 0,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  }
}

/** Counts of Playwright's JSON report; a flaky test failed first, which is no pass here. */
export function e2eTotals(report) {
  const stats = report?.stats
  return {
    passed: stats?.expected ?? 0,
    failed: (stats?.unexpected ?? 0) + (stats?.flaky ?? 0),
    skipped: stats?.skipped ?? 0,
  }
}

/** The closing line. A step that failed without a failed test (lint, a crash) counts as one failure. */
export function closingLine(totals, hasFailedStep) {
  const sum = (key) => totals.reduce((count, each) => count + each[key], 0)
  const failed = sum('failed')
  const skipped = sum('skipped')
  return [
    `${sum('passed')} passed`,
    `${hasFailedStep ? Math.max(failed, 1) : failed} failed`,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ].join(', ')
}

function runSteps() {
  for (const report of [unitReport, e2eReport]) rmSync(report, { force: true })
  for (const step of ['check', 'build', 'e2e']) {
    const { status } = spawnSync('npm', ['run', '--silent', step], {
      cwd: root,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    })
    if (status !== 0) return step
  }
  return undefined
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const failedStep = runSteps()
  const totals = [unitTotals(readReport(unitReport)), e2eTotals(readReport(e2eReport))]
  if (failedStep !== undefined) console.log(`\nnpm run ${failedStep} failed.`)
  console.log(`\n${closingLine(totals, failedStep !== undefined)}`)
  process.exit(failedStep === undefined && totals.every(({ failed }) => failed === 0) ? 0 : 1)
}
