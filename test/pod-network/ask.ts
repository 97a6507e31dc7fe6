import { FakeEventRecorder } from '../../src/main/kubelet/container/fake-event-recorder.ts'
import { FakeRuntimeService } from '../../src/main/kubelet/container/fake-runtime-service.ts'
import { FakeTrace } from '../../src/main/kubelet/container/fake-trace.ts'
import { systemClock } from '../../src/main/clock/system-clock.ts'
import { HandlerRunner } from '../../src/main/kubelet/kuberuntime/lifecycle-hooks.ts'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import { Prober } from '../../src/main/kubelet/prober/prober.ts'
import { probeSpecOf } from '../../src/main/kubelet/probe/handler-spec.ts'
import { nodePodNetwork } from '../../src/main/pod-network/node-pod-network.ts'
import type { JsonObject } from '../../src/shared/json.ts'
import type { Container, Pod } from '../../src/shared/kubernetes/objects.ts'
import { err, ok } from '../../src/shared/result.ts'
import type { NetworkCase } from './cases.ts'

export const podIP = '127.0.0.1'

interface Answer {
  readonly result: string
  readonly events: readonly string[]
}

function podOf(container: Container): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'n', uid: 'u' },
    spec: { containers: [container] },
  }
}

/** A pod whose container has the readiness probe of a case, for the port of its server, and a port `named`. */
export function probedPod(
  { handler: handlerOf, timeoutSeconds = 60 }: NetworkCase,
  port: number,
): Pod {
  const handler = handlerOf(port)
  const readinessProbe = { ...handler, timeoutSeconds }
  const ports = [{ name: 'named', containerPort: port }]
  return podOf({ name: 'c', image: 'i', ports, readinessProbe })
}

/** Runs the probe once, by the network of this machine. */
export async function probeOnce(pod: Pod): Promise<Answer> {
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

/** A pod whose container has the postStart hook, and a port `named`. */
export function hookedPod(postStart: JsonObject, port: number): Pod {
  const ports = [{ name: 'named', containerPort: port }]
  return podOf({ name: 'c', image: 'i', ports, lifecycle: { postStart } })
}

/** How a command in a container ends, as overlay/pkg/kubelet/prober/nodescope_run.go reads it. */
interface CommandEnd {
  readonly ends?: string
  readonly code?: number
  readonly output?: string
}

/** Runs the hook once, by the network of this machine; the result is why it failed. */
export async function hookOnce(pod: Pod, end: CommandEnd = {}): Promise<Answer> {
  const [container] = pod.spec.containers
  if (container === undefined) throw new Error('the pod has no container')
  const recorder = new FakeEventRecorder()
  const { ends, code = 0, output = '' } = end
  const runner = new HandlerRunner({
    clock: systemClock,
    network: nodePodNetwork,
    recorder,
    trace: new FakeTrace(),
    log: new FakeLog(),
    runtimeService: {
      execSync: () =>
        Promise.resolve(
          ends === 'error'
            ? err({ kind: 'failed', message: output })
            : ok({ stdout: output, stderr: '', exitCode: code }),
        ),
    },
    podIPs: () => Promise.resolve(ok([podIP])),
  })
  const maxMs = Number.POSITIVE_INFINITY
  const asked = { pod, container, containerId: 'c1', name: 'postStart', maxMs, causes: [] } as const
  return { result: (await runner.run(asked)) ?? '', events: recorder.lines }
}
