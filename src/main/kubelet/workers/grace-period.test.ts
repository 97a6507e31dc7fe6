import { describe, expect, it } from 'vitest'
import { fakePod } from '../pod/fake-pod.ts'
import { effectiveGracePeriod } from './grace-period.ts'

interface Case {
  readonly recorded?: number
  readonly spec?: number
  readonly deletion?: number
  readonly override?: number
  readonly seconds: number
  readonly isChanged?: boolean
}

function podWith({ spec, deletion }: Case) {
  const pod = fakePod({
    metadata: deletion === undefined ? {} : { deletionGracePeriodSeconds: deletion },
  })
  const { terminationGracePeriodSeconds: _, ...rest } = pod.spec
  return {
    ...pod,
    spec: spec === undefined ? rest : { ...rest, terminationGracePeriodSeconds: spec },
  }
}

describe('effectiveGracePeriod (semantics 4.6)', () => {
  it.each<Case>([
    { spec: 30, seconds: 30 },
    { spec: 30, deletion: 10, seconds: 10 },
    { spec: 30, override: 5, seconds: 5 },
    { spec: 30, deletion: 0, seconds: 1 },
    { spec: 30, override: 0, seconds: 1 },
    { spec: 30, deletion: 60, seconds: 60 },
    { spec: 30, override: 60, seconds: 60 },
    { spec: 30, deletion: 10, override: 5, seconds: 5 },
    { spec: 30, deletion: 5, override: 10, seconds: 5 },
    { spec: 0, seconds: 1 },
    { seconds: 1 },
    // 0 also means "unset" on the way: the override is taken although the deletion asked for less.
    { spec: 30, deletion: 0, override: 10, seconds: 10 },
    // Less than nothing is nothing, but not "unset".
    { spec: 30, deletion: -1, override: 10, seconds: 1 },
    { spec: -1, seconds: 1 },
    // Recorded already: the spec no longer counts, and deletion and override can only shorten it.
    { recorded: 30, spec: 30, seconds: 30 },
    { recorded: 30, spec: 5, seconds: 30 },
    { recorded: 30, spec: 30, override: 1, seconds: 1, isChanged: true },
    { recorded: 30, spec: 30, deletion: 30, override: 1, seconds: 1, isChanged: true },
    { recorded: 30, spec: 30, deletion: 0, seconds: 1, isChanged: true },
    { recorded: 30, spec: 30, override: 31, seconds: 30 },
    { recorded: 30, spec: 30, override: 30, seconds: 30 },
    { recorded: 1, spec: 30, deletion: 0, seconds: 1 },
    // But "unset" lets it grow again.
    { recorded: 1, spec: 30, deletion: 0, override: 30, seconds: 30, isChanged: true },
    { recorded: 20, spec: 30, deletion: 0, override: 30, seconds: 30, isChanged: true },
    { recorded: 20, spec: 30, deletion: 0, override: 20, seconds: 20 },
    { recorded: 20, spec: 30, deletion: 0, override: 10, seconds: 10, isChanged: true },
    { recorded: 10, spec: 30, deletion: 8, override: 9, seconds: 8, isChanged: true },
  ])('%o', (one) => {
    expect(effectiveGracePeriod(one.recorded ?? 0, podWith(one), one.override)).toEqual({
      seconds: one.seconds,
      isChanged: one.isChanged ?? false,
    })
  })
})
