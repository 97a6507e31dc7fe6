import { describe, expect, it } from 'vitest'
import type { Act, ActFacts } from './act.ts'
import { apiPod, staticPod } from './fake-act-facts.ts'
import { forecastAct } from './forecast.ts'

const orphanMirror: ActFacts = {
  ...apiPod,
  kind: 'mirror',
  criticalBecause: 'mirror',
  worker: 'none',
  runningContainers: 0,
}
const criticalPod: ActFacts = { ...apiPod, criticalBecause: 'priority', priority: 2_000_001_000 }
const terminatingPod: ActFacts = {
  ...apiPod,
  worker: 'TerminatingPod',
  terminationRequested: true,
  graceInUseSeconds: 30,
  deletionTimestamp: '2026-01-01T00:00:30Z',
}
const finishedPod: ActFacts = {
  ...apiPod,
  worker: 'finished',
  phase: 'Failed',
  runningContainers: 0,
}
const rejectedPod: ActFacts = { ...apiPod, worker: 'none', phase: 'Failed', runningContainers: 0 }
const waitingStatic: ActFacts = {
  ...staticPod,
  worker: 'waiting',
  phase: 'Pending',
  runningContainers: 0,
}

const refusing = {
  kind: 'refuses',
  name: 'guard',
  code: 429,
  why: 'it needs 2 healthy pods and has 1',
} as const

