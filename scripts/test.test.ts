import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  closingLine,
  comparisonLines,
  e2eTestsWith,
  e2eTotals,
  failedUnitTests,
  retriedUnitTests,
  stepLines,
  unitTotals,
} from './test.mjs'

describe('the closing line of npm test', () => {
  it.each([
    [
      [
        { passed: 10, failed: 0, skipped: 0 },
        { passed: 5, failed: 0, skipped: 0 },
      ],
      false,
      '15 passed, 0 failed',
    ],
    [
      [
        { passed: 10, failed: 2, skipped: 1 },
        { passed: 0, failed: 0, skipped: 0 },
      ],
      true,
      '10 passed, 2 failed, 1 skipped',
    ],
    [[{ passed: 0, failed: 0, skipped: 0 }], true, '0 passed, 1 failed'],
  ])('of %j with a failed step %s', (totals, hasFailedStep, expected) => {
    expect(closingLine(totals, hasFailedStep)).toBe(expected)
  })

  it('adds up the reports of the runners', () => {
    const results = (...statuses: string[]) => ({
      testResults: [
        { name: 'a', assertionResults: statuses.map((status) => ({ status })) },
        { name: 'b', assertionResults: [{ status: 'passed' }] },
      ],
    })
    const first = results('passed', 'failed', 'pending', 'todo')
    expect(unitTotals({ first })).toEqual({ passed: 2, failed: 1, skipped: 2 })
    const again = { testResults: results('passed', 'passed').testResults.slice(0, 1) }
    expect(unitTotals({ first, again })).toEqual({ passed: 3, failed: 0, skipped: 0 })
    expect(e2eTotals({ stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 2 } })).toEqual({
      passed: 5,
      failed: 1,
      skipped: 2,
    })
  })

  it('names each test of a unit suite that failed, or passed only when run again, with the beginning of its error', () => {
    const test = (title: string, ...failureMessages: string[]) => ({
      fullName: title,
      status: failureMessages.length > 0 ? 'failed' : 'passed',
      failureMessages,
    })
    const file = (
      name: string,
      status: string,
      ...assertionResults: ReturnType<typeof test>[]
    ) => ({
      name: join(process.cwd(), 'src', name),
      status,
      message: assertionResults.length > 0 ? '' : 'No export named x\nhere',
      assertionResults,
    })
    const stops = test(
      'a pod stops',
      '\u001B[31mexpected 1 to be 2\u001B[39m\nof the pod\n    at a:3',
    )
    const first = {
      testResults: [
        file('a.test.ts', 'failed', test('a pod starts'), stops),
        file('b.test.ts', 'failed', test('a pod is slow', 'expected a status\n    at b:5')),
        file('c.test.ts', 'failed'),
      ],
    }
    const again = {
      testResults: [
        file('a.test.ts', 'failed', test('a pod starts'), stops),
        file('b.test.ts', 'passed', test('a pod is slow')),
        file('c.test.ts', 'failed'),
      ],
    }
    const failed = [
      'src/a.test.ts: a pod stops: expected 1 to be 2\n    of the pod',
      'src/c.test.ts: No export named x\n    here',
    ]
    const slow = 'src/b.test.ts: a pod is slow: expected a status'
    expect(failedUnitTests({ first, again })).toEqual(failed)
    expect(retriedUnitTests({ first, again })).toEqual([slow])
    expect(failedUnitTests({ first })).toEqual([failed[0], slow, failed[1]])
    expect(retriedUnitTests({ first })).toEqual([])
    expect([failedUnitTests({}), retriedUnitTests({})]).toEqual([[], []])
  })

  it('names each test that failed, and each that passed only when it was run again', () => {
    const spec = (title: string, status: string) => ({
      title,
      file: 'pods.spec.ts',
      tests: [{ status, projectName: 'web' }],
    })
    const report = {
      suites: [
        { specs: [spec('a pod', 'expected')], suites: [{ specs: [spec('its drawer', 'flaky')] }] },
        { specs: [spec('a node', 'unexpected')] },
      ],
    }
    expect(e2eTestsWith('flaky', report)).toEqual(['[web] pods.spec.ts: its drawer'])
    expect(e2eTestsWith('unexpected', report)).toEqual(['[web] pods.spec.ts: a node'])
    expect(e2eTestsWith('flaky', undefined)).toEqual([])
  })

  it('counts nothing for a runner without a report', () => {
    const none = { passed: 0, failed: 0, skipped: 0 }
    expect([unitTotals({}), e2eTotals(undefined)]).toEqual([none, none])
  })
})

describe('the durations of the steps', () => {
  it('are listed in the order in which the steps ran', () => {
    const steps = [
      { name: 'check', durationMs: 90_000 },
      { name: 'e2e', durationMs: 363_000 },
    ]
    expect(stepLines(steps)).toEqual(['Minutes:', '  check 1.5', '  e2e   6.0'])
  })
})

describe('the comparisons with real Kubernetes', () => {
  it('include the reason why this machine cannot make one', () => {
    expect(comparisonLines([{ name: 'real kubelet', impossible: 'no namespaces' }])).toEqual([
      'Not compared with the real thing: real kubelet, no namespaces.',
    ])
  })

  it('are listed by suite, and missing ones in one line', () => {
    const reports = [
      { name: 'exchanges', compared: '170 on both servers' },
      { name: 'kubectl', missing: ['etcd', 'kube-apiserver'] },
      { name: 'pod manager', compared: '10000 operations' },
      { name: 'pod workers', missing: ['kube-apiserver', 'oracle'] },
    ]
    expect(comparisonLines(reports)).toEqual([
      'Compared with the real thing:',
      '  exchanges: 170 on both servers',
      '  pod manager: 10000 operations',
      'Not compared with the real thing: kubectl, pod workers. `npm run kube:build etcd kube-apiserver oracle` brings it.',
    ])
  })

  it('are empty if no suite reported any', () => {
    expect(comparisonLines([])).toEqual([])
  })
})
