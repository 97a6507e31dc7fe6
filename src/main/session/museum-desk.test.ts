import { expect, it } from 'vitest'
import type { ExhibitView } from '../../shared/model/museum.ts'
import type { Result } from '../../shared/result.ts'
import { ok } from '../../shared/result.ts'
import { MuseumDesk } from './museum-desk.ts'
import type { OpenCluster } from './cluster/open-cluster.ts'

const ids = ['a', 'b', 'c', 'd', 'e'] as const

function exhibit(id: string): ExhibitView {
  return { id, title: id, category: 'Manifests', confusion: '', truth: '', sections: [] }
}

/** A museum whose exhibits open at once, and end when the test says so. */
function setUp() {
  const ends: { readonly id: string; readonly resolve: () => void; readonly fail: () => void }[] =
    []
  const seen: string[] = []
  const desk = new MuseumDesk({
    door: {
      exhibits: ids.map(exhibit),
      open: (id): Promise<Result<OpenCluster, string>> => {
        const stop = (): Promise<void> =>
          new Promise((resolve, reject) => {
            ends.push({ id, resolve, fail: () => reject(new Error(`${id} broke`)) })
          })
        // The desk looks at nothing else of a cluster.
        return Promise.resolve(ok({ stop } as OpenCluster))
      },
    },
    onOpen: () => seen.push('opened'),
    onClose: (id) => seen.push(`closed ${id}`),
  })
  return { desk, ends, seen }
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

it('an exhibit that is still being closed counts as one that costs something', async () => {
  const { desk, ends } = setUp()
  for (const id of ids.slice(0, 4)) expect(await desk.open(id)).toMatchObject({ ok: true })
  expect(await desk.open('e')).toMatchObject({ ok: false, error: { kind: 'refused' } })
  const closing = desk.close('gotcha-a')
  await settled()
  expect(await desk.open('e')).toMatchObject({ ok: false, error: { kind: 'refused' } })
  ends[0]?.resolve()
  expect(await closing).toMatchObject({ ok: true })
  expect(await desk.open('e')).toMatchObject({ ok: true })
})

it('the end waits for what is being closed, and closes all the rest at once', async () => {
  const { desk, ends, seen } = setUp()
  for (const id of ['a', 'b', 'c']) await desk.open(id)
  void desk.close('gotcha-a')
  await settled()
  let hasEnded = false
  const stopped = desk.stop().then(() => {
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
  expect(await desk.open('a')).toMatchObject({ ok: false, error: { kind: 'not-found' } })
})

it('one that breaks at its end does not keep the others from theirs', async () => {
  const { desk, ends } = setUp()
  for (const id of ['a', 'b']) await desk.open(id)
  const stopped = desk.stop()
  const told = stopped.catch((error: unknown) => String(error))
  await settled()
  ends[0]?.fail()
  ends[1]?.resolve()
  expect(await told).toBe('Error: a broke')
  expect(ends.map(({ id }) => id)).toEqual(['a', 'b'])
})