describe('forecastAct', () => {
  const refusals: readonly (readonly [string, ActFacts, Act, string])[] = [
    ['api pod', apiPod, 'kill', ''],
    ['api pod', apiPod, 'evictByKubelet', ''],
    ['api pod', apiPod, 'evictThroughApi', ''],
    ['static pod', staticPod, 'kill', ''],
    [
      'static pod',
      staticPod,
      'evictByKubelet',
      'A static pod counts as critical, whatever its priority: the kubelet never evicts it.',
    ],
    [
      'static pod',
      staticPod,
      'evictThroughApi',
      'A static pod is not in the API, only its mirror is: evicting the mirror would delete the copy, the kubelet would create it again, and the containers would run on.',
    ],
    [
      'orphan mirror',
      orphanMirror,
      'kill',
      'This mirror has no static pod here, so nothing of it runs; the kubelet deletes it at its next housekeeping.',
    ],
    [
      'orphan mirror',
      orphanMirror,
      'evictByKubelet',
      'This mirror has no static pod here, so nothing of it runs; the kubelet deletes it at its next housekeeping.',
    ],
    ['orphan mirror', orphanMirror, 'evictThroughApi', ''],
    ['critical pod', criticalPod, 'kill', ''],
    [
      'critical pod',
      criticalPod,
      'evictByKubelet',
      'Its priority 2000001000 makes it critical (2000000000 and more): the kubelet never evicts it.',
    ],
    ['critical pod', criticalPod, 'evictThroughApi', ''],
    ['terminating pod', terminatingPod, 'kill', ''],
    ['terminating pod', terminatingPod, 'evictByKubelet', ''],
    ['terminating pod', terminatingPod, 'evictThroughApi', ''],
    ['finished pod', finishedPod, 'kill', 'Its containers have stopped already.'],
    ['finished pod', finishedPod, 'evictByKubelet', 'Its containers have stopped already.'],
    ['finished pod', finishedPod, 'evictThroughApi', ''],
    [
      'pod that comes again with its uid',
      { ...finishedPod, worker: 'TerminatedAndRecreatedPod' },
      'kill',
      'Its containers have stopped already.',
    ],
    ['rejected pod', rejectedPod, 'kill', 'It has no worker, so there is nothing to kill.'],
    [
      'rejected pod',
      rejectedPod,
      'evictByKubelet',
      'It has no worker, so there is nothing to evict.',
    ],
    ['rejected pod', rejectedPod, 'evictThroughApi', ''],
    ['api pod of a server that is away', { ...apiPod, apiServerReachable: false }, 'kill', ''],
    [
      'api pod of a server that is away',
      { ...apiPod, apiServerReachable: false },
      'evictThroughApi',
      'The API server does not answer now, and it is the one that evicts.',
    ],
  ]
  it.each(refusals)('%s, %#: %s', (_name, facts, act, refusal) => {
    const forecast = forecastAct(act, facts, null)
    expect({ isAllowed: forecast.isAllowed, refusal: forecast.refusal }).toEqual({
      isAllowed: refusal === '',
      refusal,
    })
  })

  it.each([
    [30, 5, 5, 'It is stopping already with 30 s. The worker takes the shorter grace'],
    [30, 40, 30, 'It is stopping already with 30 s; this does not make it shorter'],
  ])(
    'says of a kill with another grace what it changes: %d, %d',
    (inUse, asked, seconds, words) => {
      const facts = { ...terminatingPod, graceInUseSeconds: inUse }
      const { graceSeconds, warnings } = forecastAct('kill', facts, asked)
      expect({ graceSeconds, warning: warnings[0] }).toEqual({
        graceSeconds: seconds,
        warning: expect.stringContaining(words),
      })
    },
  )

  it('says that beside a deletion with 0 s a kill makes the grace longer, and an eviction does not', () => {
    const facts = { ...terminatingPod, graceInUseSeconds: 1, deletionGraceSeconds: 0 }
    const kill = forecastAct('kill', facts, 40)
    expect(kill.graceSeconds).toBe(40)
    expect(kill.warnings[0]).toContain('it becomes longer, until the next update of the pod')
    expect(forecastAct('kill', facts, null).graceSeconds).toBe(1)
    expect(forecastAct('evictThroughApi', facts, 40).graceSeconds).toBe(1)
    const stopped = { ...facts, deletionGraceSeconds: 1 }
    expect(forecastAct('kill', stopped, 40).graceSeconds).toBe(1)
  })

  it('warns of no grace where nothing is left to stop', () => {
    const stopped = { ...finishedPod, terminationRequested: true, graceInUseSeconds: 1 }
    expect(forecastAct('evictThroughApi', stopped, null).warnings).toEqual([])
  })

  it.each(['kill', 'evictByKubelet', 'evictThroughApi'] as const)(
    'refuses %s when started read-only',
    (act) => {
      expect(forecastAct(act, { ...apiPod, readOnly: true }, null).refusal).toBe(
        'Nodescope was started with --read-only: it shows and does not act.',
      )
    },
  )

  it.each<readonly [string, ActFacts, number | null, string, string]>([
    [
      'a running pod is protected by its budgets',
      apiPod,
      null,
      'The API server asks the disruption budgets, marks the pod with DisruptionTarget and deletes it; the kubelet stops its containers with 30 s of grace, then the object goes.',
      'asked; 429 when it allows none',
    ],
    [
      'a pod that is Pending is not',
      { ...apiPod, phase: 'Pending' },
      null,
      'The API server marks the pod with DisruptionTarget and deletes it; the kubelet stops its containers with 30 s of grace, then the object goes.',
      'not asked: the pod is Pending',
    ],
    [
      'nor one that is deleted already',
      terminatingPod,
      null,
      'The API server marks the pod with DisruptionTarget and deletes it; the kubelet stops its containers with 30 s of grace, then the object goes.',
      'not asked: the pod is deleted already',
    ],
    [
      'with grace 0 the object does not wait for the containers',
      apiPod,
      0,
      'The API server asks the disruption budgets, marks the pod with DisruptionTarget and deletes it at once; the kubelet then stops its containers with 1 s of grace.',
      'asked; 429 when it allows none',
    ],
    [
      'a pod that no budget guards goes',
      { ...apiPod, budget: { kind: 'none' } },
      null,
      'The API server marks the pod with DisruptionTarget and deletes it; the kubelet stops its containers with 30 s of grace, then the object goes.',
      'none guards it',
    ],
    [
      'a budget lets it go',
      { ...apiPod, budget: { kind: 'allows', name: 'guard' } },
      null,
      'The API server asks the disruption budget guard, marks the pod with DisruptionTarget and deletes it; the kubelet stops its containers with 30 s of grace, then the object goes.',
      'guard allows it now',
    ],
    [
      'a budget holds it back',
      { ...apiPod, budget: refusing },
      null,
      'The API server asks the disruption budget guard, and would refuse now with 429: it needs 2 healthy pods and has 1. Nothing happens to the pod then.',
      'guard refuses now, 429',
    ],
    [
      'two budgets hold it back',
      {
        ...apiPod,
        budget: { ...refusing, name: 'a and b', code: 500, why: 'a pod may have only one' },
      },
      null,
      'The API server asks the disruption budgets a and b, and would refuse now with 500: a pod may have only one. Nothing happens to the pod then.',
      'a and b refuse now, 500',
    ],
    [
      'a budget is not asked for a pod that is Pending',
      { ...apiPod, phase: 'Pending', budget: refusing },
      null,
      'The API server marks the pod with DisruptionTarget and deletes it; the kubelet stops its containers with 30 s of grace, then the object goes.',
      'not asked: the pod is Pending',
    ],
  ])('evicts through the API: %s', (_title, facts, asked, summary, budget) => {
    const forecast = forecastAct('evictThroughApi', facts, asked)
    expect(forecast.summary).toBe(summary)
    expect(forecast.protections[0]).toEqual({ label: 'PodDisruptionBudget', value: budget })
  })

  it('says that nothing comes of an eviction that a budget holds back, and leaves it to the server', () => {
    expect(forecastAct('evictThroughApi', { ...apiPod, budget: refusing }, null)).toMatchObject({
      isAllowed: true,
      marks: [],
      outcome: 'nothing changes',
      warnings: [],
      kubectl: { caption: 'the same with kubectl; kubectl drain would ask again every 5 s' },
    })
  })

  it('knows that the object of a pod that was deleted does not stay when the kubelet evicts it', () => {
    const forecast = forecastAct('evictByKubelet', terminatingPod, null)
    expect(forecast.summary).toBe(
      'As under node pressure: no budget is asked, grace 1 s. It was deleted already, so its object goes when its containers have stopped.',
    )
    expect(forecast.outcome).toBe('object gone')
    expect(forecastAct('evictByKubelet', apiPod, null).outcome).toBe(
      'object stays, Failed, Evicted',
    )
  })

  it.each<readonly [string, ActFacts, string]>([
    ['a container runs', apiPod, 'object stays, Failed or Succeeded'],
    [
      'containers wait for their back-off, since the last end of each counts',
      { ...apiPod, runningContainers: 0 },
      'object stays, Failed or Succeeded',
    ],
    [
      'none has ever run',
      { ...apiPod, phase: 'Pending', runningContainers: 0 },
      'object stays, Failed',
    ],
  ])('knows how a killed pod can end: %s', (_title, facts, outcome) => {
    expect(forecastAct('kill', facts, null).outcome).toBe(outcome)
  })

  const graces: readonly (readonly [string, ActFacts, Act, number | null, number, number])[] = [
    ['the spec grace by default', apiPod, 'kill', null, 30, 30],
    ['the asked grace', apiPod, 'kill', 5, 5, 5],
    ['0 counts as 1, and the runtime gives 2', apiPod, 'kill', 0, 1, 2],
    ['a longer grace than the one in use changes nothing', terminatingPod, 'kill', 60, 30, 30],
    ['a shorter grace than the one in use', terminatingPod, 'kill', 4, 4, 4],
    ['an eviction by the kubelet is 1 and 2', apiPod, 'evictByKubelet', 20, 1, 2],
    ['an API eviction takes the spec grace', apiPod, 'evictThroughApi', null, 30, 30],
  ]
  it.each(graces)('%s', (_title, facts, act, asked, worker, kill) => {
    const forecast = forecastAct(act, facts, asked)
    expect(forecast.graceSeconds).toBe(worker)
    expect(forecast.marks.find((mark) => mark.label === 'SIGKILL')?.atSeconds).toBe(kill)
  })

  it('says that a killed static pod stays down while its mirror goes on saying Running', () => {
    const forecast = forecastAct('kill', staticPod, 5)
    expect(forecast.summary).toBe(
      'Stops its containers here and now. A static pod stays down until its manifest changes or the kubelet restarts; its mirror stays in the API with phase Running.',
    )
    expect(forecast.outcome).toBe('mirror stays, phase Running')
  })

  it.each([
    ['OnFailure', 'mirror stays, phase Running, or Succeeded when every container exits 0'],
    ['Never', 'mirror stays, phase Failed, or Succeeded when every container exits 0'],
  ] as const)(
    'knows where the mirror of a killed static pod with %s ends',
    (restartPolicy, outcome) => {
      expect(forecastAct('kill', { ...staticPod, restartPolicy }, 5).outcome).toBe(outcome)
    },
  )

  it('says that a waiting static pod never starts when killed', () => {
    expect(forecastAct('kill', waitingStatic, null)).toMatchObject({
      isAllowed: true,
      outcome: 'never starts',
      marks: [],
    })
  })

  it('warns that an evicted pod whose containers exit 0 ends Succeeded', () => {
    expect(forecastAct('evictByKubelet', apiPod, null).warnings).toEqual([
      'If every container exits 0 on SIGTERM the pod ends as Succeeded and reads Completed, not Evicted; only the condition DisruptionTarget tells.',
    ])
  })

  it('names the controller that makes another pod', () => {
    const forecast = forecastAct('kill', { ...apiPod, controlledBy: 'ReplicaSet web' }, 5)
    expect(forecast.summary).toContain('; ReplicaSet web then makes another pod.')
  })

  it('says that a shorter grace does not interrupt the stop call under way', () => {
    expect(forecastAct('kill', terminatingPod, 4).warnings[0]).toBe(
      'It is stopping already with 30 s. The worker takes the shorter grace, but a stop call that is under way in the runtime is not interrupted.',
    )
  })

  it('gives kubectl lines that can be pasted', () => {
    expect(forecastAct('kill', apiPod, 5).kubectl.line).toBe(
      'kubectl delete pod -n default loud --grace-period=5',
    )
    expect(forecastAct('evictThroughApi', apiPod, null).kubectl.line).toBe(
      `echo '{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"namespace":"default","name":"loud"}}' | kubectl create --raw /api/v1/namespaces/default/pods/loud/eviction -f -`,
    )
  })

  it('says of a finished pod that its object goes at once', () => {
    expect(forecastAct('evictThroughApi', finishedPod, null)).toMatchObject({
      outcome: 'object gone at once',
      graceSeconds: 0,
      takesGrace: false,
      marks: [],
    })
  })

  it('says what holds the object when there are finalizers', () => {
    expect(
      forecastAct('evictThroughApi', { ...apiPod, finalizers: ['example.com/hold'] }, null).outcome,
    ).toBe('object stays until example.com/hold is removed')
  })
})

