import { describe, expect, it } from 'vitest'
import { answerSentence, fieldSentence } from './explanation-fields.ts'
import type { WorkerField } from './explanation-fields.ts'
import { sections, sectionTitle } from './explanation-sections.ts'
import { explain } from './explanation.ts'
import type { TraceData, TraceEvent, TraceKind, TraceSubject } from './trace-event.ts'

const pod = { kind: 'pod', uid: 'u', namespace: 'default', name: 'web' } as const
const node = { kind: 'node' } as const
const manifestUrl = { kind: 'source', source: 'http' } as const
const mirrorUid = '78229608-5a71-4ed3-a44d-a6890aa29bee'
const staticUid = 'e694aa37abf20c91a442da4841aeccdf'
const containerId = '31b07d7903818799f8081f48d65eacd832332afc40c1492017b7fcd5b9e1654f'
const until = Date.UTC(2026, 10, 21, 14, 2, 52)

function said<K extends TraceKind>(
  kind: K,
  data: TraceData[K],
  subject: TraceSubject = pod,
): readonly [section: string, sentence: string] {
  const around = { seq: 1, at: 0, cluster: 'sandbox', node: 'n', causes: [] }
  // Kind and data come as a pair; only their union loses it.
  const { section, sentence } = explain({ kind, data, subject, ...around } as unknown as TraceEvent)
  return [section, sentence]
}

