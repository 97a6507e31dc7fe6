import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Snapshot } from '../../shared/ipc/contract.ts'
import { FakeLog } from '../kubelet/container/fake-log.ts'
import { parsersInPlace } from '../parsing/kubernetes-text.ts'
import { fakeSessionConfig } from './fake-session-config.ts'
import type { RunningSession, SessionConnection } from './session-channel.ts'
import type { ClusterConfig } from './session-config.ts'
import { startSession } from './start-session.ts'

/** A whole session without examples, whose manifests are in its data folder. */
export async function startFakeSession(
  cluster: ClusterConfig,
  dataFolder: string,
): Promise<RunningSession> {
  const started = await startSession(
    fakeSessionConfig({ cluster, manifestsPath: join(dataFolder, 'manifests'), dataFolder }),
    {
      log: new FakeLog(),
      assets: { list: () => Promise.resolve([]), readText: () => Promise.resolve('') },
      parsers: parsersInPlace,
      host: 'web',
      printLine: () => undefined,
      environment: { PATH: process.env['PATH'], HOME: dataFolder },
    },
  )
  if (!started.ok) throw new Error(started.error.message)
  return started.value
}

/** The first snapshot of which it holds; throws after half a minute. */
export async function untilSnapshot(
  connection: SessionConnection,
  what: string,
  holds: (snapshot: Snapshot) => boolean,
): Promise<Snapshot> {
  for (let tries = 0; tries < 600; tries++) {
    const snapshot = await connection.request('view.open', {})
    if (holds(snapshot)) return snapshot
    await sleep(50)
  }
  throw new Error(`${what} did not come`)
}