describe('while the kubelet of the node does not hear', () => {
  it.each(['kill', 'evictByKubelet'] as const)('%s needs a kubelet that runs', (act) => {
    const stopped = forecastAct(act, { ...apiPod, kubelet: 'stopped' }, null)
    expect(stopped).toMatchObject({
      isAllowed: false,
      refusal: 'The kubelet of this node does not run: nobody is there to stop the containers.',
    })
    expect(forecastAct(act, { ...apiPod, kubelet: 'cutOff' }, null).isAllowed).toBe(true)
  })

  it.each([
    [
      'delete',
      'stopped',
      'Its containers run on until the kubelet of its node runs again; an object that waits for them reads Terminating.',
    ],
    [
      'forceDelete',
      'cutOff',
      'Its containers run on until its node can reach the API server again; an object that waits for them reads Terminating.',
    ],
    [
      'evictThroughApi',
      'stopped',
      'Its containers run on until the kubelet of its node runs again; an object that waits for them reads Terminating.',
    ],
  ] as const)('%s of a pod does the object’s part only (%s)', (act, kubelet, warning) => {
    const { isAllowed, marks, warnings } = forecastAct(act, { ...apiPod, kubelet }, null)
    expect({ isAllowed, marks, first: warnings[0] }).toEqual({
      isAllowed: true,
      marks: [],
      first: warning,
    })
  })

  it('a mirror that is deleted does not come back by itself', () => {
    const facts: ActFacts = { ...staticPod, kubelet: 'cutOff' }
    const { lanes, warnings } = forecastAct('deleteMirror', facts, null)
    expect({ lanes, first: warnings[0] }).toEqual({
      lanes: null,
      first: 'The mirror comes back only when its node can reach the API server again.',
    })
  })
})
