/** docs/kubelet/pod-manager.md: the pod manager. Random sequences stand in pod-manager.property.test.ts and test/kube/oracle. */
import { describe, expect, it } from 'vitest'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import { fakeMirrorOf, fakePod, fakeStaticPod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import { buildPodFullName } from '../../../src/main/kubelet/pod/identity.ts'
import { PodManager } from '../../../src/main/kubelet/pod/pod-manager.ts'
import { PodsController } from '../../../src/main/kubelet/pods-controller.ts'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { seededRandom } from '../../../src/main/clock/seeded-random.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import { FakeStatusManager } from '../../../src/main/kubelet/status/fake-status-manager.ts'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'

const regular = fakePod({ name: 'a', uid: 'a-uid' })
const staticPod = fakeStaticPod({ uid: 'h1' })
const mirror = fakeMirrorOf(staticPod, { uid: 'm1' })
const fullName = buildPodFullName('web-node', 'default')

function managerOf(...pods: readonly Pod[]): PodManager {
  const manager = new PodManager({ trace: new FakeTrace() })
  for (const pod of pods) manager.addPod(pod, [])
  return manager
}

const translations = (manager: PodManager) => {
  const { podToMirror, mirrorToPod } = manager.getUIDTranslations()
  return {
    podToMirror: Object.fromEntries(podToMirror),
    mirrorToPod: Object.fromEntries(mirrorToPod),
  }
}

describe('pod-manager#maps', () => {
  const manager = managerOf(regular, staticPod, mirror)

  it.each<readonly [string, () => unknown, unknown]>([
    ['podByUID holds a regular pod', () => manager.getPodByUID('a-uid'), regular],
    ['podByUID holds a static pod', () => manager.getPodByUID('h1'), staticPod],
    ['podByUID holds no mirror', () => manager.getPodByUID('m1'), undefined],
    ['mirrorPodByUID holds mirrors', () => manager.getPodsAndMirrorPods().allMirrorPods, [mirror]],
    ['podByFullName holds a regular pod', () => manager.getPodByName('default', 'a'), regular],
    [
      'podByFullName holds a static pod, though a mirror has the name too',
      () => manager.getPodByFullName(fullName),
      staticPod,
    ],
    ['mirrorPodByFullName holds mirrors', () => manager.getMirrorPodByPod(staticPod), mirror],
    [
      'translationByUID leads from the mirror to the static pod',
      () => manager.translatePodUID('m1'),
      'h1',
    ],
  ])('%s', (_what, answer, expected) => {
    expect(answer()).toEqual(expected)
  })

  it('translationByUID has no link before both were seen', () => {
    expect(managerOf(staticPod).translatePodUID('m1')).toBe('m1')
    expect(managerOf(mirror).translatePodUID('m1')).toBe('m1')
  })
})

describe('pod-manager#add-and-update', () => {
  it('are the same: both insert a new pod and replace a known one', () => {
    const newer = fakePod({ name: 'a', uid: 'a-uid', status: { phase: 'Running' } })
    const added = managerOf(regular, newer)
    const updated = new PodManager({ trace: new FakeTrace() })
    for (const pod of [regular, newer]) updated.updatePod(pod, [])
    for (const manager of [added, updated]) {
      expect(manager.getPods()).toEqual([newer])
      expect(manager.getPodByName('default', 'a')).toBe(newer)
    }
  })

  it.each([
    ['the static pod first', [staticPod, mirror]],
    ['the mirror first', [mirror, staticPod]],
  ])('link a static pod and its mirror: %s', (_what, pods) => {
    const manager = managerOf(...pods)
    expect(manager.getMirrorPodByPod(staticPod)).toBe(mirror)
    expect(manager.getPodByMirrorPod(mirror)).toBe(staticPod)
    expect(translations(manager)).toEqual({ podToMirror: { h1: 'm1' }, mirrorToPod: { m1: 'h1' } })
  })

  it('count ephemeral containers by the difference', () => {
    const debug = { name: 'd', image: 'busybox' }
    const manager = managerOf(regular)
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
})

describe('pod-manager#remove', () => {
  it('removes a mirror from both of its maps, and its link', () => {
    const manager = managerOf(staticPod, mirror)
    manager.removePod(mirror, [])
    expect(manager.getPodsAndMirrorPods().allMirrorPods).toEqual([])
    expect(manager.getMirrorPodByPod(staticPod)).toBeUndefined()
    expect(translations(manager)).toEqual({ podToMirror: { h1: '' }, mirrorToPod: {} })
  })

  it('removes another pod from both of its maps', () => {
    const manager = managerOf(regular, staticPod)
    manager.removePod(regular, [])
    expect(manager.getPods()).toEqual([staticPod])
    expect(manager.getPodByUID('a-uid')).toBeUndefined()
    expect(manager.getPodByName('default', 'a')).toBeUndefined()
  })

  it('of what is not there does nothing', () => {
    const manager = managerOf(staticPod, mirror)
    manager.removePod(regular, [])
    expect(manager.getPodsAndMirrorPods()).toEqual({
      allPods: [staticPod],
      allMirrorPods: [mirror],
      orphanedMirrorPodFullNames: [],
    })
  })
})

describe('pod-manager#queries', () => {
  const lonely = fakeStaticPod({ name: 'lonely', uid: 'h2' })
  const orphan = fakeMirrorOf(fakeStaticPod({ name: 'gone', uid: 'h3' }), { uid: 'm3' })
  const manager = managerOf(regular, staticPod, mirror, lonely, orphan)
  const newerMirror = fakeMirrorOf(staticPod, { uid: 'm1', status: { phase: 'Running' } })

  it.each<readonly [string, () => unknown, unknown]>([
    ['getPods: regular and static', () => manager.getPods(), [regular, staticPod, lonely]],
    [
      'getPodsAndMirrorPods: also mirrors, and the names of those without a pod',
      () => manager.getPodsAndMirrorPods(),
      {
        allPods: [regular, staticPod, lonely],
        allMirrorPods: [mirror, orphan],
        orphanedMirrorPodFullNames: ['gone_default'],
      },
    ],
    [
      'getOrphanedMirrorPodNames: these names alone',
      () => manager.getOrphanedMirrorPodNames(),
      ['gone_default'],
    ],
    ['getPodByUID: no mirror', () => manager.getPodByUID('m1'), undefined],
    ['getPodByFullName: no mirror', () => manager.getPodByFullName(fullName), staticPod],
    [
      'getPodByFullName: undefined for an invalid full name',
      () => manager.getPodByFullName('web-node' as ReturnType<typeof buildPodFullName>),
      undefined,
    ],
    ['getPodByName: no mirror', () => manager.getPodByName('default', 'gone'), undefined],
    ['getPodByName: by namespace too', () => manager.getPodByName('other', 'a'), undefined],
    ['getMirrorPodByPod: by name', () => manager.getMirrorPodByPod(staticPod), mirror],
    [
      'getMirrorPodByPod: not by hash',
      () => manager.getMirrorPodByPod(fakeStaticPod({ uid: 'h9' })),
      mirror,
    ],
    [
      'getMirrorPodByPod: a regular pod of that name has it too',
      () => manager.getMirrorPodByPod(fakePod({ name: 'web-node', uid: 'r1' })),
      mirror,
    ],
    ['getPodByMirrorPod: by name', () => manager.getPodByMirrorPod(mirror), staticPod],
    ['getPodByMirrorPod: of an orphan', () => manager.getPodByMirrorPod(orphan), undefined],
    [
      'getPodAndMirrorPod of a mirror: its pod, and the very object that was asked about',
      () => manager.getPodAndMirrorPod(newerMirror),
      { pod: staticPod, mirrorPod: newerMirror, wasMirror: true },
    ],
    [
      'getPodAndMirrorPod of an orphan: no pod',
      () => manager.getPodAndMirrorPod(orphan),
      { pod: undefined, mirrorPod: orphan, wasMirror: true },
    ],
    [
      'getPodAndMirrorPod of a static pod: its mirror',
      () => manager.getPodAndMirrorPod(staticPod),
      { pod: staticPod, mirrorPod: mirror, wasMirror: false },
    ],
    [
      'getPodAndMirrorPod of a regular pod: no mirror',
      () => manager.getPodAndMirrorPod(regular),
      { pod: regular, mirrorPod: undefined, wasMirror: false },
    ],
    ['translatePodUID: empty stays empty', () => manager.translatePodUID(''), ''],
    ['translatePodUID: a linked mirror’s', () => manager.translatePodUID('m1'), 'h1'],
    ['translatePodUID: an orphan’s stays', () => manager.translatePodUID('m3'), 'm3'],
    ['translatePodUID: any other stays', () => manager.translatePodUID('x'), 'x'],
    [
      'getUIDTranslations: every static pod, with an empty uid for one without a mirror',
      () => translations(manager),
      { podToMirror: { h1: 'm1', h2: '' }, mirrorToPod: { m1: 'h1' } },
    ],
    [
      'getStaticPodToMirrorPodMap: every static pod with its mirror or none',
      () => [...manager.getStaticPodToMirrorPodMap()],
      [
        [staticPod, mirror],
        [lonely, undefined],
      ],
    ],
    [
      'isMirrorPodOf: by name, namespace and hash',
      () => [
        manager.isMirrorPodOf(mirror, staticPod),
        manager.isMirrorPodOf(mirror, fakeStaticPod({ uid: 'h9' })),
        manager.isMirrorPodOf(mirror, lonely),
      ],
      [true, false, false],
    ],
  ])('%s', (_what, answer, expected) => {
    expect(answer()).toEqual(expected)
  })

  it('setPods forgets all that was there', () => {
    const other = managerOf(staticPod, mirror)
    other.setPods([regular], [])
    expect(other.getPodsAndMirrorPods()).toEqual({
      allPods: [regular],
      allMirrorPods: [],
      orphanedMirrorPodFullNames: [],
    })
    expect(other.translatePodUID('m1')).toBe('m1')
    expect(other.getPodByFullName(fullName)).toBeUndefined()
  })
})

describe('pod-manager#asymmetries', () => {
  it('1. removing the static pod leaves its translation until the mirror goes', () => {
    const manager = managerOf(staticPod, mirror)
    manager.removePod(staticPod, [])
    expect(manager.translatePodUID('m1')).toBe('h1')
    expect(translations(manager)).toEqual({ podToMirror: { h1: 'm1' }, mirrorToPod: { m1: 'h1' } })
    expect(manager.getPodByUID('h1')).toBeUndefined()
    manager.removePod(mirror, [])
    expect(manager.translatePodUID('m1')).toBe('m1')
    expect(translations(manager)).toEqual({ podToMirror: {}, mirrorToPod: {} })
  })

  it('2. removal by name does not look at the uid: a late one hides the new pod', () => {
    const newer = fakeStaticPod({ uid: 'h2' })
    const manager = managerOf(staticPod, newer)
    manager.removePod(staticPod, [])
    expect(manager.getPodByName('default', 'web-node')).toBeUndefined()
    expect(manager.getPodByFullName(fullName)).toBeUndefined()
    expect(manager.getPodByUID('h2')).toBe(newer)
  })

  it('2. removal by name does not look at the uid: a late one hides the new mirror', () => {
    const newer = fakeMirrorOf(staticPod, { uid: 'm2' })
    const manager = managerOf(staticPod, mirror, newer)
    manager.removePod(mirror, [])
    expect(manager.getMirrorPodByPod(staticPod)).toBeUndefined()
    expect(manager.translatePodUID('m2')).toBe('h1')
    expect(manager.getPodsAndMirrorPods().allMirrorPods).toEqual([newer])
  })

  it('3. a regular pod of its name keeps a mirror from being an orphan', () => {
    const manager = managerOf(mirror, fakePod({ name: 'web-node', uid: 'r1' }))
    expect(manager.getOrphanedMirrorPodNames()).toEqual([])
    expect(managerOf(mirror).getOrphanedMirrorPodNames()).toEqual(['web-node_default'])
  })

  it('4. a new version of the static pod takes over the old version’s mirror', () => {
    const newer = fakeStaticPod({ uid: 'h2' })
    const manager = managerOf(staticPod, mirror)
    manager.removePod(staticPod, [])
    manager.addPod(newer, [])
    expect(manager.isMirrorPodOf(mirror, newer)).toBe(false)
    expect(translations(manager)).toEqual({ podToMirror: { h2: 'm1' }, mirrorToPod: { m1: 'h2' } })
  })

  it('5. mirrors are not in getPods, so neither a tick nor housekeeping meets one', async () => {
    const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
    const podManager = managerOf(staticPod, mirror, regular)
    const synced: string[] = []
    const asked: string[] = []
    const controller = new PodsController({
      podManager,
      podWorkers: {
        couldHaveRunningContainers: () => false,
        isPodTerminationRequested: () => false,
        shouldPodContentBeRemoved: () => false,
        shouldPodRuntimeBeRemoved: () => false,
      },
      statusManager: new FakeStatusManager(),
      handler: {
        handlePodAdditions: () => Promise.resolve(),
        handlePodUpdates: () => Promise.resolve(),
        handlePodRemoves: () => Promise.resolve(),
        handlePodReconcile: () => Promise.resolve(),
        handlePodSyncs: (pods) => synced.push(...pods.map(({ metadata }) => metadata.uid)),
        handlePodSyncByUID: () => undefined,
        handlePodCleanups: () => Promise.resolve(),
        cleanUpContainersInPod: () => undefined,
      },
      sourcesReady: { addSource: () => undefined, allReady: () => true },
      dueWork: () => ['a-uid', 'h1', 'm1'].map((uid) => ({ uid, causes: [] })),
      wantsSync: ({ metadata }) => {
        asked.push(metadata.uid)
        return false
      },
      clock,
      random: seededRandom(1),
      trace: new FakeTrace(),
      log: new FakeLog(),
    })
    controller.registerProvider({
      start: () => undefined,
      stop: () => undefined,
      runtimeErrors: () => [],
    })
    void controller.run()
    await clock.advance(1000)
    expect(synced.toSorted()).toEqual(['a-uid', 'h1'])
    expect(asked).not.toContain('m1')
    await controller.stop()
  })
})
