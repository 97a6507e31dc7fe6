import { describe, expect, it } from 'vitest'
import { fakeMirrorOf, fakePod, fakeStaticPod } from './fake-pod.ts'
import { FakeTrace } from '../container/fake-trace.ts'
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
  it('has new translations after every change, also when they were read in between', () => {
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

  it('traces every change, under the uid that the kubelet works with, with its causes', () => {
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
