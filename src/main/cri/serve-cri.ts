import { chmodSync } from 'node:fs'
import { dirname } from 'node:path'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { seededRandom } from '../clock/seeded-random.ts'
import { systemClock } from '../clock/system-clock.ts'
import type { Log } from '../kubelet/ports.ts'
import { SimulatedRuntime } from '../runtimes/simulated/simulated-runtime.ts'
import { criLogFiles } from './cri-log-file.ts'
import { nodeFiles } from './node-files.ts'
import { CriServer } from './cri-server.ts'
import { reachablePods } from './pod-ports/reachable-pods.ts'
import { prepareSocketPath } from './socket-path.ts'
import { StreamingServer } from './streaming/streaming-server.ts'

/** No trace is kept: there is no page to show it. */
const noTrace = { emit: () => 0 }

/**
 * Serves a simulated runtime on the system clock as CRI v1. Its containers end with this process. Only the user that
 * runs it may connect. The error is one sentence.
 */
export async function serveCri(options: {
  /** Absolute. */
  readonly socketPath: string
  readonly seed: number
  readonly log: Log
}): Promise<Result<{ readonly stop: () => void }, string>> {
  const { socketPath, seed, log } = options
  const failure = await prepareSocketPath(socketPath)
  if (failure !== undefined) return err(failure)
  const streaming = new StreamingServer()
  const started = await streaming.start()
  if (!started.ok) return err(`No port can be opened for exec and attach: ${started.error}.`)
  const pods = await reachablePods({ clock: systemClock, log })
  if (!pods.ok) {
    streaming.stop()
    return pods
  }
  const runtime = new SimulatedRuntime({
    clock: systemClock,
    random: seededRandom(seed),
    trace: noTrace,
    log,
    options: {
      ...pods.value.options,
      logs: criLogFiles,
      machineFiles: nodeFiles,
      streaming,
      stateFolder: dirname(socketPath),
    },
  })
  const server = new CriServer({ runtime, log })
  const stop = (): void => {
    pods.value.stop()
    streaming.stop()
  }
  const listening = await server.listen(socketPath)
  if (!listening.ok) {
    stop()
    return err(`The socket ${socketPath} cannot be served: ${listening.error}.`)
  }
  chmodSync(socketPath, 0o600)
  return ok({
    stop: () => {
      server.stop()
      stop()
    },
  })
}
