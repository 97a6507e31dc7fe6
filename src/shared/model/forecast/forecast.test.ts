import { describe, expect, it } from 'vitest'
import type { Act, ActEffect, ActFacts } from '../act.ts'
import { startedReadOnly } from './read-only.ts'
import { apiPod, staticPod } from './fake-act-facts.ts'
import { forecastAct } from './forecast.ts'

// What a forecast says is compared with what then happens in test/forecast; here are its rules and its words.

const orphanMirror: ActFacts = {
  ...apiPod,
  name: 'old-n',
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
  sigkillInSeconds: 25,
  deletionTimestamp: '2026-01-01T00:00:30Z',
}
const failedPod: ActFacts = {
  ...apiPod,
  worker: 'finished',
  phase: 'Failed',
  apiPhase: 'Failed',
  runningContainers: 0,
}
const rejectedPod: ActFacts = { ...failedPod, worker: 'none' }
const waitingStatic: ActFacts = { ...staticPod, worker: 'waiting', runningContainers: 0 }
const held: ActFacts = { ...apiPod, finalizers: ['example.com/hold'] }
const refusing = {
  kind: 'refuses',
  name: 'guard',
  code: 429,
  why: 'it needs 2 healthy pods and has 1',
} as const

function effect(act: Act, facts: ActFacts, seconds: number | null = null): ActEffect {
  return forecastAct(act, facts, seconds).effect
}

describe('what may be done', () => {
  it.each<readonly [string, Act, ActFacts, string]>([
    ['a pod', 'kill', apiPod, ''],
    ['a pod', 'evictByKubelet', apiPod, ''],
    ['a pod', 'evictThroughApi', apiPod, ''],
    ['a pod', 'delete', apiPod, ''],
    ['a pod', 'forceDelete', apiPod, ''],
    ['a pod that terminates', 'kill', terminatingPod, ''],
    ['a critical pod', 'kill', criticalPod, ''],
    ['a static pod', 'kill', staticPod, ''],
    ['a static pod’s mirror', 'deleteMirror', staticPod, ''],
    ['a mirror alone', 'deleteMirror', orphanMirror, ''],
    ['a mirror alone', 'evictThroughApi', orphanMirror, ''],
    ['a pod that has ended', 'delete', failedPod, ''],
    ['a rejected pod', 'evictThroughApi', rejectedPod, ''],
    ['a pod of a server that is away', 'kill', { ...apiPod, apiServerReachable: false }, ''],
    ['a pod of a node that is cut off', 'kill', { ...apiPod, kubelet: 'cutOff' }, ''],
  ])('%s: %s', (_title, act, facts, refusal) => {
    expect(forecastAct(act, facts, null)).toMatchObject({ isAllowed: true, refusal })
  })

  const critical =
    'Its priority 2000001000 makes it critical (2000000000 and more): the kubelet never evicts it.'
  const noStatic =
    'This mirror has no static pod on this node, so no containers run. The kubelet deletes it at its next housekeeping.'

  it.each<readonly [string, Act, ActFacts, string]>([
    ['read-only', 'kill', { ...apiPod, readOnly: startedReadOnly }, startedReadOnly],
    ['read-only', 'deleteMirror', { ...staticPod, readOnly: startedReadOnly }, startedReadOnly],
    [
      'no kubelet',
      'kill',
      { ...apiPod, kubelet: 'stopped' },
      'The kubelet of this node is not running, so it cannot stop containers.',
    ],
    [
      'static',
      'evictByKubelet',
      staticPod,
      'A static pod counts as critical, whatever its priority: the kubelet never evicts it.',
    ],
    [
      'static',
      'evictThroughApi',
      staticPod,
      'A static pod is not in the API, only its mirror is. Evicting the mirror would delete the copy; the kubelet would create it again, and the containers would keep running.',
    ],
    [
      'static',
      'delete',
      staticPod,
      'A static pod is not in the API, only its mirror is. To stop the pod, remove its manifest.',
    ],
    ['critical', 'evictByKubelet', criticalPod, critical],
    ['mirror alone', 'kill', orphanMirror, noStatic],
    ['mirror alone', 'evictByKubelet', orphanMirror, noStatic],
    ['stopped', 'kill', failedPod, 'Its containers have already stopped.'],
    [
      'comes again with its UID',
      'kill',
      { ...failedPod, worker: 'TerminatedAndRecreatedPod' },
      'Its containers have already stopped.',
    ],
    [
      'stopped and deleted',
      'kill',
      { ...failedPod, deletionTimestamp: '2026-01-01T00:00:30Z' },
      'Containers stopped; waiting for the API object to be deleted.',
    ],
    [
      'object gone, still stopping',
      'forceDelete',
      { ...terminatingPod, hasApiObject: false },
      'The API object is deleted already; the kubelet is still stopping the containers.',
    ],
    [
      'object gone, stopped',
      'delete',
      { ...failedPod, hasApiObject: false },
      'The API object is deleted and the containers have stopped. The kubelet removes its worker at its next housekeeping.',
    ],
    [
      'no worker',
      'kill',
      rejectedPod,
      'The kubelet has no worker for this pod, so there is nothing to kill.',
    ],
    [
      'server away',
      'evictThroughApi',
      { ...apiPod, apiServerReachable: false },
      'The API server does not answer now, and only it can evict the pod.',
    ],
    ['ordinary', 'deleteMirror', apiPod, 'The pod came from the API, so it has no mirror.'],
    [
      'no mirror',
      'deleteMirror',
      { ...staticPod, hasApiObject: false },
      'There is no mirror in the API server now.',
    ],
  ])('is refused, %s: %s', (_title, act, facts, refusal) => {
    expect(forecastAct(act, facts, null)).toMatchObject({ isAllowed: false, refusal })
  })
})

