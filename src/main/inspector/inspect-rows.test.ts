import { describe, expect, it } from 'vitest'
import type { ContainerState, ContainerStatus, Pod } from '../../shared/kubernetes/objects.ts'
import { ended, fakePodOf, readAt, runs } from '../../shared/model/inspect/fake-evidence.ts'
import type { NodeEvidence } from '../../shared/model/inspect/join-evidence.ts'
import { inspectRows } from './inspect-rows.ts'

function status(name: string, state: ContainerState, ready = false): ContainerStatus {
  return { name, state, ready, restartCount: 0, image: '', imageID: '' }
}

const up: ContainerState = { running: { startedAt: '2026-11-24T14:00:00Z' } }

/** RUNNING of a pod with these statuses, of which /runningpods has the named containers. */
function squares(
  statuses: readonly ContainerStatus[] | null,
  names: readonly string[] | null,
): readonly string[] | undefined {
  const pod = fakePodOf({ spec: { containers: (statuses ?? []).map(({ name }) => ({ name })) } })
  const told: Pod = { ...pod, status: { ...pod.status, containerStatuses: statuses ?? [] } }
  const evidence: NodeEvidence = {
    api: { value: [pod], at: readAt },
    told: { value: statuses === null ? [] : [told], at: readAt },
    running: names === null ? null : { value: [{ ...runs, containers: names }], at: readAt },
    kubelet: 'answers',
    apiAwaySince: null,
    lease: { value: readAt, at: readAt },
    leaseDurationMs: 40_000,
    events: new Map(),
    sightings: new Map(),
  }
  const [row] = inspectRows(evidence, readAt)
  return row?.running?.map(({ name, state }) => `${name} ${state}`)
}

describe('RUNNING', () => {
  it('has the containers of /runningpods, with the readiness of the status', () => {
    const statuses = [status('a', up, true), status('b', up)]
    expect(squares(statuses, ['a', 'b'])).toEqual(['a running', 'b notready'])
  })

  it('has what the status says of containers that do not run', () => {
    const backOff = { waiting: { reason: 'CrashLoopBackOff' } }
    const statuses = [
      status('a', ended(10)),
      status('b', ended(10, 1)),
      status('c', backOff),
      status('d', { waiting: { reason: 'ContainerCreating' } }),
    ]
    expect(squares(statuses, [])).toEqual(['a exited', 'b down', 'c down', 'd waiting'])
  })

  it('leaves out what runs by an old status alone', () => {
    expect(squares([status('a', up, true), status('b', ended(10))], [])).toEqual(['b exited'])
  })

  it('does not say that a container is ready if no status says so', () => {
    expect(squares([status('a', ended(10))], ['a'])).toEqual(['a up'])
    expect(squares(null, ['a'])).toEqual(['a up'])
  })

  it('is not there where /runningpods was not read', () => {
    expect(squares([status('a', up, true)], null)).toBeUndefined()
  })
})
