import { describe, expect, it } from 'vitest'
import type { WorkerView } from '../../../shared/model/worker-view.ts'
import { fakeMirrorOf, fakePod, fakeStaticPod } from '../../kubelet/pod/fake-pod.ts'
import { idleWorker } from './fake-worker-view.ts'
import { mirrorReason } from './mirror-reason.ts'
import type { PodKnowledge } from './pod-knowledge.ts'

const pod = fakeStaticPod()
const stale = fakeMirrorOf(fakeStaticPod({ uid: 'old' }))
const deleting = fakeMirrorOf(pod, { metadata: { deletionTimestamp: '1970-01-01T00:00:30Z' } })
const due: WorkerView = { ...idleWorker, nextSyncAt: Date.parse('1970-01-01T14:02:52Z') }
const inState = (state: WorkerView['state']): WorkerView => ({ ...idleWorker, state })

function reason(shape: Partial<PodKnowledge>): string {
  return mirrorReason({
    cluster: 'sandbox',
    node: 'n',
    pod,
    mirror: undefined,
    localStatus: undefined,
    worker: idleWorker,
    grace: undefined,
    runningContainers: 0,
    api: undefined,
    noKubelet: '',
    isListed: true,
    mirrorFailure: undefined,
    isServerAway: false,
    notSimulated: [],
    ...shape,
  })
}

describe('mirrorReason', () => {
  it.each<readonly [string, Partial<PodKnowledge>, string]>([
    ['matched', { mirror: fakeMirrorOf(pod) }, ''],
    ['of a regular pod', { pod: fakePod() }, ''],
    [
      'an orphan',
      { pod: fakeMirrorOf(fakeStaticPod({ uid: 'gone' })), worker: undefined },
      'The node has no static pod of this name; housekeeping deletes it within 2 s, once every source has been read.',
    ],
    [
      'missing, no worker',
      { worker: undefined },
      'It has no worker, and only SyncPod creates the mirror.',
    ],
    [
      'missing, waiting',
      { worker: inState('waiting') },
      'Its worker waits to start; the first SyncPod creates the mirror.',
    ],
    [
      'missing, stopping',
      { worker: inState('TerminatingPod') },
      'The pod is terminating: SyncPod, which creates the mirror, no longer runs.',
    ],
    [
      'missing, ended',
      { worker: inState('finished') },
      'The pod has terminated: SyncPod, which creates the mirror, no longer runs.',
    ],
    [
      'missing, server away',
      { isServerAway: true, mirrorFailure: 'connection refused' },
      'The API server does not respond; the first SyncPod afterwards creates the mirror.',
    ],
    [
      'missing, refused',
      { mirrorFailure: 'namespaces "shop" not found', worker: due },
      'Not created: namespaces "shop" not found; the next SyncPod, at 14:02:52 or before, retries.',
    ],
    [
      'missing, SyncPod at work',
      { worker: { ...due, working: true } },
      'SyncPod is running and creates it.',
    ],
    [
      'missing, later',
      { worker: due },
      'It is missing; the next SyncPod, at 14:02:52 or before, creates it.',
    ],
    [
      'stale, waiting',
      { mirror: stale, worker: inState('waiting') },
      'It was created from another version of the manifest; the first SyncPod deletes it by its UID and recreates it.',
    ],
    [
      'stale, later',
      { mirror: stale, worker: due },
      'It was created from another version of the manifest; the next SyncPod, at 14:02:52 or before, deletes it by its UID and recreates it; the containers keep running.',
    ],
    [
      'deleting, stopping',
      { mirror: deleting, worker: inState('TerminatedPod') },
      'A delete was requested through the API; SyncPod, which would replace it, no longer runs for this pod.',
    ],
    [
      'deleting, server away',
      { mirror: deleting, isServerAway: true },
      'A delete was requested through the API; it is replaced when the API server responds again.',
    ],
  ])('says one sentence: %s', (_what, shape, text) => {
    expect(reason(shape)).toBe(text)
  })
})