describe('when containers are killed', () => {
  const twoSidecars = { ...apiPod, runningContainers: 3, runningSidecars: 2 }
  it.each<readonly [string, Act, ActFacts, number | null, number]>([
    ['the spec’s grace by default', 'kill', apiPod, null, 30],
    ['the grace that is asked', 'kill', apiPod, 5, 5],
    ['0 is 1 at the worker, and the runtime gives 2', 'kill', apiPod, 0, 2],
    ['an eviction by the kubelet is 1, and the runtime gives 2', 'evictByKubelet', apiPod, null, 2],
    ['by force likewise', 'forceDelete', apiPod, null, 2],
    ['a delete with 0 is one with 1, as kubectl reads it', 'delete', apiPod, 0, 2],
    ['sidecars have 2 s after the others', 'delete', twoSidecars, 8, 10],
    [
      'a preStop hook is part of the grace',
      'delete',
      { ...apiPod, preStopSleepSeconds: 9 },
      30,
      30,
    ],
    [
      'a preStop hook of unknown length may take the whole grace',
      'delete',
      { ...apiPod, hasOtherPreStop: true },
      5,
      7,
    ],
    ['after a preStop hook 2 s are left', 'delete', { ...apiPod, preStopSleepSeconds: 9 }, 5, 7],
    ['a stop under way keeps its time', 'kill', terminatingPod, 4, 25],
    [
      'of a stop under way whose time is not known',
      'kill',
      { ...terminatingPod, sigkillInSeconds: null },
      60,
      30,
    ],
  ])('%s', (_title, act, facts, seconds, latest) => {
    expect(effect(act, facts, seconds).containers).toMatchObject({ kind: 'stop', latest })
  })

  it('marks preStop, SIGTERM, SIGKILL and what follows', () => {
    const marks = (facts: ActFacts, act: Act = 'delete') =>
      forecastAct(act, facts, null).marks.map(({ label, atSeconds }) => [label, atSeconds])
    expect(marks({ ...apiPod, preStopSleepSeconds: 9 })).toEqual([
      ['preStop', 0],
      ['SIGTERM', 9],
      ['SIGKILL', 30],
      ['object gone', 31],
    ])
    expect(marks(apiPod, 'forceDelete').at(-1)).toEqual(['containers stopped', 2.5])
    expect(marks(terminatingPod)).toEqual([
      ['SIGKILL', 25],
      ['object gone', 26],
    ])
    expect(marks(failedPod)).toEqual([])
  })

  it('does not claim to know whether a process handles SIGTERM', () => {
    expect(forecastAct('kill', apiPod, 5).warnings).toEqual([
      'Nodescope does not know whether the processes handle SIGTERM. Those that do not are ended by SIGKILL, with exit code 137.',
    ])
    expect(forecastAct('delete', failedPod, null).warnings).toEqual([])
  })

  it('says that another grace does not reach a stop under way', () => {
    expect(forecastAct('kill', terminatingPod, 4).warnings[0]).toBe(
      'The containers are being stopped already. Another grace period does not change a stop under way: SIGKILL comes in 25 s at the latest.',
    )
  })

  it('does not say when a stop begins that waits for a sync under way', () => {
    const syncing = forecastAct('kill', { ...apiPod, isSyncing: true }, 5)
    expect(syncing.effect.containers).toEqual({ kind: 'stop', earliest: 0, latest: null })
    expect(syncing).toMatchObject({
      marks: [],
      containersText: 'The stop begins when the worker has finished the sync that is under way.',
      outcome: 'object stays: not known yet',
    })
  })

  it('takes a kill’s grace as it is after a deletion with 0 s, as the worker does', () => {
    const facts = { ...terminatingPod, graceInUseSeconds: 1, deletionGraceSeconds: 0 }
    expect(forecastAct('kill', facts, 40).graceSeconds).toBe(40)
    expect(forecastAct('kill', facts, null).graceSeconds).toBe(1)
    expect(forecastAct('evictThroughApi', facts, 40).graceSeconds).toBe(1)
  })
})

