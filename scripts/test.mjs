// `npm test`: checks, build and end-to-end tests, then one line with the totals of both runners.
import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { readReport, reportPath } from './unit-tests.mjs'

const root = resolve(import.meta.dirname, '..')
// .ci/run brings it: the fast tests are run on it as well.
const nextNode = process.env['NODESCOPE_NEXT_NODE'] ?? ''
const unitSuites = ['fast', 'next-node', 'slow', 'kube']
const e2eReport = join(root, '.tmp', 'e2e.json')
// test/kube/comparison.ts writes it.
const comparisons = join(root, '.tmp', 'comparisons')

/** Of each file of a unit suite: the results of its last run. */
function lastResults({ first, again }) {
  const all = [...(first?.testResults ?? []), ...(again?.testResults ?? [])]
  return [...new Map(all.map((results) => [results.name, results])).values()]
}

/** Counts of a unit suite, each test by its last run. */
export function unitTotals(suite) {
  const totals = { passed: 0, failed: 0, skipped: 0 }
  for (const { assertionResults } of lastResults(suite))
    for (const { status } of assertionResults)
      totals[status === 'passed' || status === 'failed' ? status : 'skipped']++
  return totals
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

function failuresOf(results) {
  return results.flatMap(({ name, message, status, assertionResults }) => {
    const file = relative(root, name)
    const failed = assertionResults
      .filter((test) => test.status === 'failed')
      .map(({ fullName, failureMessages }) => ({
        test: `${file}: ${fullName}`,
        error: beginning(failureMessages[0]),
      }))
    // A file that could not be loaded has no tests.
    const isWhole = status === 'failed' && failed.length === 0
    return isWhole ? [{ test: file, error: beginning(message) }] : failed
  })
}

function told({ test, error }) {
  return `${test}: ${error}`
}

/** The failed tests of a unit suite, each with its file and the beginning of its error. */
export function failedUnitTests(suite) {
  return failuresOf(lastResults(suite)).map(told)
}

/** The tests of a unit suite that passed only when they were run again, each with the beginning of its first error. */
export function retriedUnitTests(suite) {
  const last = new Set(failuresOf(lastResults(suite)).map(({ test }) => test))
  return failuresOf(suite.first?.testResults ?? [])
    .filter(({ test }) => !last.has(test))
    .map(told)
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

/** Each with the command that runs it. */
function stepsToRun() {
  const npmRun = (name) => ({ name, command: 'npm', options: ['run', '--silent', name] })
  const onNextNode = {
    name: 'next-node',
    command: nextNode,
    options: [join('scripts', 'unit-tests.mjs'), 'next-node', 'fast'],
  }
  return [
    npmRun('check'),
    ...(nextNode === '' ? [] : [onNextNode]),
    ...['test:slow', 'test:kube', 'build', 'e2e'].map(npmRun),
  ]
}

function runSteps() {
  const reports = unitSuites.flatMap((name) => [reportPath(name), reportPath(`${name}-again`)])
  for (const report of [...reports, e2eReport, comparisons]) {
    rmSync(report, { recursive: true, force: true })
  }
  const steps = []
  const failedSteps = []
  for (const { name, command, options } of stepsToRun()) {
    const startedAt = performance.now()
    const { status } = spawnSync(command, options, {
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
  const suites = unitSuites.map((name) => ({
    name,
    first: readReport(reportPath(name)),
    again: readReport(reportPath(`${name}-again`)),
  }))
  const e2e = readReport(e2eReport)
  const totals = [
    // What passed on both versions of Node is one test.
    ...suites.map((suite) =>
      suite.name === 'next-node'
        ? { passed: 0, failed: unitTotals(suite).failed, skipped: 0 }
        : unitTotals(suite),
    ),
    e2eTotals(e2e),
  ]
  const linesOf = (ofUnitTests, e2eStatus) => [
    ...suites.flatMap((suite) => ofUnitTests(suite).map((line) => `[${suite.name}] ${line}`)),
    ...e2eTestsWith(e2eStatus, e2e).map((line) => `[e2e] ${line}`),
  ]
  const retried = linesOf(retriedUnitTests, 'flaky')
  const failed = linesOf(failedUnitTests, 'unexpected')
  const lines = comparisonLines(comparisonReports())
  if (lines.length > 0) console.log(`\n${lines.join('\n')}`)
  console.log(`\n${stepLines(steps).join('\n')}`)
  if (retried.length > 0) {
    console.log(`\nFailed at first, passed when run again:\n  ${retried.join('\n  ')}`)
  }
  if (failed.length > 0) console.log(`\nFailed:\n  ${failed.join('\n  ')}`)
  for (const name of failedSteps) console.log(`\nThe step ${name} failed.`)
  console.log(`\n${closingLine(totals, failedSteps.length > 0)}`)
  process.exit(failedSteps.length === 0 ? 0 : 1)
}
