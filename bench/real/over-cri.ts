import { dirname, join } from 'node:path'
import { seededRandom } from '../../src/main/clock/seeded-random.ts'
import { systemClock } from '../../src/main/clock/system-clock.ts'
import { criLogFiles } from '../../src/main/cri/cri-log-file.ts'
import { CriServer } from '../../src/main/cri/cri-server.ts'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import { SimulatedRuntime } from '../../src/main/runtimes/simulated/simulated-runtime.ts'

import { writeKubeletConfiguration } from '../../test/kube/cri/kubelet-configuration.ts'
import { canUnshare, cannotUnshare, kubeletCommand } from '../../test/kube/cri/real-kubelet.ts'

/** A simulated runtime that is served as CRI v1 and counts its calls. */
export interface CountedRuntime {
  /** By the method of the Runtime port: `listContainers`. */
  readonly counts: ReadonlyMap<string, number>
  readonly stop: () => void
}

export async function serveCountedRuntime(socketPath: string): Promise<CountedRuntime> {
  const counts = new Map<string, number>()
  const log = new FakeLog()
  const runtime = new SimulatedRuntime({
    clock: systemClock,
    random: seededRandom(1),
    trace: { emit: () => 0 },
    log,
    options: { logs: criLogFiles, stateFolder: dirname(socketPath) },
  })
  const counted = new Proxy(runtime, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function' || typeof name !== 'string') return member
      return (...args: readonly unknown[]): unknown => {
        counts.set(name, (counts.get(name) ?? 0) + 1)
        return Reflect.apply(member, target, args) as unknown
      }
    },
  })
  const server = new CriServer({ runtime: counted, log })
  const listening = await server.listen(socketPath)
  if (!listening.ok) throw new Error(listening.error)
  return {
    counts,
    stop: () => {
      server.stop()
    },
  }
}

/** Why a real kubelet cannot be measured here; undefined if it can. */
export function obstacle(): string | undefined {
  return canUnshare() ? undefined : cannotUnshare
}

/** The program and the arguments of a real kubelet of `folder`, whose configuration is written there. */
export async function realKubelet(options: {
  readonly file: string
  readonly folder: string
  /** Of the control plane. */
  readonly planeFolder: string
  readonly kubeconfig: string
  readonly nodeName: string
  readonly socketPath: string
  readonly port: number
  readonly maxPods: number
}): Promise<readonly [string, ...string[]]> {
  const { folder, planeFolder, socketPath, port, maxPods } = options
  const caFile = join(planeFolder, 'ca.crt')
  const fields = { maxPods }
  const config = await writeKubeletConfiguration({ folder, caFile, socketPath, port, fields })
  return kubeletCommand(options, config)
}