describe('what happens to the object', () => {
  const bothEnds = [
    { phase: 'Failed', reason: '' },
    { phase: 'Succeeded', reason: '' },
  ] as const
  const evictedEnds = [{ phase: 'Failed', reason: 'Evicted' }, bothEnds[1]] as const
  it.each<readonly [string, Act, ActFacts, number | null, Partial<ActEffect['object']>, string]>([
    [
      'killed',
      'kill',
      apiPod,
      null,
      { kind: 'stays', ends: bothEnds },
      'object stays: Failed, or Succeeded if every container exits 0',
    ],
    [
      'killed with nothing running',
      'kill',
      { ...apiPod, runningContainers: 0 },
      null,
      { kind: 'stays', ends: [bothEnds[0]] },
      'object stays: Failed',
    ],
    [
      'evicted by the kubelet',
      'evictByKubelet',
      apiPod,
      null,
      { kind: 'stays', ends: evictedEnds, isSure: true },
      'object stays: Failed (Evicted), or Succeeded if every container exits 0',
    ],
    [
      'evicted by the kubelet, several containers',
      'evictByKubelet',
      { ...apiPod, runningContainers: 2 },
      null,
      { kind: 'stays', ends: evictedEnds, isSure: false },
      'object stays: Failed (Evicted), or Succeeded if every container exits 0',
    ],
    [
      'evicted by the kubelet while it is stopped for another reason',
      'evictByKubelet',
      { ...terminatingPod, deletionTimestamp: null },
      null,
      { kind: 'stays', ends: bothEnds },
      'object stays: Failed, or Succeeded if every container exits 0',
    ],
    ['deleted before', 'evictByKubelet', terminatingPod, null, { kind: 'goes' }, 'object gone'],
    [
      'a static pod killed',
      'kill',
      staticPod,
      null,
      { kind: 'stays', ends: [{ phase: 'Running', reason: '' }] },
      'mirror stays: Running',
    ],
    [
      'a static pod that waits',
      'kill',
      waitingStatic,
      null,
      { kind: 'unchanged' },
      'mirror unchanged',
    ],
    [
      'a static pod without its manifest',
      'kill',
      { ...staticPod, isListed: false },
      null,
      { kind: 'goes' },
      'mirror gone',
    ],
    [
      'killed on a node that is cut off',
      'kill',
      { ...apiPod, kubelet: 'cutOff' },
      null,
      { kind: 'unchanged' },
      'object unchanged',
    ],
    [
      'deleted',
      'delete',
      apiPod,
      null,
      { kind: 'goes', after: { earliest: 0, latest: 33 } },
      'object gone',
    ],
    [
      'deleted by force',
      'forceDelete',
      apiPod,
      null,
      { kind: 'goes', after: { earliest: 0, latest: 0 } },
      'object gone at once',
    ],
    [
      'deleted, with a grace of 0 in the spec',
      'delete',
      { ...apiPod, specGraceSeconds: 0 },
      null,
      { kind: 'goes', after: { earliest: 0, latest: 0 } },
      'object gone at once',
    ],
    [
      'deleted when it has ended',
      'delete',
      failedPod,
      null,
      { kind: 'goes', after: { earliest: 0, latest: 0 } },
      'object gone at once',
    ],
    [
      'deleted without a node',
      'delete',
      { ...rejectedPod, phase: 'Pending', apiPhase: 'Pending', isScheduled: false },
      null,
      { kind: 'goes', after: { earliest: 0, latest: 0 } },
      'object gone at once',
    ],
    [
      'deleted with a finalizer',
      'delete',
      held,
      null,
      { kind: 'held', finalizers: ['example.com/hold'] },
      'object stays Terminating until example.com/hold is removed',
    ],
    [
      'deleted by force with a finalizer',
      'forceDelete',
      held,
      null,
      { kind: 'held' },
      'object stays Terminating until example.com/hold is removed',
    ],
    [
      'deleted while the kubelet is stopped',
      'delete',
      { ...apiPod, kubelet: 'stopped' },
      null,
      { kind: 'terminating' },
      'object stays Terminating',
    ],
    [
      'deleted by force on a node that is cut off',
      'forceDelete',
      { ...apiPod, kubelet: 'cutOff' },
      null,
      { kind: 'goes' },
      'object gone at once',
    ],
    [
      'evicted, and the budget refuses',
      'evictThroughApi',
      { ...apiPod, budget: refusing },
      null,
      { kind: 'unchanged' },
      'object unchanged',
    ],
    [
      'a mirror deleted',
      'deleteMirror',
      staticPod,
      null,
      { kind: 'replaced', back: { earliest: 0, latest: 2 } },
      'a new mirror with another UID',
    ],
    [
      'a mirror deleted by force',
      'deleteMirror',
      staticPod,
      0,
      { kind: 'replaced', back: { earliest: 0, latest: 91 } },
      'a new mirror with another UID',
    ],
    [
      'a mirror of a killed static pod',
      'deleteMirror',
      { ...staticPod, worker: 'finished', terminationRequested: true, runningContainers: 0 },
      null,
      { kind: 'terminating' },
      'mirror stays Terminating',
    ],
    ['a mirror alone', 'deleteMirror', orphanMirror, null, { kind: 'goes' }, 'mirror gone'],
  ])('%s', (_title, act, facts, seconds, object, outcome) => {
    const forecast = forecastAct(act, facts, seconds)
    expect(forecast.effect.object).toMatchObject(object)
    expect(forecast.outcome).toBe(outcome)
  })

  it('lets containers run where no kubelet sees a deletion, and says until when', () => {
    const stopped = forecastAct('delete', { ...apiPod, kubelet: 'stopped' }, null)
    expect(stopped.effect.containers).toEqual({ kind: 'runOn' })
    expect(stopped).toMatchObject({ marks: [], containersText: 'The containers keep running.' })
    expect(stopped.warnings).toEqual([
      'The containers keep running until the kubelet of the node runs again.',
    ])
  })

  it('warns that a name is free while containers still run', () => {
    expect(forecastAct('forceDelete', apiPod, null).warnings.at(-1)).toMatch(
      /^The name is free while the containers still run/,
    )
  })
})

