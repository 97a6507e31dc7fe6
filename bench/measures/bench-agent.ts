import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Transport } from '../../src/shared/kubernetes/request.ts'
import { seededRandom } from '../../src/main/clock/seeded-random.ts'
import { systemClock } from '../../src/main/clock/system-clock.ts'
import { ClusterTrace } from '../../src/main/kubelet/trace.ts'
import { describeNode } from '../../src/main/nodes/node-description.ts'
import { notSimulatedOf } from '../../src/main/nodes/not-simulated-pods.ts'
import { simulatedHost } from '../../src/main/nodes/simulated-host.ts'
import { SimulatedNode } from '../../src/main/nodes/simulated-node.ts'
import { SimulatedRuntime } from '../../src/main/runtimes/simulated/simulated-runtime.ts'
import { ClusterSession } from '../../src/main/session/cluster/cluster-session.ts'
import { nodeName } from './bench-server.ts'
import { quietLog } from './quiet.ts'

/** A Nodescope node with its session, as in the program, without pages. */
export interface BenchAgent {
  readonly trace: ClusterTrace
  readonly start: () => void
  readonly stop: () => void
}

export function makeAgent(transport: Transport, server: string): BenchAgent {
  const clock = systemClock
  const manifests = mkdtempSync(join(tmpdir(), 'nodescope-bench-manifests-'))
  const trace = new ClusterTrace({
    cluster: 'bench',
    clock,
    onError: (error) => {
      throw error
    },
  })
  const random = seededRandom(1)
  const nodeTrace = trace.forNode(nodeName)
  const session = new ClusterSession({
    identity: {
      id: 'bench',
      label: 'bench',
      server,
      kind: 'joined',
      exportLine: '',
      manifestsPath: manifests,
    },
    clock,
    trace,
    readOnly: () => '',
    clockFacts: () => ({ virtual: false, paused: false, speed: 1, achieved: null }),
  })
  // Room for thousands of pods: on a usual machine they would be evicted.
  const options = { size: { memoryBytes: 2 ** 40, diskBytes: 2 ** 40 } }
  const capacity = { memory: '1Ti', 'ephemeral-storage': '1Ti' }
  const runtime = new SimulatedRuntime({ clock, random, trace: nodeTrace, log: quietLog, options })
  const node = new SimulatedNode({
    nodeName,
    description: describeNode({ nodeName, runtime, isTainted: false, maxPods: 20_000, capacity }),
    transport,
    clock,
    random,
    trace: nodeTrace,
    log: quietLog,
    runtime,
    containerHost: simulatedHost(runtime),
    manifests: { path: manifests },
    notSimulated: (pod) => notSimulatedOf(pod, false),
  })
  session.addNode(node)
  return {
    trace,
    start: () => {
      node.startKubelet()
    },
    stop: () => {
      node.stopKubelet()
      rmSync(manifests, { recursive: true, force: true })
    },
  }
}
