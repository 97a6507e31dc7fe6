import { expect, it } from 'vitest'
import type { Result } from '../../../shared/result.ts'
import { ok } from '../../../shared/result.ts'
import type { OpenCluster } from '../cluster/open-cluster.ts'
import { OpenScenarios } from './open-scenarios.ts'

const ids = ['a', 'b', 'c', 'd', 'e'] as const

/** Scenarios that open at once and stop when the test says so. */
function setUp() {
  const ends: { readonly id: string; readonly resolve: () => void; readonly fail: () => void }[] =
    []
  const seen: string[] = []
  const scenarios = new OpenScenarios({
    onOpen: () => seen.push('opened'),
    onClose: (id) => seen.push(`closed ${id}`),
  })
  const open = (id: string) =>
    scenarios.open(id, (): Promise<Result<OpenCluster, string>> => {
      const stop = (): Promise<void> =>
        new Promise((resolve, reject) => {
          ends.push({ id, resolve, fail: () => reject(new Error(`${id} broke`)) })
        })
      // OpenScenarios reads nothing else of a cluster.
      return Promise.resolve(ok({ stop } as OpenCluster))
    })
  return { scenarios, open, ends, seen }
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

it('a scenario that is closing counts as open', async () => {
  const { scenarios, open, ends } = setUp()
  for (const id of ids.slice(0, 4)) expect(await open(id)).toMatchObject({ ok: true })
  expect(await open('e')).toMatchObject({ ok: false, error: { kind: 'refused' } })
  const closing = scenarios.close('a')
  await settled()
  expect(await open('e')).toMatchObject({ ok: false, error: { kind: 'refused' } })
  ends[0]?.resolve()
  expect(await closing).toMatchObject({ ok: true })
  expect(await open('e')).toMatchObject({ ok: true })
})

it('answers not-found for a scenario that is closed while it opens', async () => {
  const { scenarios, open, ends } = setUp()
  const opening = open('a')
  const closing = scenarios.close('a')
  expect(await opening).toMatchObject({ ok: false, error: { kind: 'not-found' } })
  await settled()
  ends[0]?.resolve()
  expect(await closing).toMatchObject({ ok: true })
  expect(scenarios.isTaken('a')).toBe(false)
})

it('stop waits for scenarios that are closing, and closes the others at the same time', async () => {
  const { scenarios, open, ends, seen } = setUp()
  for (const id of ['a', 'b', 'c']) await open(id)
  void scenarios.close('a')
  await settled()
  let hasEnded = false
  const stopped = scenarios.stop().then(() => {
    hasEnded = true
  })
  await settled()
  expect(ends.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  ends[1]?.resolve()
  ends[2]?.resolve()
  await settled()
  expect(hasEnded).toBe(false)
  ends[0]?.resolve()
  await stopped
  expect(seen.filter((line) => line !== 'opened')).toEqual(['closed a', 'closed b', 'closed c'])
  expect(await open('a')).toMatchObject({ ok: false, error: { kind: 'refused' } })
})

it('stop closes all scenarios even if one of them throws', async () => {
  const { scenarios, open, ends } = setUp()
  for (const id of ['a', 'b']) await open(id)
  const stopped = scenarios.stop()
  const error = stopped.catch(String)
  await settled()
  ends[0]?.fail()
  ends[1]?.resolve()
  expect(await error).toBe('Error: a broke')
  expect(ends.map(({ id }) => id)).toEqual(['a', 'b'])
})
