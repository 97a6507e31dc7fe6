import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Interleaving } from './interleaving.ts'
import { operations } from './interleaving-operations.ts'
import type { Operation } from './interleaving-operations.ts'

/** A failure prints the seed and the path to it; more runs look further. */
const parameters = { seed: 20_260_401, numRuns: 200 }

/** What else can happen while a call is under way. */
const happenings = ['answers', 'fails', 'throws', 'cancelled', 'stopped'] as const

/** Turns of the event loop: no awaited call can fail, and nothing else runs in between. */
const turn: readonly string[] = []

const cacheWaits = [
  'cache before SyncPod',
  'cache before SyncTerminatingPod',
  'cache before SyncTerminatedPod',
]
const mirrorCalls = ['mirror: delete', 'mirror: create']
const killCalls = ['SyncTerminatingPod: killPod', 'SyncTerminatingRuntimePod: killPod']
const ofSyncPod = [...mirrorCalls, 'SyncPod: syncPod']
const ofSyncTerminatingPod = ['SyncTerminatingPod: killPod', 'SyncTerminatingPod: getPodStatus']
const statusCalls = ['status: get', 'status: patch', 'status: delete']

/**
 * Every `await` of the worker loop, the sync functions, the status manager and what they call, with the calls of
 * ports in which it can wait. An await that is added to these files and not here is a failure.
 */
const awaits: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'workers/worker-loop.ts': {
    'Promise.resolve()': turn,
    'this.#attempt(start.work, signal.lastSyncAt, started)': [
      ...cacheWaits,
      ...ofSyncPod,
      ...ofSyncTerminatingPod,
      ...killCalls,
    ],
    'this.#deps.podSyncer.syncTerminatingRuntimePod(work.cancellation, {': [
      'SyncTerminatingRuntimePod: killPod',
    ],
    'this.#statusNewerThan(lastSyncAt, work.record.uid)': cacheWaits,
    'this.#deps.podCache.getNewerThan(uid, time)': cacheWaits,
    'sync(), hasSynced: true }': [...ofSyncPod, ...ofSyncTerminatingPod, ...killCalls],
    'this.#deps.podSyncer.syncTerminatedPod(cancellation, { pod, status, causes }),': turn,
    'this.#deps.podSyncer.syncTerminatingPod(cancellation, options))': ofSyncTerminatingPod,
  },
  'workers/kill-pod.ts': { 'new Promise<boolean>((resolve) => {': ['killPodNow'] },
  'pod-syncer.ts': {
    'this.#deps.mirrorReconciler.tryReconcileMirrorPods(pod, mirrorPod, causes))': mirrorCalls,
    'this.#deps.setUpPod()': turn,
    // Pods here have neither volumes nor pull secrets.
    'this.#deps.volumes?.waitForAttachAndMount(cancellation, pod, causes)': turn,
    'this.#deps.volumes?.waitForUnmount(cancellation, pod, causes)': turn,
    'checkPullSecrets(pod, this.#deps, causes)': turn,
    'this.#makePodDataFolders(pod, causes)': turn,
    'makePodDataFolders(containerHost, pod.metadata.uid)': turn,
    'runtime.syncPod(pod, withApiAddresses(status, apiStatus), because)': ['SyncPod: syncPod'],
    'this.#kill(pod, toRunningPod(status), gracePeriodSeconds, causes)': [
      'SyncTerminatingPod: killPod',
    ],
    'this.#stoppedStatus(pod, status)': ['SyncTerminatingPod: getPodStatus'],
    'runtime.killPod(pod, runningPod, gracePeriodSeconds, causes)': killCalls,
    'this.#deps.runtime.getPodStatus(uid, name, namespace ??': ['SyncTerminatingPod: getPodStatus'],
  },
  'pod/mirror-reconciler.ts': {
    'this.#deleteIfWrong(pod, mirror, causes))': ['mirror: delete'],
    'this.#deps.mirrorClient.createMirrorPod(pod, { why, causes })': ['mirror: create'],
    'this.#deps.mirrorClient.deleteMirrorPod(fullNameOf(pod), {': ['mirror: delete'],
  },
  'pod/mirror-client.ts': {
    'api.create(': ['mirror: create'],
    'api.delete(': ['mirror: delete'],
  },
  'status/status-manager.ts': {
    'this.#syncPod(uid, cached)': statusCalls,
    'Promise.allSettled(writers)).find(({ status }) => status ===': statusCalls,
    'Promise.resolve()': turn,
    'this.syncBatch(all)': statusCalls,
    'this.#writer.sync(uid, cached)': statusCalls,
  },
  'status/pod-status-writer.ts': {
    'api.get(keyOf(cached.pod), [cached.cause])': ['status: get'],
    'this.#write(fetched.value, cached)': ['status: patch'],
    'this.#deps.api.patch(': ['status: patch'],
    'this.#deps.api.delete(keyOf(pod), options, causes)': ['status: delete'],
  },
}

