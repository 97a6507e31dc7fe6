import { describe, expect, it } from 'vitest'
import type { Pod } from '../../shared/kubernetes/objects.ts'
import { FakeTrace } from '../kubelet/container/fake-trace.ts'
import { fakeMirrorOf, fakePod, fakeStaticPod } from '../kubelet/pod/fake-pod.ts'
import { PodManager } from '../kubelet/pod/pod-manager.ts'
import { notSimulatedOf, sandboxPodWarnings } from './not-simulated-pods.ts'
import { NotSimulatedTrace } from './not-simulated-trace.ts'

function setUp(hasSandbox = true) {
  const trace = new FakeTrace()
  const manager: PodManager = new PodManager({
    trace: new NotSimulatedTrace({
      trace,
      podOf: (uid) => manager.getPodByUID(uid),
      find: (pod) => notSimulatedOf(pod, hasSandbox),
    }),
  })
  return { trace, manager }
}

const container = { name: 'c', image: 'busybox', command: ['sleep', '1'] }

function signalled(shape: Partial<Pod['spec']> = {}): Pod {
  return fakePod({
    uid: 'a',
    spec: { containers: [{ ...container, lifecycle: { stopSignal: 'SIGUSR1' } }], ...shape },
  })
}

describe('the trace of a node', () => {
  it('records once what is not simulated of a pod, with the pod manager’s event as its cause', () => {
    const { trace, manager } = setUp()
    manager.addPod(signalled(), [])
    manager.updatePod(signalled(), [])
    expect(trace.kinds).toEqual(['podManager.changed', 'pod.notSimulated', 'podManager.changed'])
    expect(trace.events[1]).toEqual({
      kind: 'pod.notSimulated',
      subject: { kind: 'pod', uid: 'a', namespace: 'default', name: 'web' },
      causes: [1],
      data: { fields: ['spec.containers[0].lifecycle.stopSignal'], rules: ['stop-signal'] },
    })
  })

  it('records it again when an update has changed it, and when the pod was removed and added again', () => {
    const { trace, manager } = setUp()
    manager.addPod(signalled(), [])
    manager.updatePod(fakePod({ uid: 'a', spec: { containers: [container] } }), [])
    manager.removePod(signalled(), [])
    manager.addPod(signalled(), [])
    expect(trace.data('pod.notSimulated').map(({ rules }) => rules)).toEqual([
      ['stop-signal'],
      [],
      ['stop-signal'],
    ])
  })

  it('records nothing for a pod that is completely simulated, or for a mirror', () => {
    const { trace, manager } = setUp()
    const pod = fakeStaticPod({ spec: { containers: [container] } })
    manager.addPod(pod, [])
    manager.addPod(fakeMirrorOf(pod, { spec: signalled().spec }), [])
    expect(trace.kinds).not.toContain('pod.notSimulated')
  })
})

describe('what is not simulated of a pod', () => {
  const owner = { apiVersion: 'example.com/v1', kind: 'Gizmo', name: 'web', uid: 'r' }
  const metadata = { ownerReferences: [owner] }

  it('depends on the sandbox’s control plane only for pods in the sandbox', () => {
    const pod = fakePod({ metadata, spec: { containers: [container] } })
    expect(notSimulatedOf(pod, true).map(({ id }) => id)).toEqual(['owner-references'])
    expect(notSimulatedOf(pod, false)).toEqual([])
    const ofManifest = fakeStaticPod({ metadata, spec: { containers: [container] } })
    expect(notSimulatedOf(ofManifest, true)).toEqual([])
  })

  it('is a warning for the client that writes a pod, not for a kubelet that writes a mirror', () => {
    expect(sandboxPodWarnings(signalled())).toEqual([
      'spec.containers[0].lifecycle.stopSignal: not simulated: ignored; the container is stopped with SIGTERM',
    ])
    expect(sandboxPodWarnings(fakeMirrorOf(fakeStaticPod(), { spec: signalled().spec }))).toEqual(
      [],
    )
  })
})
