import { describe, expect, it } from 'vitest'
import { fakePodOf } from './fake-evidence.ts'
import { mirrorPairs, uidTranslation } from './mirror-pairs.ts'

const source = 'kubernetes.io/config.source'
const hash = 'kubernetes.io/config.hash'
const mirrorOf = 'kubernetes.io/config.mirror'

const staticPod = fakePodOf({ uid: 'hash-2', annotations: { [source]: 'file', [hash]: 'hash-2' } })
const mirror = (of: string, more: object = {}) =>
  fakePodOf({
    uid: 'mirror',
    annotations: { [source]: 'file', [hash]: of, [mirrorOf]: of },
    ...more,
  })
const ordinary = fakePodOf({ uid: 'api', annotations: { [source]: 'api' } })

describe('the pairs of static pods and mirrors', () => {
  it.each([
    ['matches by hash', [mirror('hash-2')], [staticPod], 'matched hash-2 mirror'],
    [
      'is stale with the hash of another version',
      [mirror('hash-1')],
      [staticPod],
      'stale hash-2 mirror',
    ],
    [
      'is being deleted',
      [mirror('hash-2', { deletedAgo: 1 })],
      [staticPod],
      'deleting hash-2 mirror',
    ],
    ['is missing', [], [staticPod], 'missing hash-2 null'],
    [
      'is orphaned: the kubelet has no such static pod',
      [mirror('hash-1')],
      [ordinary],
      'orphan hash-1 mirror',
    ],
    ['is not known without the kubelet', [mirror('hash-1')], null, 'notKnown hash-1 mirror'],
  ])('one %s', (_case, inApi, told, expected) => {
    const [pair, ...rest] = mirrorPairs(inApi, told)
    expect(`${pair?.state} ${pair?.staticUid} ${pair?.mirrorUid}`).toBe(expected)
    expect(rest).toEqual([])
  })

  it('leave out ordinary pods', () => {
    expect(mirrorPairs([ordinary], [ordinary])).toEqual([])
  })

  it('translate UIDs both ways, of stale ones too', () => {
    const { toStatic, toMirror } = uidTranslation(mirrorPairs([mirror('hash-1')], [staticPod]))
    expect([toStatic.get('mirror'), toMirror.get('hash-2')]).toEqual(['hash-2', 'mirror'])
    expect(toStatic.get('api')).toBeUndefined()
  })
})