/** What cannot happen, and why. */
const impossible: ReadonlySet<string> = new Set([
  // A record that is terminated takes neither a transition nor another grace (pod-workers#updatepod, steps 6 and 7), so nothing cancels it.
  'cache before SyncTerminatedPod: cancelled',
  // The object goes when the worker is done, and a worker that is done takes no update (pod-workers#updatepod, step 5).
  'status: delete: cancelled',
  // It is killed with 1 s, the shortest grace.
  'SyncTerminatingRuntimePod: killPod: cancelled',
])

const awaitPoints = [
  ...new Set(Object.values(awaits).flatMap((each) => Object.values(each).flat())),
].filter((place) => place !== 'killPodNow')

const createdPod: readonly Operation[] = [
  { kind: 'create', name: 'a', grace: 30 },
  { kind: 'deliver' },
]
const runningPod: readonly Operation[] = [...createdPod, { kind: 'flow', calls: 8 }]
const deletedPod: readonly Operation[] = [
  ...runningPod,
  { kind: 'delete', which: 0, grace: 30 },
  { kind: 'deliver' },
]
const staticPod: readonly Operation[] = [
  { kind: 'manifest', slot: 'web-node', version: 0 },
  { kind: 'deliver' },
]
const kill: Operation = { kind: 'kill', which: 0, evict: false, override: undefined }
const shorterKill: Operation = { ...kill, override: 5 }

/** What leads to a call of each place. */
const stories: Readonly<Record<string, readonly Operation[]>> = {
  'cache before SyncPod': createdPod,
  'SyncPod: syncPod': createdPod,
  'status: get': createdPod,
  'status: patch': createdPod,
  'mirror: create': staticPod,
  'mirror: delete': [
    ...staticPod,
    { kind: 'flow', calls: 8 },
    { kind: 'deliver' },
    { kind: 'delete', which: 0, grace: 30 },
    { kind: 'deliver' },
  ],
  'cache before SyncTerminatingPod': deletedPod,
  'SyncTerminatingPod: killPod': deletedPod,
  'SyncTerminatingPod: getPodStatus': deletedPod,
  'cache before SyncTerminatedPod': deletedPod,
  'status: delete': deletedPod,
  // It is deleted by force while no kubelet sees it.
  'SyncTerminatingRuntimePod: killPod': [
    ...runningPod,
    { kind: 'restart', how: 'answers' },
    { kind: 'delete', which: 0, grace: 0 },
    { kind: 'deliver' },
    { kind: 'housekeeping' },
  ],
}

function awaitsIn(file: string): readonly string[] {
  const text = readFileSync(new URL(`../../../src/main/kubelet/${file}`, import.meta.url), 'utf8')
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
  return [...code.matchAll(/\bawait ([^'\n]+)/g)].map(([, what = '']) => what.trim())
}

describe('pod-workers#invariants', () => {
  it.each(Object.keys(awaits))('no await of %s is left out below', (file) => {
    expect(awaitsIn(file).toSorted()).toEqual(Object.keys(awaits[file] ?? {}).toSorted())
  })

  describe.each(awaitPoints)('%s', (place) => {
    it.each(happenings)('%s, and the kubelet converges', async (what) => {
      const interleaving = new Interleaving()
      for (const one of stories[place] ?? []) await interleaving.take(one)
      const which = await interleaving.reach(place)
      if (what === 'stopped') await interleaving.take({ kind: 'restart', how: 'answers' })
      else if (what === 'cancelled') await interleaving.take({ kind: 'cancel', which })
      else await interleaving.take({ kind: 'end', which, how: what })
      expect(interleaving.met.has(`${place}: ${what}`)).toBe(!impossible.has(`${place}: ${what}`))
      await interleaving.comeRight()
    })
  })

  it.each<readonly [string, readonly Operation[]]>([
    ['answers', [{ kind: 'flow', calls: 8 }]],
    ['fails', [{ kind: 'pass', seconds: 61 }]],
    ['cancelled', [{ kind: 'flow', calls: 1 }, shorterKill]],
    ['stopped', [{ kind: 'restart', how: 'answers' }]],
  ])('killPodNow %s, and all comes right', async (what, operations) => {
    const interleaving = new Interleaving()
    for (const one of [...runningPod, kill, ...operations]) await interleaving.take(one)
    expect(interleaving.met.has(`killPodNow: ${what}`)).toBe(true)
    await interleaving.comeRight()
  })

  it('hold when calls fail, are canceled or coincide with a stop, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(operations, async (sequence) => {
        const interleaving = new Interleaving()
        for (const one of sequence) {
          await interleaving.take(one)
          expect(interleaving.broken).toEqual([])
        }
        await interleaving.comeRight()
      }),
      parameters,
    )
  })
})
