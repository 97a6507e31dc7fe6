import { FakeEventRecorder } from '../../src/main/kubelet/container/fake-event-recorder.ts'
import { FakeRuntimeService } from '../../src/main/kubelet/container/fake-runtime-service.ts'
import { FakeTrace } from '../../src/main/kubelet/container/fake-trace.ts'
import { systemClock } from '../../src/main/clock/system-clock.ts'
import { Prober } from '../../src/main/kubelet/prober/prober.ts'
import { probeSpecOf } from '../../src/main/kubelet/probe/handler-spec.ts'
import { nodePodNetwork } from '../../src/main/pod-network/node-pod-network.ts'
import type { Pod } from '../../src/shared/kubernetes/objects.ts'
import type { NetworkCase } from './cases.ts'

export const podIP = '127.0.0.1'

/** A pod whose container has the readiness probe of a case, for the port of its server, and a port `named`. */
export function probedPod(
  { handler: handlerOf, timeoutSeconds = 60 }: NetworkCase,
  port: number,
): Pod {
  const handler = handlerOf(port)
  const readinessProbe = { ...handler, timeoutSeconds }
  const ports = [{ name: 'named', containerPort: port }]
  const container = { name: 'c', image: 'i', ports, readinessProbe }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'n', uid: 'u' },
    spec: { containers: [container] },
  }
}

/** Runs the probe once, by the network of this machine. */
export async function probeOnce(
  pod: Pod,
): Promise<{ readonly result: string; readonly events: readonly string[] }> {
  const [container] = pod.spec.containers
  const spec = container === undefined ? undefined : probeSpecOf(container, 'readiness')
  if (container === undefined || spec === undefined) throw new Error('the pod has no probe')
  const clock = systemClock
  const recorder = new FakeEventRecorder()
  const runtimeService = new FakeRuntimeService({ clock })
  const trace = new FakeTrace()
  const prober = new Prober({ runtimeService, network: nodePodNetwork, recorder, trace, clock })
  const status = { phase: 'Running', podIP } as const
  const asked = {
    type: 'readiness',
    spec,
    pod,
    status,
    container,
    containerId: 'c1',
    causes: [],
  } as const
  const { result } = await prober.probe(asked)
  const events = recorder.lines
  const results = { success: 'Success', failure: 'Failure', unknown: 'UNKNOWN' } as const
  return { result: result === undefined ? 'none' : results[result], events }
}
