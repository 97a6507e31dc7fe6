import { describe, expect, it } from 'vitest'
import type { ActFacts, ContainerActFacts } from '../act.ts'
import { startedReadOnly } from './read-only.ts'
import { apiPod, container, staticPod } from './fake-act-facts.ts'
import { forecastAct } from './forecast.ts'

function forecast(
  part: Partial<ContainerActFacts>,
  seconds: number | null = null,
  facts: Partial<ActFacts> = {},
) {
  const pod = { ...apiPod, ...facts, containers: [{ ...container, ...part }] }
  return forecastAct('restartContainer', pod, seconds, 'c')
}

const never: Partial<ContainerActFacts> = {
  restartPolicy: 'Never',
  after: {
    exitZero: { next: 'podEnds', phase: 'Succeeded' },
    failed: { next: 'podEnds', phase: 'Failed' },
  },
}
const onFailure: Partial<ContainerActFacts> = {
  restartPolicy: 'OnFailure',
  after: {
    exitZero: { next: 'podEnds', phase: 'Succeeded' },
    failed: { next: 'restarts', phase: 'Running' },
  },
}

describe('the restart of a container (termination#stopped-at-the-runtime)', () => {
  it('stops it at the runtime, and the kubelet starts it again', () => {
    expect(forecast({}, 5)).toMatchObject({
      isAllowed: true,
      effect: {
        answer: { kind: 'notAsked' },
        object: { kind: 'stays', ends: [{ phase: 'Running', reason: '' }] },
        containers: { kind: 'stopOne', name: 'c', earliest: 0, latest: 5 },
        startsAgain: true,
        restart: {
          after: { exitZero: 'restarts', failed: 'restarts' },
          wait: { earliest: 0, latest: 5 },
          restarts: 1,
        },
      },
      confirm: 'Stop c, 5 s grace',
      kubectl: { line: 'crictl stop --timeout 5 12ab' },
      marks: [
        { atSeconds: 0, label: 'SIGTERM' },
        { atSeconds: 5, label: 'SIGKILL' },
        { label: 'starts again' },
      ],
    })
  })

  it('takes the grace period of the pod where none is asked for, and 0 as SIGKILL at once', () => {
    expect(forecast({}).graceSeconds).toBe(30)
    expect(forecast({}, 0)).toMatchObject({
      effect: { containers: { latest: 0 } },
      confirm: 'Stop c with SIGKILL',
      marks: [{ label: 'SIGKILL', atSeconds: 0 }, { label: 'starts again' }],
    })
  })

  it('says which phase a pod ends with that starts nothing again', () => {
    const { effect, summary, outcome } = forecast(never)
    expect(effect.object).toEqual({
      kind: 'stays',
      ends: [
        { phase: 'Failed', reason: '' },
        { phase: 'Succeeded', reason: '' },
      ],
      isSure: true,
    })
    expect(summary).toContain(
      'With restartPolicy Never it does not start again, and the pod ends: Failed or, after exit 0, Succeeded.',
    )
    expect(outcome).toBe('object stays: Failed, or Succeeded if every container exits 0')
    expect(forecast(never, 0).effect.object).toMatchObject({
      ends: [{ phase: 'Failed', reason: '' }],
    })
  })

  it('depends on the exit code with OnFailure', () => {
    expect(forecast(onFailure).summary).toContain('unless it exits 0: then it stays Completed')
  })

  it.each([
    [
      { seconds: 20, expiresInSeconds: 500 },
      { earliest: 20, latest: 37 },
    ],
    [
      { seconds: 20, expiresInSeconds: 10 },
      { earliest: 0, latest: 37 },
    ],
    [
      { seconds: 20, expiresInSeconds: 0 },
      { earliest: 0, latest: 5 },
    ],
  ])('waits for the back-off %o', (backOff, wait) => {
    expect(forecast({ backOff }).effect.restart?.wait).toEqual(wait)
  })

  it('does not know when it runs again if its image is pulled first', () => {
    expect(forecast({ isPulledAgain: true }).effect.restart?.wait.latest).toBeNull()
  })

  it('starts nothing again without a kubelet, or in a pod that is being stopped', () => {
    const stopped = forecast({}, 5, { kubelet: 'stopped' })
    expect(stopped.effect).toMatchObject({
      object: { kind: 'unchanged' },
      startsAgain: false,
      restart: { after: { exitZero: 'stays', failed: 'stays' } },
    })
    expect(stopped.summary).toContain('nothing starts it again until one does')
    const ending = forecast({}, 20, {
      worker: 'TerminatingPod',
      terminationRequested: true,
      deletionTimestamp: '2026-01-01T00:00:00Z',
      sigkillInSeconds: 12,
    })
    expect(ending.effect).toMatchObject({
      object: { kind: 'goes', after: { earliest: 0 } },
      containers: { latest: 12 },
      startsAgain: false,
    })
  })

  it('leaves the API object of a node that is cut off', () => {
    expect(forecast({}, 5, { kubelet: 'cutOff' }).effect).toMatchObject({
      object: { kind: 'unchanged' },
      startsAgain: true,
      restart: { after: { failed: 'restarts' } },
    })
  })

  it('is the same for a static pod, whose missing mirror comes back with the sync', () => {
    expect(forecast({}, 5, staticPod).outcome).toBe('mirror stays: Running')
    expect(forecast({}, 5, { ...staticPod, hasApiObject: false }).effect.object).toMatchObject({
      kind: 'replaced',
      back: { latest: 10 },
    })
  })

  it('names what the runtime skips and what begins again', () => {
    const { warnings } = forecast({ hasPreStop: true, probes: ['startup', 'liveness'] })
    expect(warnings).toContain('Its preStop hook does not run: only the kubelet runs hooks.')
    expect(warnings).toContain(
      'The pod is not Ready until the container runs again and its startup probe has succeeded; all its probes begin again.',
    )
  })

  it('takes an init container that exits 0 for completed', () => {
    const { summary, effect } = forecast({
      kind: 'init',
      after: {
        exitZero: { next: 'startsNext', phase: null },
        failed: { next: 'restarts', phase: 'Pending' },
      },
    })
    expect(summary).toContain('takes the init container for completed and starts the next one')
    expect(effect.object).toMatchObject({ kind: 'stays', ends: [] })
  })

  it.each<readonly [Partial<ContainerActFacts>, Partial<ActFacts>, string]>([
    [
      { isRunning: false, state: 'waiting: CrashLoopBackOff, last exit 1' },
      {},
      'Container c is not running (waiting: CrashLoopBackOff, last exit 1), so there is nothing to stop.',
    ],
    [{}, { runtime: 'off' }, 'The machine is off, so none of its containers runs.'],
    [
      {},
      { runtime: 'down' },
      'The container runtime is unreachable, so it cannot stop a container.',
    ],
    [{}, { runtime: 'hangs' }, 'Calls of the container runtime hang, so it would not answer.'],
    [{}, { worker: 'noKubelet' }, 'No kubelet has this pod, so none of its containers runs.'],
    [{}, { readOnly: startedReadOnly }, startedReadOnly],
    [{ name: 'other' }, {}, 'The pod has no container of this name.'],
  ])('is refused: %o %o', (part, facts, refusal) => {
    expect(forecast(part, 5, facts)).toMatchObject({ isAllowed: false, refusal })
  })
})