describe('an eviction through the API', () => {
  const asks = (facts: Partial<ActFacts>) => {
    const { summary, protections } = forecastAct('evictThroughApi', { ...apiPod, ...facts }, null)
    return [summary.split('. ')[0], protections[0]?.value]
  }

  it('says which budget is asked', () => {
    const marks = 'sets the condition DisruptionTarget and deletes the pod'
    expect(asks({})).toEqual([
      `The API server asks the pod’s PodDisruptionBudgets, ${marks}`,
      'asked; 429 if it allows no disruption',
    ])
    expect(asks({ apiPhase: 'Pending', budget: refusing })).toEqual([
      `The API server ${marks}`,
      'not asked: the pod is Pending',
    ])
    expect(asks({ budget: { kind: 'none' } })).toEqual([
      `The API server ${marks}`,
      'none selects this pod',
    ])
    expect(asks({ budget: { kind: 'allows', name: 'guard' } })).toEqual([
      `The API server asks PodDisruptionBudget guard, ${marks}`,
      'guard allows it now',
    ])
  })

  it('that a budget refuses shows code and reason, and that the pod keeps running', () => {
    const forecast = forecastAct('evictThroughApi', { ...apiPod, budget: refusing }, null)
    expect(forecast).toMatchObject({
      isAllowed: true,
      summary:
        'The API server refuses it now (429 TooManyRequests): PodDisruptionBudget guard: it needs 2 healthy pods and has 1. Nothing happens to the pod.',
      marks: [],
      containersText: 'The budget blocks the eviction; the pod keeps running.',
      warnings: [],
      kubectl: { caption: 'the same with kubectl; kubectl drain would ask again every 5 s' },
    })
    expect(forecast.effect.answer).toEqual({
      kind: 'refuses',
      code: 429,
      reason: 'TooManyRequests',
    })
  })

  it('that several budgets select is answered with 500', () => {
    const budget = {
      ...refusing,
      name: 'a and b',
      code: 500,
      why: 'a pod may have only one',
    } as const
    expect(forecastAct('evictThroughApi', { ...apiPod, budget }, null).summary).toBe(
      'The API server refuses it now (500): PodDisruptionBudgets a and b: a pod may have only one. Nothing happens to the pod.',
    )
  })
})

