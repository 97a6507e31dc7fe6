import { describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import { FakeNodeLister, fakeNode } from '../../../src/main/kubelet/pod/fake-node-lister.ts'
import { fakeMirrorOf, fakePod, fakeStaticPod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import { PodManager } from '../../../src/main/kubelet/pod/pod-manager.ts'
import { StaticPodRegistration } from '../../../src/main/kubelet/pod/static-pod-registration.ts'

function setUp() {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const nodeLister = new FakeNodeLister()
  const podManager = new PodManager({ trace: new FakeTrace() })
  const recorded: string[] = []
  const registration = new StaticPodRegistration({
    nodeLister,
    podManager,
    mirrorReconciler: {
      tryReconcileMirrorPods: (pod, mirror) => {
        recorded.push(`${pod.metadata.uid} ${mirror?.metadata.uid ?? '-'} @${clock.now()}`)
        return Promise.resolve(false)
      },
    },
    clock,
  })
  const mirrored = fakeStaticPod({ uid: 'h1' })
  podManager.setPods(
    [
      fakePod({ uid: 'regular' }),
      mirrored,
      fakeMirrorOf(mirrored, { uid: 'm1' }),
      fakeStaticPod({ name: 'lonely', uid: 'h2' }),
    ],
    [],
  )
  return { clock, nodeLister, recorded, registration }
}

describe('mirror-pods#reconciliation: at start-up', () => {
  it('waits for the node only, then reconciles the mirror of every static pod once', async () => {
    const { clock, nodeLister, recorded, registration } = setUp()
    registration.start([])
    await clock.advance(1050)
    expect(recorded).toEqual([])
    nodeLister.node = fakeNode()
    await clock.advance(1000)
    expect(recorded).toEqual(['h1 m1 @1100', 'h2 - @1100'])
    expect(clock.pendingTimers).toBe(0)
  })

  it('does not wait where the node is known already', async () => {
    const { clock, nodeLister, recorded, registration } = setUp()
    nodeLister.node = fakeNode()
    registration.start([])
    await clock.advance(0)
    expect(recorded).toEqual(['h1 m1 @0', 'h2 - @0'])
  })

  it('does nothing after it was stopped', async () => {
    const { clock, nodeLister, recorded, registration } = setUp()
    registration.start([])
    nodeLister.node = fakeNode()
    registration.stop()
    await clock.advance(1000)
    expect(recorded).toEqual([])
  })
})
