import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { containerStatusOf, sandboxOf } from './fake-pods.ts'
import { PodListing } from './pod-listing.ts'

const sandbox = sandboxOf()
const container = containerStatusOf('c', 'running', {
  labels: { 'io.kubernetes.pod.uid': 'u' },
})

describe('PodListing', () => {
  it('gives the very same answer while the runtime lists the very same objects', () => {
    const listing = new PodListing()
    const pods = listing.podsOf([sandbox], [container])
    expect(pods).toMatchObject([{ uid: 'u', containers: [container], sandboxes: [sandbox] }])
    expect(listing.podsOf([sandbox], [container])).toBe(pods)
  })

  it('looks again at what was replaced, added or removed', () => {
    const listing = new PodListing()
    listing.podsOf([sandbox], [container])
    const exited = { ...container, state: 'exited' } as const
    expect(listing.podsOf([sandbox], [exited])[0]?.containers).toEqual([exited])
    const notReady = sandboxOf({ state: 'notready' })
    expect(listing.podsOf([notReady], [exited])[0]?.sandboxes).toEqual([notReady])
    expect(listing.podsOf([notReady], [])[0]?.containers).toEqual([])
    expect(listing.podsOf([], [])).toEqual([])
  })

  it('shares equal pods of a wider listing', () => {
    const wider = new PodListing()
    const listing = new PodListing(wider)
    const [pod] = wider.podsOf([sandbox], [container])
    expect(listing.podsOf([sandbox], [container])[0]).toBe(pod)
    const other = listing.podsOf([sandbox], [])
    expect(other[0]?.containers).toEqual([])
  })

  it('shares them too when the wider listing comes later', () => {
    const wider = new PodListing()
    const listing = new PodListing(wider)
    const first = listing.podsOf([sandbox], [container])
    const [pod] = wider.podsOf([sandbox], [container])
    expect(first[0]).not.toBe(pod)
    const shared = listing.podsOf([sandbox], [container])
    expect(shared[0]).toBe(pod)
    expect(listing.podsOf([sandbox], [container])).toBe(shared)
  })

  it('says after any changes what a new listing says', () => {
    const edit = fc.record({
      at: fc.nat(20),
      removed: fc.nat(1),
      added: fc.array(item, { maxLength: 1 }),
    })
    fc.assert(
      fc.property(
        fc.array(item, { maxLength: 16 }),
        fc.array(edit, { maxLength: 20 }),
        (of, edits) => {
          const listing = new PodListing()
          const listed = of.map((one) => runtimeObjects(one))
          const isSameAsNew = (): void => {
            const sandboxes = listed.flatMap((one) => one.sandboxes)
            const containers = listed.flatMap((one) => one.containers)
            expect(byUid(listing.podsOf(sandboxes, containers))).toEqual(
              byUid(new PodListing().podsOf(sandboxes, containers)),
            )
          }
          isSameAsNew()
          for (const { at, removed, added } of edits) {
            listed.splice(at, removed, ...added.map((one) => runtimeObjects(one)))
            isSameAsNew()
          }
        },
      ),
    )
  })
})

const item = fc.record({
  uid: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  isSandbox: fc.boolean(),
  createdAt: fc.integer({ min: 1, max: 3 }),
  runs: fc.boolean(),
})

type Item = typeof item extends fc.Arbitrary<infer T> ? T : never

function runtimeObjects({ uid, isSandbox, createdAt, runs }: Item) {
  if (!isSandbox) {
    const labels = { 'io.kubernetes.pod.uid': uid }
    const state = runs ? 'running' : 'exited'
    return { sandboxes: [], containers: [containerStatusOf('c', state, { labels, createdAt })] }
  }
  const metadata = { name: uid, uid, namespace: 'n', attempt: 0 }
  const state = runs ? 'ready' : 'notready'
  return { sandboxes: [sandboxOf({ createdAt, state, metadata })], containers: [] }
}

/** Pods that were made at the same time have no order. */
function byUid(pods: ReturnType<PodListing['podsOf']>): typeof pods {
  expect(pods.map(({ createdAt }) => createdAt)).toEqual(
    pods.map(({ createdAt }) => createdAt).toSorted((a, b) => b - a),
  )
  return pods.toSorted((a, b) => a.uid.localeCompare(b.uid))
}
