import { admitHandlers } from '../../../src/main/kubelet/admission/admit-handlers.ts'
import type { AdmitHandlersDeps } from '../../../src/main/kubelet/admission/admit-handlers.ts'
import { firstRefusal } from '../../../src/main/kubelet/admission/pod-admitter.ts'
import type { AdmissionRefusal } from '../../../src/main/kubelet/admission/pod-admitter.ts'
import { noPressure } from '../../../src/main/kubelet/node/node-status.ts'
import { fakePod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import type { Node, Pod, PodSpec } from '../../../src/shared/kubernetes/objects.ts'
import { ok } from '../../../src/shared/result.ts'

/** A node with two CPUs, 1 Gi and room for three pods. */
export const smallNode: Node = {
  metadata: { name: 'n', uid: 'n', labels: { 'kubernetes.io/os': 'linux', disk: 'ssd' } },
  status: { allocatable: { cpu: '2', memory: '1Gi', 'ephemeral-storage': '10Gi', pods: '3' } },
}

/** A pod that asks for so much. */
export function asking(requests: Record<string, string>, spec: Partial<PodSpec> = {}): Pod {
  return fakePod({
    spec: { containers: [{ name: 'c', image: 'i', resources: { requests } }], ...spec },
    status: { phase: 'Pending' },
  })
}

/** A pending pod of that spec. */
export function podWith(spec: Partial<PodSpec>): Pod {
  return fakePod({ spec, status: { phase: 'Pending' } })
}

/** What the kubelet's own handlers say of a pod on a node; failures are not helped. */
export function refusalOn(
  over: Partial<AdmitHandlersDeps>,
): (pod: Pod, others?: readonly Pod[]) => Promise<AdmissionRefusal | undefined> {
  const handlers = admitHandlers({
    node: () => smallNode,
    operatingSystem: 'linux',
    kernelVersion: '6.1.0-18-amd64',
    hasAppArmor: false,
    pressure: () => noPressure,
    failureHandler: { handleAdmissionFailure: (_, failures) => Promise.resolve(ok(failures)) },
    ...over,
  })
  return (pod, others = []) => firstRefusal(handlers, pod, others, [])
}
