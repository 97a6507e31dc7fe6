import { describe, expect, it } from 'vitest'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { KnownPods } from './known-pods.ts'

function podOf(uid: string, name = uid): Pod {
  return { metadata: { uid, name, namespace: 'a' }, spec: { containers: [] } }
}

/** What a snapshot brings that was not known before, by UID; all of it is put. */
function taken(known: KnownPods, pods: readonly Pod[]): readonly string[] {
  const others = known.takeSnapshot(pods.map((pod) => ({ pod })))
  for (const { pod } of others) known.put(pod, pod)
  known.removeMissing()
  return others.map(({ pod }) => pod.metadata.uid)
}

describe('KnownPods', () => {
  it('takes the same objects as known at whatever place they are', () => {
    const known = new KnownPods()
    const [a, b, c] = [podOf('a'), podOf('b'), podOf('c')]
    expect(taken(known, [a, b, c])).toEqual(['a', 'b', 'c'])
    expect(taken(known, [a, b, c])).toEqual([])
    expect(taken(known, [c, a])).toEqual([])
    expect(known.size).toBe(2)
    expect(taken(known, [b, a, c])).toEqual(['b'])
    expect(taken(known, [b, a, c])).toEqual([])
    expect(known.size).toBe(3)
  })

  it('looks again at a pod that was excluded, at the same place', () => {
    const known = new KnownPods()
    const [a, b] = [podOf('a'), podOf('b')]
    taken(known, [a, b])
    known.takeSnapshot([{ pod: a }, { pod: b }])
    const excluded = known.get('b')
    if (excluded !== undefined) known.exclude(excluded)
    expect(known.removeMissing().map(({ pod }) => pod.metadata.uid)).toEqual(['b'])
    expect(taken(known, [a, b])).toEqual(['b'])
  })

  it('knows a pod whose uid two pods of the snapshot before had', () => {
    const known = new KnownPods()
    const [a, other] = [podOf('a', 'one'), podOf('a', 'two')]
    taken(known, [a])
    expect(taken(known, [a, other])).toEqual(['a', 'a'])
    expect(known.hasDuplicateUids).toBe(true)
    expect(taken(known, [other])).toEqual([])
    expect(known.removeMissing()).toEqual([])
    expect(known.size).toBe(1)
  })
})
