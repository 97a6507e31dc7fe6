import { describe, expect, it } from 'vitest'
import { fakeRow } from '../../bridge/fake-views.ts'
import { fakeOwner } from '../../bridge/fake-workloads.ts'
import { hasName, isSameOwnership, isUnready, ownedPods, ownerTrees } from './owner-tree.ts'

const web = fakeOwner({ name: 'web' })
const set = fakeOwner({ kind: 'ReplicaSet', name: 'web-5b8f', parent: web.uid })
const old = fakeOwner({ kind: 'ReplicaSet', name: 'web-1111', parent: web.uid, wanted: 0 })
const rows = [
  fakeRow({ name: 'web-5b8f-b', owner: set.uid }),
  fakeRow({ name: 'web-5b8f-a', owner: set.uid }),
  fakeRow({ name: 'alone' }),
  fakeRow({ name: 'other', cluster: 'gotcha' }),
  fakeRow({ name: 'etcd', kind: 'static' }),
]

describe('the owners of pods', () => {
  const pods = ownedPods(rows, 'sandbox')

  it('have their pods by name; those of other clusters and of nodes are left out', () => {
    expect([...pods].map(([owner, keys]) => [owner, keys.length])).toEqual([
      [set.uid, 2],
      ['', 1],
    ])
    expect(pods.get(set.uid)?.[0]).toContain('web-5b8f-a')
  })

  it('stand above each other, without the ReplicaSets that are only kept for undo', () => {
    const [tree, ...rest] = ownerTrees([web, set, old], pods)
    expect(rest).toEqual([])
    expect(tree).toMatchObject({ owner: web, oldSets: 1, children: [{ owner: set }] })
  })

  it('stand for themselves if their own owner is not known', () => {
    expect(ownerTrees([set], pods).map(({ owner }) => owner.name)).toEqual(['web-5b8f'])
  })

  it('are found by name, kind, namespace and by what they own', () => {
    const [tree] = ownerTrees([web, set], pods)
    if (tree === undefined) throw new Error('no tree')
    for (const typed of ['WEB', '5b8f', 'deployment', 'default/', ' '])
      expect(hasName(tree, typed)).toBe(true)
    expect(hasName(tree, 'api')).toBe(false)
  })

  it('are unready if they wait or cannot go on', () => {
    const tones = ['plain', 'wait', 'bad', 'done'] as const
    const unready = tones.filter((tone) => isUnready({ owner: fakeOwner({ name: 'a', tone }) }))
    expect(unready).toEqual(['wait', 'bad'])
  })

  it('are drawn again only if a pod came, went or moved', () => {
    expect(isSameOwnership(pods, ownedPods(rows, 'sandbox'))).toBe(true)
    expect(isSameOwnership(pods, ownedPods(rows.slice(1), 'sandbox'))).toBe(false)
  })
})
