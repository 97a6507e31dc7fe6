// Pods' whole lives in the pod workers, on fakes that answer at once: created, synced, killed, terminating, terminated,
// finished, forgotten. Measures only the workers: no runtime, no statuses, a trace that stores nothing.
import { PodWorkers } from '../../src/main/kubelet/workers/pod-workers.ts'
import { WorkQueue } from '../../src/main/kubelet/workers/work-queue.ts'
import type { PodSyncer } from '../../src/main/kubelet/workers/pod-sync.ts'
import type { Clock, Random } from '../../src/main/kubelet/ports.ts'
import type { Pod } from '../../src/shared/kubernetes/objects.ts'
import { ok } from '../../src/shared/result.ts'
import { quietLog, report } from './quiet.ts'

const concurrency = Number(process.argv[2] ?? 1000)
const warmUpMs = 1000
const measuredMs = 3000
/** Sync, terminating, terminated, finished, forgotten. */
const transitionsOfLife = 5

const clock: Clock = { now: () => Date.now(), after: () => () => undefined }
const random: Random = { next: () => 0, fork: () => random }
let ended = 0
const syncer: PodSyncer = {
  syncPod: () => {
    ended++
    return Promise.resolve(ok({ isTerminal: false }))
  },
  syncTerminatingPod: () => Promise.resolve(ok(undefined)),
  syncTerminatingRuntimePod: () => Promise.resolve(ok(undefined)),
  syncTerminatedPod: () => {
    ended++
    return Promise.resolve(ok(undefined))
  },
}
const status = (uid: string) =>
  ok({ uid, name: '', namespace: '', ips: [], sandboxes: [], containers: [] })
const workers = new PodWorkers({
  clock,
  random,
  trace: { emit: () => 0 },
  log: quietLog,
  podCache: { get: status, getNewerThan: (uid) => Promise.resolve(status(uid)) },
  podSyncer: syncer,
  workQueue: new WorkQueue({ clock }),
  recorder: { event: () => undefined },
})

let born = 0
function newPod(): Pod {
  const number = born++
  return {
    metadata: { name: `pod-${number}`, namespace: 'default', uid: `uid-${number}` },
    spec: { containers: [{ name: 'main', image: 'pause' }], terminationGracePeriodSeconds: 1 },
  }
}

/** Resolves after this number of syncs and their effects. */
async function untilEnded(count: number): Promise<void> {
  do {
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  } while (ended < count)
}

async function lives(): Promise<void> {
  ended = 0
  const pods = Array.from({ length: concurrency }, newPod)
  for (const pod of pods) workers.updatePod({ updateType: 'create', pod, causes: [] })
  await untilEnded(concurrency)
  for (const pod of pods) workers.updatePod({ updateType: 'kill', pod, causes: [] })
  await untilEnded(2 * concurrency)
  workers.syncKnownPods([])
  if (workers.recordUids().length > 0) throw new Error('not all were forgotten')
}

async function livesPerSecond(ms: number): Promise<number> {
  const startedAt = performance.now()
  let count = 0
  while (performance.now() - startedAt < ms) {
    await lives()
    count += concurrency
  }
  return (count * 1000) / (performance.now() - startedAt)
}

await livesPerSecond(warmUpMs)
const rate = await livesPerSecond(measuredMs)
report({ livesPerSecond: rate, transitionsPerSecond: rate * transitionsOfLife })
process.exit(0)
