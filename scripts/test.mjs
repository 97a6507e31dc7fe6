// `npm test`: checks, build and end-to-end tests, then one line with the totals of both runners.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

const root = resolve(import.meta.dirname, '..')
const vitestReports = ['fast', 'slow', 'kube'].map((name) => join(root, '.tmp', `${name}.json`))
const e2eReport = join(root, '.tmp', 'e2e.json')
// Of the fast tests on the next Node, which .ci/run has run before: their failures are told with the others, and the end
// of what they printed if they had to be run twice.
const nextNodeReport = process.env['NODESCOPE_NEXT_NODE_REPORT'] ?? ''
const nextNodeFailure = process.env['NODESCOPE_NEXT_NODE_FAILURE'] ?? ''
// test/kube/comparison.ts writes it.
const comparisons = join(root, '.tmp', 'comparisons')

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

/** Of an error, so that one knows what went wrong where only the end of the output is kept. */
const shownLines = 8

/** The first lines of an error, without its stack. */
function beginning(text) {
  const lines = stripVTControlCharacters(text ?? '').split('\n')
  const stack = lines.findIndex((line) => /^\s+at /.test(line))
  return lines
    .slice(0, Math.min(stack === -1 ? shownLines : stack, shownLines))
    .map((line, index) => `${index === 0 ? '' : '    '}${line.slice(0, 400)}`)
    .join('\n')
}

function toldWithError({ fullName, failureMessages }) {
  return `${fullName}: ${beginning(failureMessages[0])}`
}

/** The failed tests of Vitest's JSON report, each with its file and the beginning of its error. */
export function failedUnitTests(report) {
  return (report?.testResults ?? []).flatMap(({ name, message, status, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    const file = relative(root, name)
    // A file that could not be loaded has no tests.
    if (failed.length === 0) return status === 'failed' ? [`${file}: ${beginning(message)}`] : []
    return failed.map((test) => `${file}: ${toldWithError(test)}`)
  })
}

/** The tests of Vitest's JSON report that passed only when they were run again, each with the beginning of its first error. */
export function retriedUnitTests(report) {
  return (report?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages?.length > 0)
      .map((test) => `${relative(root, name)}: ${toldWithError(test)}`),
  )
}

/** Counts of Playwright's JSON report; flaky tests count as passed. */
export function e2eTotals(report) {
  const stats = report?.stats
  return {
    passed: (stats?.expected ?? 0) + (stats?.flaky ?? 0),
    failed: stats?.unexpected ?? 0,
    skipped: stats?.skipped ?? 0,
  }
}

/** The tests of Playwright's JSON report with one status: `flaky` ones passed when they were run again, `unexpected` ones failed. */
export function e2eTestsWith(wanted, report) {
  const ofSuite = ({ suites = [], specs = [] }) => [
    ...specs.flatMap(({ title, file, tests }) =>
      tests
        .filter(({ status }) => status === wanted)
        .map(({ projectName }) => `[${projectName}] ${file}: ${title}`),
    ),
    ...suites.flatMap(ofSuite),
  ]
  return ofSuite(report ?? {})
}

function comparisonReports() {
  try {
    return readdirSync(comparisons)
      .toSorted()
      .map((name) => readReport(join(comparisons, name)))
      .filter((report) => report !== undefined)
  } catch {
    return [] // no suite came to its end
  }
}

/** The comparisons with real parts of Kubernetes, and the missing ones in one line. */
export function comparisonLines(reports) {
  const compared = reports.filter((report) => report.compared !== undefined)
  const others = reports.filter((report) => report.missing !== undefined)
  const suites = others.map((report) => report.name).join(', ')
  const parts = [...new Set(others.flatMap((report) => report.missing))].join(' ')
  return [
    ...(compared.length > 0 ? ['Compared with the real thing:'] : []),
    ...compared.map((report) => `  ${report.name}: ${report.compared}`),
    ...(others.length > 0
      ? [`Not compared with the real thing: ${suites}. \`npm run kube:build ${parts}\` brings it.`]
      : []),
    ...reports
      .filter((report) => report.impossible !== undefined)
      .map((report) => `Not compared with the real thing: ${report.name}, ${report.impossible}.`),
  ]
}

/** One line for each step that ran: its name and its minutes. */
export function stepLines(steps) {
  const width = Math.max(...steps.map(({ name }) => name.length))
  return [
    'Minutes:',
    ...steps.map(
      ({ name, durationMs }) => `  ${name.padEnd(width)} ${(durationMs / 60_000).toFixed(1)}`,
    ),
  ]
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
  for (const report of [...vitestReports, e2eReport, comparisons]) {
    rmSync(report, { recursive: true, force: true })
  }
  const steps = []
  const failedSteps = []
  for (const name of ['check', 'test:slow', 'test:kube', 'build', 'e2e']) {
    const startedAt = performance.now()
    const { status } = spawnSync('npm', ['run', '--silent', name], {
      cwd: root,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    })
    steps.push({ name, durationMs: performance.now() - startedAt })
    if (status === 0) continue
    failedSteps.push(name)
    // A run shows all that failed, except that what does not build cannot be run.
    if (name === 'check' || name === 'build') break
  }
  return { failedSteps, steps }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { failedSteps, steps } = runSteps()
  const unitReports = vitestReports.map(readReport)
  const nextNode = readReport(nextNodeReport)
  const e2e = readReport(e2eReport)
  // Counted once: what passed on both is one test.
  const onNextNode = { passed: 0, failed: unitTotals(nextNode).failed, skipped: 0 }
  const totals = [...unitReports.map(unitTotals), onNextNode, e2eTotals(e2e)]
  const told = (ofUnitTests, e2eStatus) => [
    ...ofUnitTests(nextNode).map((line) => `[next Node] ${line}`),
    ...unitReports.flatMap(ofUnitTests),
    ...e2eTestsWith(e2eStatus, e2e),
  ]
  const retried = told(retriedUnitTests, 'flaky')
  const failed = told(failedUnitTests, 'unexpected')
  const lines = comparisonLines(comparisonReports())
  if (lines.length > 0) console.log(`\n${lines.join('\n')}`)
  console.log(`\n${stepLines(steps).join('\n')}`)
  if (retried.length > 0) {
    console.log(`\nFailed at first, passed when run again:\n  ${retried.join('\n  ')}`)
  }
  if (nextNodeFailure !== '') {
    console.log(`\nThe fast tests on the next Node were run twice; the first time ended with:`)
    console.log(stripVTControlCharacters(nextNodeFailure))
  }
  if (failed.length > 0) console.log(`\nFailed:\n  ${failed.join('\n  ')}`)
  for (const name of failedSteps) console.log(`\nnpm run ${name} failed.`)
  console.log(`\n${closingLine(totals, failedSteps.length > 0)}`)
  process.exit(failedSteps.length === 0 && totals.every(({ failed }) => failed === 0) ? 0 : 1)
}