/** One example of each kind: a kind without one does not compile. */
const examples: {
  readonly [K in TraceKind]: readonly [TraceData[K], string, string, TraceSubject?]
} = {
  'request.received': [
    {
      method: 'DELETE',
      path: '/api/v1/namespaces/default/pods/web',
      user: 'admin',
      client: 'kubectl',
    },
    '0.4',
    'kubectl, as admin, requests DELETE /api/v1/namespaces/default/pods/web from the API server.',
  ],
  'object.written': [
    { change: 'MODIFIED', resourceVersion: '88', user: 'system:node:n', subresource: 'status' },
    '1.7',
    'The API server changes the status of pods default/web for system:node:n (resourceVersion 88).',
    { kind: 'object', resource: 'pods', namespace: 'default', name: 'web', uid: 'u' },
  ],
  'command.received': [
    { act: 'kill', gracePeriodSeconds: 5 },
    '4.11',
    'A user requested on this page to kill the pod, with 5 s of grace.',
  ],
  'command.refused': [
    { act: 'evictByKubelet', message: 'A static pod counts as critical.' },
    '8.11',
    'The requested evictByKubelet was refused: A static pod counts as critical.',
  ],
  'node.commanded': [
    { act: 'powerOff' },
    '10',
    'A user requested on this page to power off this node.',
    node,
  ],
  'node.commandRefused': [
    { act: 'boot', message: 'The machine of n is on.' },
    '10',
    'The request to boot this node was refused: The machine of n is on.',
    node,
  ],
  'cluster.linkSwitched': [
    { cut: true },
    '9.4',
    'The nodes are disconnected from the API server. Kubelets continue with their last known pods; their writes wait.',
  ],
  'agent.started': [
    {},
    '5.8',
    'A kubelet starts with empty memory. It reads containers from the runtime and pods from their sources.',
    node,
  ],
  'agent.stopped': [
    {},
    '9.4',
    'The kubelet exits without writing anything; containers keep running.',
    node,
  ],
  'machine.switched': [
    { on: false },
    '10',
    'The machine is off: the kubelet and all containers are gone at once.',
    node,
  ],
  'manifest.changed': [
    { path: '/m/web.yaml', change: 'modified' },
    '1.5',
    'The file web.yaml in the manifest folder has changed, and is read again.',
  ],
  'manifest.rejected': [
    { path: '/m/web.yaml', message: 'not a Pod' },
    '1.4',
    'The manifest web.yaml is invalid: not a Pod.',
  ],
  'manifest.skipped': [
    { path: '/m/old', message: 'old is a folder and is not read.' },
    '1.5',
    'old is a folder and is not read.',
  ],
  'source.failed': [
    { message: 'EACCES' },
    '1.5',
    'Reading the file source failed: EACCES.',
    { kind: 'source', source: 'file' },
  ],
  'source.recovered': [
    { awayMs: 61_000 },
    '1.7',
    'Reading the api source works again, after 61 s.',
    { kind: 'source', source: 'api' },
  ],
  'config.merged': [
    { source: 'api', op: 'DELETE', mirror: true },
    '3.4',
    'The mirror pod has a deletionTimestamp: the merge sends DELETE. The containers keep running, and SyncPod recreates the mirror.',
  ],
  'config.invalid': [
    { source: 'file', message: 'two pods of one name' },
    '5.2',
    'The merge ignores a pod of the file source: two pods of one name.',
  ],
  'loop.config': [
    { source: 'file', op: 'ADD', pods: 2, names: ['a', 'b'] },
    '5.5',
    'The sync loop passes ADD of two pods from the file source to HandlePodAdditions.',
    node,
  ],
  'loop.sync': [{ pods: 1 }, '5.5', 'The loop’s 1 s tick finds one pod due for a sync.', node],
  'loop.pleg': [
    { type: 'ContainerDied', containerId },
    '5.5',
    'The sync loop receives ContainerDied of 31b07d7903818 from PLEG and syncs the pod.',
  ],
  'loop.housekeeping': [
    { orphans: 0, skipped: false, message: 'pods that have no worker' },
    '5.8',
    'Housekeeping, every two seconds: pods that have no worker.',
    node,
  ],
  'pod.rejected': [
    { reason: 'OutOfcpu', message: 'Node didn’t have enough resource: cpu' },
    '5.7',
    'The kubelet rejects the pod at admission; it is Failed and gets no worker: OutOfcpu, Node didn’t have enough resource: cpu.',
  ],
  'pod.notSimulated': [
    {
      fields: ['spec.containers[0].livenessProbe', 'spec.volumes[0].configMap'],
      rules: ['liveness-probe', 'volume-config-map'],
    },
    '7.1',
    'The simulator does not act on these fields, or not as a real node does: spec.containers[0].livenessProbe, spec.volumes[0].configMap.',
  ],
  'pod.deadlineExceeded': [
    { activeMs: 20_400, activeDeadlineSeconds: 20 },
    '5.9',
    'The pod has been active for 20 s; the limit is 20 s: the kubelet makes it Failed, which stops it.',
  ],
  'podManager.changed': [
    { op: 'set', mirror: false },
    '2.2',
    'The pod manager stores the pod by UID and by full name.',
  ],
  'uid.linked': [
    { mirrorUid, staticUid },
    '2.2',
    'Mirror UID 78229608…9bee now translates to static UID e694aa37…ccdf: they share a full name.',
  ],
  'uid.unlinked': [
    { mirrorUid, staticUid },
    '2.3',
    'Mirror UID 78229608…9bee no longer translates to static UID e694aa37…ccdf: the mirror is gone.',
  ],
  'worker.updated': [
    {
      updateType: 'update',
      outcome: 'pending',
      transition: 'deletionTimestamp',
      gracePeriodSeconds: 30,
      message: '',
    },
    '4.4',
    'UpdatePod(update) requests the termination, because the object has a deletionTimestamp, with 30 s of grace.',
  ],
  'worker.waiting': [
    { blockedByUid: staticUid },
    '4.5',
    'The static pod waits: its full name is still used by UID e694aa37…ccdf.',
  ],
  'worker.started': [
    { sinceSeenMs: 12.4 },
    '4.5',
    'The worker may start, 12 ms after the pod was first seen.',
  ],
  'worker.syncStarted': [
    { workType: 'terminating', updateType: 'kill', gracePeriodSeconds: 30 },
    '4.13',
    'SyncTerminatingPod begins, after an update of type kill, to stop the containers of the pod, with 30 s of grace.',
  ],
  'worker.syncFinished': [
    { workType: 'sync', outcome: 'error', message: 'network is not ready', durationMs: 4 },
    '4.8',
    'SyncPod failed after 4 ms and will be retried: network is not ready.',
  ],
  'worker.transitioned': [
    { to: 'terminated', why: 'its containers have stopped' },
    '4.3',
    'The pod is terminated (its containers have stopped): no container of it can be running.',
  ],
  'worker.acknowledgedTerminating': [
    {},
    '4.8',
    'The worker has started termination: SyncPod does not run again for it.',
  ],
  'worker.requeued': [
    { delayMs: 72_400, why: 'resync' },
    '4.8',
    'The sync succeeded; the worker syncs again in 72 s.',
  ],
  'worker.forgotten': [
    { why: 'restartRequested' },
    '4.9',
    'The worker’s record is removed so that the same UID can start again.',
  ],
  'mirror.created': [
    { mirrorUid, why: 'missing' },
    '3.1',
    'The static pod had no mirror, so the kubelet creates one with UID 78229608…9bee.',
  ],
  'mirror.deleted': [
    { mirrorUid, why: 'stale' },
    '3.3',
    'The kubelet deletes mirror 78229608…9bee: its hash belongs to another version of the manifest.',
  ],
  'mirror.failed': [
    { act: 'create', message: 'namespaces "x" not found' },
    '3.1',
    'The mirror could not be created; the next sync retries: namespaces "x" not found.',
  ],
  'mirror.skipped': [
    { message: 'not created: the Node is not known yet' },
    '3.3',
    'The mirror is not created: the Node is not known yet.',
  ],
  'status.cached': [
    { version: 7, phase: 'Failed', reason: 'Evicted' },
    '6.2',
    'The status manager caches version 7 of the status (phase Failed, reason Evicted), to be sent to the API server.',
  ],
  'status.rejected': [
    { message: 'container web may not leave Terminated' },
    '6.2',
    'The status manager rejects an invalid status: container web may not leave Terminated.',
  ],
  'status.patched': [
    { version: 7, phase: 'Running', reason: '' },
    '6.5',
    'The kubelet writes version 7 of the status to the API server (phase Running).',
  ],
  'status.withheld': [
    { phase: 'Failed', message: 'containers could still be running' },
    '6.6',
    'The phase Failed is withheld from the API server: containers could still be running.',
  ],
  'status.dropped': [
    { message: 'pod was deleted and then recreated' },
    '6.5',
    'The status is dropped: pod was deleted and then recreated.',
  ],
  'status.failed': [
    { message: 'connection refused' },
    '6.5',
    'The status could not be written; the next round retries: connection refused.',
  ],
  'status.podDeleted': [
    { uid: mirrorUid },
    '6.5',
    'The worker has finished and the phase is final, so the kubelet deletes the object with grace period 0 and UID 78229608…9bee as precondition.',
  ],
  'image.pulling': [
    { container: 'web', image: 'nginx:1.28' },
    '7.5',
    'The image nginx:1.28 of container web is being pulled.',
  ],
  'image.pulled': [
    { container: 'web', image: 'nginx:1.28', durationMs: 1240, present: false },
    '7.5',
    'The image nginx:1.28 of container web is pulled, which took 1.2 s.',
  ],
  'image.failed': [
    { container: 'web', image: 'nginx:none', message: 'not found' },
    '7.5',
    'The image nginx:none of container web cannot be pulled: not found.',
  ],
  'sandbox.started': [
    { sandboxId: containerId, attempt: 0, ip: '10.88.0.14' },
    '7.1',
    'Sandbox 31b07d7903818 is up (attempt 0) and gives the pod the address 10.88.0.14.',
  ],
  'sandbox.stopped': [
    { sandboxId: containerId },
    '7.6',
    'Sandbox 31b07d7903818 is stopped; the pod has no network.',
  ],
  'container.created': [
    { container: 'web', containerId, attempt: 1 },
    '7.1',
    'Container web is created as 31b07d7903818 (attempt 1).',
  ],
  'container.started': [
    { container: 'web', containerId },
    '7.1',
    'Container web (31b07d7903818) runs.',
  ],
  'container.notSimulated': [
    { container: 'web', containerId },
    '7.1',
    'The simulator cannot know what the command of container web does next; the container runs until it is stopped, then exits 0.',
  ],
  'container.backOff': [
    { container: 'web', delayMs: 20_000, until },
    '7.4',
    'Container web keeps exiting; the back-off delays its restart until 14:02:52, for 20 s.',
  ],
  'container.killing': [
    { container: 'web', containerId, gracePeriodSeconds: 30, why: 'Stopping container web' },
    '7.6',
    'The kubelet stops container web with 30 s between SIGTERM and SIGKILL: Stopping container web.',
  ],
  'container.signalled': [
    { container: 'web', containerId, signal: 'SIGKILL' },
    '7.6',
    'The runtime sends SIGKILL to container web.',
  ],
  'container.exited': [
    { container: 'web', containerId, exitCode: 137, reason: 'Error' },
    '7.6',
    'Container web exited 137 (Error, ended by SIGKILL).',
  ],
  'container.failed': [
    { container: 'web', reason: 'RunContainerError', message: 'no such command' },
    '7.8',
    'Container web could not be started: RunContainerError, no such command.',
  ],
  'pleg.event': [
    { type: 'ContainerDied', containerId },
    '7.14',
    'PLEG lists containers and sandboxes and finds that 31b07d7903818 has exited.',
  ],
  'eviction.requested': [
    { message: 'The node was low on resource: memory. ', gracePeriodSeconds: 1 },
    '8.7',
    'The kubelet evicts the pod with a grace period of 1 s: The node was low on resource: memory.',
  ],
  'eviction.refused': [
    { message: 'it is critical' },
    '8.7',
    'The kubelet does not evict the pod: it is critical.',
  ],
  'eviction.completed': [
    { timedOut: false },
    '8.7',
    'The containers of the evicted pod have stopped; its object stays in the API.',
  ],
  'node.registered': [
    { created: true, corrected: [] },
    '9.1',
    'The kubelet has created its Node object.',
    node,
  ],
  'shutdown.started': [
    { pods: 3, seconds: 30 },
    '10',
    'The node is shutting down: it is not Ready, rejects new pods and has at most 30 s to terminate 3 pods, in groups from low to high priority.',
    node,
  ],
  'shutdown.groupStarted': [
    { priority: 0, seconds: 20, pods: 1 },
    '10',
    'The group of priority 0 terminates: one pod at once, within 20 s.',
    node,
  ],
  'shutdown.podKilled': [
    { priority: 0, gracePeriodSeconds: 20 },
    '10',
    'The shutdown terminates the pod with a grace period of 20 s: its own or its group’s, whichever is shorter.',
  ],
  'shutdown.podStopped': [
    { timedOut: false },
    '10',
    'The containers of the pod have stopped; its object stays, Terminated.',
  ],
  'shutdown.groupEnded': [
    { priority: 0, left: 2 },
    '10',
    'The time of the group of priority 0 is over with 2 pods not stopped; the next group follows anyway.',
    node,
  ],
  'shutdown.finished': [{}, '10', 'All groups are done: the kubelet releases the shutdown.', node],
  'shutdown.cancelled': [
    { waits: true },
    '10',
    'The shutdown is canceled; this takes effect after the last group.',
    node,
  ],
  'node.left': [
    { act: 'condition' },
    '9.7',
    'Before it exits the kubelet writes Ready False, AgentExit, into its Node, as configured.',
    node,
  ],
  'node.leaveFailed': [
    { act: 'delete', message: 'forbidden' },
    '9.7',
    'The kubelet could not delete its Node: forbidden.',
    node,
  ],
  'preemption.decided': [
    { missing: '[(res: cpu, q: 500), ]', victims: ['a_default(1)', 'b_default(2)'] },
    '8.10',
    'The critical pod lacks [(res: cpu, q: 500), ], so the kubelet preempts a_default(1), b_default(2); the sync loop waits until they have stopped.',
  ],
  'preemption.requested': [
    { forPod: 'dns_kube-system(3)', message: 'Preempted in order to admit critical pod' },
    '8.10',
    'The kubelet kills the pod with its own grace period to make room for the critical pod dns_kube-system(3).',
  ],
  'preemption.completed': [
    { timedOut: false },
    '8.10',
    'The containers of the preempted pod have stopped; its object stays in the API.',
  ],
  'node.registrationFailed': [
    { message: 'connection refused', retryMs: 200 },
    '9.1',
    'The node could not be registered; retrying in 200 ms: connection refused.',
    node,
  ],
  'node.statusWritten': [
    { ready: true, changed: false },
    '9.3',
    'The kubelet writes the status of its node, Ready, after five minutes without a change.',
    node,
  ],
  'node.statusFailed': [
    { message: 'timeout' },
    '9.3',
    'The status of the node could not be written: timeout.',
    node,
  ],
  'lease.renewed': [
    { renewTime: '2026-11-21T14:02:27.000000Z' },
    '9.4',
    'The kubelet renews its lease (2026-11-21T14:02:27.000000Z).',
    node,
  ],
  'lease.failed': [
    { message: 'timeout' },
    '9.4',
    'The lease could not be written; if this continues, the node becomes Unknown: timeout.',
    node,
  ],
  'event.recorded': [
    { type: 'Warning', reason: 'BackOff', message: 'Back-off restarting', fieldPath: '' },
    '1.8',
    'The kubelet records the Warning event BackOff: Back-off restarting.',
  ],
}

