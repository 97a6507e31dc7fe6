import { describe, expect, it } from 'vitest'
import { fakeMirrorOf, fakePod, fakeStaticPod } from './fake-pod.ts'
import { FakeTrace } from '../container/fake-trace.ts'
import { buildPodFullName } from './identity.ts'
import { PodManager } from './pod-manager.ts'

function setUp() {
  const trace = new FakeTrace()
  const manager = new PodManager({ trace })
  return { trace, manager }
}

const regular = fakePod({ name: 'a', uid: 'a-uid' })
const staticPod = fakeStaticPod({ uid: 'h1' })
const mirror = fakeMirrorOf(staticPod, { uid: 'm1' })

describe('PodManager', () => {
  it('finds regular and static pods by uid, full name and name, and never a mirror', () => {
    const { manager } = setUp()
    for (const pod of [regular, staticPod, mirror]) manager.addPod(pod, [])
    expect(manager.getPods()).toEqual([regular, staticPod])
    expect(manager.getPodByUID('a-uid')).toBe(regular)
    expect(manager.getPodByUID('h1')).toBe(staticPod)
    expect(manager.getPodByUID('m1')).toBeUndefined()
    expect(manager.getPodByFullName(buildPodFullName('web-node', 'default'))).toBe(staticPod)
    expect(manager.getPodByName('default', 'a')).toBe(regular)
    expect(manager.getPodByName('other', 'a')).toBeUndefined()
  })

  it('pairs a static pod and its mirror whichever comes first', () => {
    for (const order of [
      [staticPod, mirror],
      [mirror, staticPod],
    ]) {
      const { manager, trace } = setUp()
      for (const pod of order) manager.addPod(pod, [])
      expect(manager.getMirrorPodByPod(staticPod)).toBe(mirror)
      expect(manager.getPodByMirrorPod(mirror)).toBe(staticPod)
      expect(manager.translatePodUID('m1')).toBe('h1')
      expect(manager.translatePodUID('h1')).toBe('h1')
      expect(trace.data('uid.linked')).toEqual([{ mirrorUid: 'm1', staticUid: 'h1' }])
    }
  })

  it('answers with the complement of a pod, and with the given object itself', () => {
    const { manager } = setUp()
    manager.addPod(staticPod, [])
    manager.addPod(mirror, [])
    const newer = fakeMirrorOf(staticPod, { uid: 'm1', status: { phase: 'Running' } })
    expect(manager.getPodAndMirrorPod(newer)).toEqual({
      pod: staticPod,
      mirrorPod: newer,
      wasMirror: true,
    })
    expect(manager.getPodAndMirrorPod(staticPod)).toEqual({
      pod: staticPod,
      mirrorPod: mirror,
      wasMirror: false,
    })
    expect(manager.getPodAndMirrorPod(regular)).toEqual({
      pod: regular,
      mirrorPod: undefined,
      wasMirror: false,
    })
    manager.removePod(staticPod, [])
    expect(manager.getPodAndMirrorPod(mirror)).toEqual({
      pod: undefined,
      mirrorPod: mirror,
      wasMirror: true,
    })
  })

  it('gives a regular pod of that name a mirror too: pairs go by name alone', () => {
    const { manager } = setUp()
    const namesake = fakePod({ name: 'web-node', uid: 'r1' })
    manager.addPod(mirror, [])
    manager.addPod(namesake, [])
    expect(manager.getMirrorPodByPod(namesake)).toBe(mirror)
    expect(manager.getPodsAndMirrorPods().orphanedMirrorPodFullNames).toEqual([])
  })

  it('names mirrors without a pod of their name as orphans', () => {
    const { manager } = setUp()
    manager.addPod(mirror, [])
    manager.addPod(regular, [])
    expect(manager.getPodsAndMirrorPods()).toEqual({
      allPods: [regular],
      allMirrorPods: [mirror],
      orphanedMirrorPodFullNames: ['web-node_default'],
    })
    manager.addPod(staticPod, [])
    expect(manager.getPodsAndMirrorPods().orphanedMirrorPodFullNames).toEqual([])
  })

  it('translates an empty uid to itself and leaves unknown ones alone', () => {
    const { manager } = setUp()
    expect(manager.translatePodUID('')).toBe('')
    expect(manager.translatePodUID('x')).toBe('x')
  })

  it('lists static pods without a mirror with an empty uid', () => {
    const { manager } = setUp()
    const lonely = fakeStaticPod({ name: 'lonely', uid: 'h2' })
    for (const pod of [staticPod, mirror, lonely, regular]) manager.addPod(pod, [])
    const { podToMirror, mirrorToPod } = manager.getUIDTranslations()
    expect([...podToMirror]).toEqual([
      ['h1', 'm1'],
      ['h2', ''],
    ])
    expect([...mirrorToPod]).toEqual([['m1', 'h1']])
    expect([...manager.getStaticPodToMirrorPodMap()]).toEqual([
      [staticPod, mirror],
      [lonely, undefined],
    ])
  })

  it('has new translations after every coming and going, also when somebody asked for them on the way', () => {
    const trace = new FakeTrace()
    const manager = new PodManager({
      trace: {
        emit: (input) => {
          manager.getUIDTranslations()
          return trace.emit(input)
        },
      },
    })
    const seen = [
      () => manager.addPod(staticPod, []),
      () => manager.addPod(mirror, []),
      () => manager.removePod(mirror, []),
      () => manager.removePod(staticPod, []),
      () => manager.setPods([staticPod, mirror], []),
      () => manager.setPods([regular], []),
    ].map((act) => {
      act()
      return Object.fromEntries(manager.getUIDTranslations().podToMirror)
    })
    expect(seen).toEqual([{ h1: '' }, { h1: 'm1' }, { h1: '' }, {}, { h1: 'm1' }, {}])
  })

  describe('keeps the asymmetries of semantics 2.5:', () => {
    it('removing the static pod leaves its link until the mirror goes', () => {
      const { manager, trace } = setUp()
      manager.addPod(staticPod, [])
      manager.addPod(mirror, [])
      manager.removePod(staticPod, [])
      expect(manager.translatePodUID('m1')).toBe('h1')
      expect([...manager.getUIDTranslations().podToMirror]).toEqual([['h1', 'm1']])
      expect(trace.data('uid.unlinked')).toEqual([])
      manager.removePod(mirror, [])
      expect(manager.translatePodUID('m1')).toBe('m1')
      expect(manager.getUIDTranslations().podToMirror.size).toBe(0)
      expect(trace.data('uid.unlinked')).toEqual([{ mirrorUid: 'm1', staticUid: 'h1' }])
    })

    it('a late removal of the old pod hides the new one from the names', () => {
      const { manager } = setUp()
      const newer = fakeStaticPod({ uid: 'h2' })
      manager.addPod(staticPod, [])
      manager.addPod(newer, [])
      manager.removePod(staticPod, [])
      expect(manager.getPodByName('default', 'web-node')).toBeUndefined()
      expect(manager.getPodByUID('h2')).toBe(newer)
    })

    it('a late removal of the old mirror hides the new one from the names', () => {
      const { manager } = setUp()
      const newer = fakeMirrorOf(staticPod, { uid: 'm2' })
      for (const pod of [staticPod, mirror, newer]) manager.addPod(pod, [])
      manager.removePod(mirror, [])
      expect(manager.getMirrorPodByPod(staticPod)).toBeUndefined()
      expect(manager.translatePodUID('m2')).toBe('h1')
    })

    it('a new version of the static pod takes the link of the old mirror', () => {
      const { manager, trace } = setUp()
      manager.addPod(staticPod, [])
      manager.addPod(mirror, [])
      manager.removePod(staticPod, [])
      manager.addPod(fakeStaticPod({ uid: 'h2' }), [])
      expect(manager.translatePodUID('m1')).toBe('h2')
      expect([...manager.getUIDTranslations().podToMirror]).toEqual([['h2', 'm1']])
      expect(trace.data('uid.linked')).toEqual([
        { mirrorUid: 'm1', staticUid: 'h1' },
        { mirrorUid: 'm1', staticUid: 'h2' },
      ])
    })
  })

  it('counts ephemeral containers by the difference', () => {
    const { manager } = setUp()
    const debug = { name: 'd', image: 'busybox' }
    manager.addPod(regular, [])
    const debugged = fakePod({
      name: 'a',
      uid: 'a-uid',
      spec: { ephemeralContainers: [debug, { ...debug, name: 'e' }] },
    })
    manager.updatePod(debugged, [])
    manager.updatePod(debugged, [])
    expect(manager.managedEphemeralContainers).toBe(2)
    manager.removePod(debugged, [])
    expect(manager.managedEphemeralContainers).toBe(0)
  })

  it('starts over with setPods', () => {
    const { manager } = setUp()
    manager.addPod(staticPod, [])
    manager.addPod(mirror, [])
    manager.setPods([regular], [])
    expect(manager.getPodsAndMirrorPods()).toEqual({
      allPods: [regular],
      allMirrorPods: [],
      orphanedMirrorPodFullNames: [],
    })
    expect(manager.translatePodUID('m1')).toBe('m1')
  })

  it('tells of every change, under the uid that the kubelet works with, with its causes', () => {
    const { manager, trace } = setUp()
    manager.addPod(staticPod, [7])
    manager.addPod(mirror, [8])
    manager.removePod(mirror, [9])
    const subject = { kind: 'pod', uid: 'h1', namespace: 'default', name: 'web-node' }
    expect(trace.events).toEqual([
      {
        kind: 'podManager.changed',
        subject,
        causes: [7],
        data: { op: 'set', mirror: false },
      },
      {
        kind: 'uid.linked',
        subject,
        causes: [8],
        data: { mirrorUid: 'm1', staticUid: 'h1' },
      },
      {
        kind: 'podManager.changed',
        subject,
        causes: [8],
        data: { op: 'set', mirror: true },
      },
      {
        kind: 'podManager.changed',
        subject,
        causes: [9],
        data: { op: 'removed', mirror: true },
      },
      {
        kind: 'uid.unlinked',
        subject,
        causes: [9],
        data: { mirrorUid: 'm1', staticUid: 'h1' },
      },
    ])
  })
})
