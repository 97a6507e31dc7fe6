import { expect, it } from 'vitest'
import type { GotchaView } from '../../shared/model/gotcha.ts'
import type { Result } from '../../shared/result.ts'
import { ok } from '../../shared/result.ts'
import { OpenGotchas } from './open-gotchas.ts'
import type { OpenCluster } from './cluster/open-cluster.ts'

const ids = ['a', 'b', 'c', 'd', 'e'] as const

function gotcha(id: string): GotchaView {
  return { id, title: id, category: 'Manifests', confusion: '', truth: '', sections: [] }
}

/** Gotchas that open at once and stop when the test says so. */
function setUp() {
  const ends: { readonly id: string; readonly resolve: () => void; readonly fail: () => void }[] =
    []
  const seen: string[] = []
  const gotchas = new OpenGotchas({
    opener: {
      gotchas: ids.map(gotcha),
      open: (id): Promise<Result<OpenCluster, string>> => {
        const stop = (): Promise<void> =>
          new Promise((resolve, reject) => {
            ends.push({ id, resolve, fail: () => reject(new Error(`${id} broke`)) })
          })
        // OpenGotchas reads nothing else of a cluster.
        return Promise.resolve(ok({ stop } as OpenCluster))
      },
    },
    onOpen: () => seen.push('opened'),
    onClose: (id) => seen.push(`closed ${id}`),
  })
  return { gotchas, ends, seen }
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

it('a gotcha that is closing counts as open', async () => {
  const { gotchas, ends } = setUp()
  for (const id of ids.slice(0, 4)) expect(await gotchas.open(id)).toMatchObject({ ok: true })
  expect(await gotchas.open('e')).toMatchObject({ ok: false, error: { kind: 'refused' } })
  const closing = gotchas.close('gotcha-a')
  await settled()
  expect(await gotchas.open('e')).toMatchObject({ ok: false, error: { kind: 'refused' } })
  ends[0]?.resolve()
  expect(await closing).toMatchObject({ ok: true })
  expect(await gotchas.open('e')).toMatchObject({ ok: true })
})

it('stop waits for gotchas that are closing, and closes the others at the same time', async () => {
  const { gotchas, ends, seen } = setUp()
  for (const id of ['a', 'b', 'c']) await gotchas.open(id)
  void gotchas.close('gotcha-a')
  await settled()
  let hasEnded = false
  const stopped = gotchas.stop().then(() => {
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
  expect(seen.filter((line) => line !== 'opened')).toEqual([
    'closed gotcha-a',
    'closed gotcha-b',
    'closed gotcha-c',
  ])
  expect(await gotchas.open('a')).toMatchObject({ ok: false, error: { kind: 'not-found' } })
})

it('stop closes all gotchas even if one of them throws', async () => {
  const { gotchas, ends } = setUp()
  for (const id of ['a', 'b']) await gotchas.open(id)
  const stopped = gotchas.stop()
  const error = stopped.catch(String)
  await settled()
  ends[0]?.fail()
  ends[1]?.resolve()
  expect(await error).toBe('Error: a broke')
  expect(ends.map(({ id }) => id)).toEqual(['a', 'b'])
})