/** The headings of the kubelet semantics. */
const headings = (
  '0.1 0.2 0.3 0.4 1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 2.1 2.2 2.3 2.4 2.5 3.1 3.2 3.3 3.4 3.5 3.6 ' +
  '4.1 4.2 4.3 4.4 4.5 4.6 4.7 4.8 4.9 4.10 4.11 4.12 4.13 4.14 4.15 4.16 ' +
  '5.1 5.2 5.3 5.4 5.5 5.6 5.7 5.8 5.9 6.1 6.2 6.3 6.4 6.5 6.6 6.7 ' +
  '7.1 7.2 7.3 7.4 7.5 7.6 7.7 7.8 7.9 7.10 7.11 7.12 7.13 7.14 ' +
  '8.1 8.2 8.3 8.4 8.5 8.6 8.7 8.8 8.9 8.10 8.11 10 9.1 9.2 9.3 9.4 9.5 9.6 9.7 11.1 11.2 11.3 11.4'
).split(' ')

// `examples` is a literal of exactly these keys.
const kinds = Object.keys(examples) as TraceKind[]

describe('an explanation', () => {
  it.each(kinds)('of %s has the event’s own values and a section', (kind) => {
    const [data, section, sentence, subject] = examples[kind]
    expect(said(kind, data, subject)).toEqual([section, sentence])
  })

  it.each([
    [
      said('worker.updated', {
        updateType: 'create',
        outcome: 'pending',
        transition: '',
        gracePeriodSeconds: null,
        message: '',
      }),
      ['4.4', 'UpdatePod(create) queues the update, in place of any pending update.'],
    ],
    [
      said('worker.updated', {
        updateType: 'sync',
        outcome: 'pending',
        transition: '',
        gracePeriodSeconds: 5,
        message: '',
      }),
      ['4.6', 'UpdatePod(sync) updates a pod that is already terminating, with 5 s of grace.'],
    ],
    [
      said('worker.updated', {
        updateType: 'kill',
        outcome: 'pending',
        transition: 'killed',
        gracePeriodSeconds: 5,
        message: '',
        cancels: true,
      }),
      [
        '4.4',
        'UpdatePod(kill) requests the termination, because it is killed, or no source has it, with 5 s of grace; the running sync is canceled.',
      ],
    ],
    [
      said('worker.updated', {
        updateType: 'update',
        outcome: 'ignored',
        transition: '',
        gracePeriodSeconds: null,
        message: 'the worker has finished',
      }),
      ['4.4', 'UpdatePod(update) changes nothing: the worker has finished.'],
    ],
    [
      said('worker.updated', {
        updateType: 'sync',
        outcome: 'ignored',
        transition: '',
        gracePeriodSeconds: 1,
        message: 'the worker has finished',
        repeated: 58,
        repeatedForMs: 57_000,
      }),
      [
        '4.4',
        'UpdatePod(sync) changes nothing: the worker has finished. 58 times in a row within 57 s.',
      ],
    ],
    [
      said('config.merged', { source: 'api', op: 'DELETE', mirror: false }),
      [
        '5.2',
        'The object has a deletionTimestamp: the merge sends DELETE, and the worker terminates the pod.',
      ],
    ],
    [
      said('loop.housekeeping', { orphans: 0, skipped: true, message: 'no source yet' }, node),
      ['5.4', 'Housekeeping skipped: no source yet.'],
    ],
    [
      said('loop.pleg', { type: 'ContainerRemoved', containerId: 'c1' }),
      ['5.5', 'The sync loop notes that c1 was removed.'],
    ],
    [
      said('manifest.changed', { path: 'https://m.example/pods', change: 'added' }, manifestUrl),
      [
        '1.6',
        'The manifest URL https://m.example/pods responds for the first time, and its body is read.',
      ],
    ],
    [
      said('manifest.changed', { path: 'https://m.example/pods', change: 'modified' }, manifestUrl),
      [
        '1.6',
        'The manifest URL https://m.example/pods responds with changed content, which is read.',
      ],
    ],
    [
      said('manifest.changed', { path: 'https://m.example/pods', change: 'removed' }, manifestUrl),
      [
        '1.6',
        'The manifest URL https://m.example/pods responds with an empty body, so its pods are removed.',
      ],
    ],
    [
      said('loop.config', { source: 'http', op: 'ADD', pods: 0, names: [] }, node),
      ['5.5', 'The http source reports for the first time, without pods.'],
    ],
    [
      said('object.written', {
        change: 'ADDED',
        resourceVersion: '9',
        user: 'admin',
        subresource: '',
      }),
      ['1.7', 'The API server stores the new pod default/web for admin (resourceVersion 9).'],
    ],
    [
      said('source.failed', { message: 'refused' }, { kind: 'source', source: 'api' }),
      ['1.7', 'Reading the api source failed; the kubelet keeps its current pods: refused.'],
    ],
    [
      said('mirror.deleted', { mirrorUid: '', why: 'orphan' }),
      ['3.5', 'The kubelet deletes the mirror: no static pod has its full name.'],
    ],
  ])('differs within a kind: %j', (explained, expected) => {
    expect(explained).toEqual(expected)
  })

  it.each([
    ['zero', { exitCode: 0, reason: 'Completed' }, '0 (Completed, ended well)'],
    ['own', { exitCode: 42, reason: 'Error' }, '42 (Error)'],
    ['bare', { exitCode: 42, reason: '' }, '42.'],
    ['SIGTERM', { exitCode: 143, reason: 'Error' }, '143 (Error, ended by SIGTERM)'],
  ])('says what exit code %s means', (_, part, words) => {
    expect(said('container.exited', { container: 'c', containerId, ...part })[1]).toContain(words)
  })
})

describe('the sections', () => {
  it('are headings of the semantics', () => {
    expect(Object.keys(sections).filter((section) => !headings.includes(section))).toEqual([])
  })

  it('say what they are about, and nothing where they are not known', () => {
    expect([sectionTitle('4.8'), sectionTitle('4.99'), sectionTitle('toString')]).toEqual([
      'The loop of a pod worker',
      '',
      '',
    ])
  })
})

describe('the fields of the worker record', () => {
  it.each<WorkerField>(['state', 'gracePeriodSeconds', 'restartRequested', 'statusVersion'])(
    'have one sentence: %s',
    (field) => {
      expect(fieldSentence(field)).toMatch(/^[A-Z][^.]+\.$/)
    },
  )

  it('differ by their answer where the kubelet acts on it', () => {
    expect(answerSentence('contentMayBeRemoved', true)).toBe(
      'All its dead containers may be removed, with their logs.',
    )
    expect(answerSentence('contentMayBeRemoved', false)).toContain('is kept')
  })
})
