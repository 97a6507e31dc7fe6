import { describe, expect, it } from 'vitest'
import type { Act, ActFacts } from './act.ts'
import { apiPod, staticPod } from './fake-act-facts.ts'
import { forecastAct } from './forecast.ts'

const orphan: ActFacts = {
  ...apiPod,
  name: 'old-n',
  kind: 'mirror',
  worker: 'none',
  runningContainers: 0,
}

describe('what can be deleted', () => {
  const cases: readonly (readonly [string, Act, ActFacts, string])[] = [
    ['a pod of the API', 'delete', apiPod, ''],
    ['a pod of the API, by force', 'forceDelete', apiPod, ''],
    ['the mirror of a static pod', 'deleteMirror', staticPod, ''],
    ['an orphaned mirror', 'deleteMirror', orphan, ''],
    [
      'not a static pod itself',
      'delete',
      staticPod,
      'A static pod is not in the API, only its mirror is: to stop it, take its manifest away.',
    ],
    [
      'not the mirror of what has none',
      'deleteMirror',
      apiPod,
      'It came from the API, so it has no mirror.',
    ],
    [
      'not a mirror that is missing',
      'deleteMirror',
      { ...staticPod, hasApiObject: false },
      'There is no mirror in the API server now.',
    ],
    [
      'not an object that is gone while its containers still stop',
      'forceDelete',
      { ...apiPod, hasApiObject: false },
      'Its object is gone from the API server; only its containers are still being stopped.',
    ],
    [
      'nothing while the server is away',
      'delete',
      { ...apiPod, apiServerReachable: false },
      'The API server does not answer now, and it is the one that deletes.',
    ],
    [
      'nothing when started read-only',
      'deleteMirror',
      { ...staticPod, readOnly: true },
      'Nodescope was started with --read-only: it shows and does not act.',
    ],
  ]
  it.each(cases)('%s', (_title, act, facts, refusal) => {
    const forecast = forecastAct(act, facts, null)
    expect([forecast.refusal, forecast.isAllowed]).toEqual([refusal, refusal === ''])
  })
})

describe('a deletion', () => {
  it('runs from SIGTERM over SIGKILL to the object gone', () => {
    expect(forecastAct('delete', apiPod, 5)).toMatchObject({
      marks: [
        { atSeconds: 0, label: 'SIGTERM' },
        { atSeconds: 5, label: 'SIGKILL' },
        { atSeconds: 6, label: 'object gone' },
      ],
      confirm: 'Delete, 5 s grace',
      kubectl: { line: 'kubectl delete pod -n default loud --grace-period=5' },
    })
  })

  it('reads 0 as 1, as kubectl does without --force', () => {
    expect(forecastAct('delete', apiPod, 0)).toMatchObject({
      graceSeconds: 1,
      kubectl: { line: 'kubectl delete pod -n default loud --grace-period=1' },
    })
  })

  it('spends its grace on the preStop hook first, and leaves at least two seconds', () => {
    const hooked = { ...apiPod, preStopSleepSeconds: 9 }
    const marks = (seconds: number): readonly (readonly [string, number])[] =>
      forecastAct('delete', hooked, seconds).marks.map((mark) => [mark.label, mark.atSeconds])
    expect(marks(30)).toEqual([
      ['preStop', 0],
      ['SIGTERM', 9],
      ['SIGKILL', 30],
      ['object gone', 31],
    ])
    expect(marks(5).slice(0, 3)).toEqual([
      ['preStop', 0],
      ['SIGTERM', 5],
      ['SIGKILL', 7],
    ])
  })

  it('of a pod that is over needs no grace', () => {
    const over: ActFacts = {
      ...apiPod,
      phase: 'Succeeded',
      worker: 'finished',
      runningContainers: 0,
    }
    expect(forecastAct('delete', over, null)).toMatchObject({
      takesGrace: false,
      graceSeconds: 0,
      marks: [],
      confirm: 'Delete',
    })
  })

  it('waits for finalizers, and says so', () => {
    const held = { ...apiPod, finalizers: ['example.com/hold'] }
    expect(forecastAct('delete', held, null).outcome).toBe(
      'object stays until example.com/hold is removed',
    )
    expect(forecastAct('delete', held, null).warnings[0]).toContain('example.com/hold keeps')
  })

  it('by force drops the object at once while containers get the least grace', () => {
    expect(forecastAct('forceDelete', apiPod, null)).toMatchObject({
      outcome: 'object gone at once',
      graceSeconds: 1,
      marks: [
        { label: 'SIGTERM' },
        { label: 'SIGKILL', atSeconds: 2 },
        { label: 'containers gone' },
      ],
      kubectl: { line: 'kubectl delete pod -n default loud --grace-period=0 --force' },
    })
  })
})

describe('the deletion of a mirror', () => {
  it('puts itself right: containers run on, a new mirror comes within 10 s', () => {
    const forecast = forecastAct('deleteMirror', staticPod, null)
    expect(forecast).toMatchObject({
      isSelfRighting: true,
      outcome: 'a new mirror with another UID',
      kubectl: { line: 'kubectl delete pod -n default web-n --wait=false' },
    })
    expect(
      forecast.lanes?.map(({ label, spans }) => [label, spans.map(({ look }) => look)]),
    ).toEqual([
      ['containers', ['runs']],
      ['old mirror', ['expected']],
      ['new mirror', ['expected', 'there']],
    ])
    expect(forecast.lanes?.[2]?.spans[1]?.fromSeconds).toBe(10)
  })

  it('by force leaves the API without it for up to 90 s', () => {
    const forecast = forecastAct('deleteMirror', staticPod, 0)
    expect(forecast.warnings).toEqual([
      'Forced, the kubelet learns of it too late to act: for up to 90 s the pod runs and the API shows nothing.',
    ])
    expect(forecast.lanes?.[2]?.spans[1]?.fromSeconds).toBe(90)
    expect(forecast.kubectl.line).toBe(
      'kubectl delete pod -n default web-n --grace-period=0 --force --wait=false',
    )
  })

  it('is not made good where no worker syncs the pod any more', () => {
    const stopping: ActFacts = {
      ...staticPod,
      worker: 'TerminatingPod',
      terminationRequested: true,
    }
    expect(forecastAct('deleteMirror', stopping, null)).toMatchObject({
      isSelfRighting: false,
      outcome: 'no mirror',
    })
    expect(forecastAct('deleteMirror', orphan, null)).toMatchObject({
      isSelfRighting: false,
      outcome: 'no mirror',
    })
  })
})
