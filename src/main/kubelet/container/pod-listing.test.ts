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
})