describe('the words of a dialog', () => {
  it('say what a kill does to a static pod and to its mirror', () => {
    expect(forecastAct('kill', staticPod, 5).summary).toBe(
      'Stops the containers on this node; the API server is not asked. A static pod stays stopped until its manifest changes or the kubelet restarts; its mirror stays in the API with phase Running.',
    )
    expect(forecastAct('kill', waitingStatic, null)).toMatchObject({
      marks: [],
      containersText: 'No container runs, so none is stopped.',
      summary:
        'It waits for another pod of its name and has no containers. Killed now, it does not start until its manifest changes or the kubelet restarts.',
    })
  })

  it('name the controller that creates another pod', () => {
    const owned = { ...apiPod, controlledBy: 'ReplicaSet web' }
    expect(forecastAct('kill', owned, 5).summary).toMatch(
      /ReplicaSet web then creates another pod\.$/,
    )
  })

  it('give kubectl lines that can be pasted', () => {
    expect(forecastAct('kill', apiPod, 5).kubectl.line).toBe(
      'kubectl delete pod -n default loud --grace-period=5',
    )
    expect(forecastAct('delete', apiPod, 0).kubectl.line).toBe(
      'kubectl delete pod -n default loud --grace-period=1',
    )
    expect(forecastAct('deleteMirror', staticPod, 0).kubectl.line).toBe(
      'kubectl delete pod -n default web-n --grace-period=0 --force --wait=false',
    )
    expect(forecastAct('evictThroughApi', apiPod, null).kubectl.line).toBe(
      `echo '{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"namespace":"default","name":"loud"}}' | kubectl create --raw /api/v1/namespaces/default/pods/loud/eviction -f -`,
    )
  })

  it('offer a grace only where one is used', () => {
    expect(forecastAct('delete', apiPod, 5)).toMatchObject({
      takesGrace: true,
      confirm: 'Delete, 5 s grace',
    })
    expect(forecastAct('delete', failedPod, null)).toMatchObject({
      takesGrace: false,
      graceSeconds: 0,
      confirm: 'Delete',
    })
  })

  it('show the mirrors on lanes where the kubelet creates another', () => {
    const { lanes, isRestoredByKubelet } = forecastAct('deleteMirror', staticPod, null)
    expect(isRestoredByKubelet).toBe(true)
    expect(lanes?.map(({ label, spans }) => [label, spans.map(({ style }) => style)])).toEqual([
      ['containers', ['runs']],
      ['old mirror', ['expected']],
      ['new mirror', ['expected', 'there']],
    ])
    const cutOff = forecastAct('deleteMirror', { ...staticPod, kubelet: 'cutOff' }, null)
    expect(cutOff).toMatchObject({
      lanes: null,
      warnings: ['No new mirror is created until the node reaches the API server again.'],
    })
    expect(forecastAct('deleteMirror', staticPod, 0).warnings).toEqual([
      'Forced, the kubelet notices it late: for up to 91 s the pod runs and the API server has no object of it.',
    ])
  })
})

describe('a pod of a cluster that is only looked at', () => {
  const seen: ActFacts = { ...apiPod, worker: 'noKubelet', seenIn: 'my prod' }
  const mirror: ActFacts = { ...seen, kind: 'mirror', criticalBecause: 'mirror' }

  it('refuses what no kubelet has a request for, also while changes are not allowed', () => {
    for (const act of ['kill', 'evictByKubelet', 'restartContainer'] as const) {
      const { isAllowed, refusal } = forecastAct(act, { ...seen, readOnly: 'Allow first.' }, null)
      expect(isAllowed).toBe(false)
      expect(refusal).not.toBe('Allow first.')
      expect(refusal).not.toBe('')
    }
    const forecast = forecastAct('delete', { ...seen, readOnly: 'Allow first.' }, null)
    expect(forecast.refusal).toBe('Allow first.')
  })

  it('names the cluster on the button and the context in the line, and says what is not known', () => {
    const { confirm, kubectl, warnings } = forecastAct('delete', seen, null)
    expect(confirm).toBe('Delete, 30 s grace, on my prod')
    expect(kubectl.line).toBe("kubectl --context 'my prod' delete pod -n default loud")
    expect(warnings[0]).toContain('known from the API alone')
    expect(forecastAct('evictThroughApi', seen, null).kubectl.line).toContain(
      "| kubectl --context 'my prod' create --raw",
    )
  })

  it('expects a new mirror from the kubelet, which alone knows the manifest', () => {
    const { summary, effect, warnings } = forecastAct('deleteMirror', mirror, null)
    expect(effect.object.kind).toBe('replaced')
    expect(summary).toContain('The kubelet creates the mirror again.')
    expect(warnings).toEqual([
      'Whether the node still has the manifest, only its kubelet knows: without it, no new mirror is created.',
    ])
  })
})
