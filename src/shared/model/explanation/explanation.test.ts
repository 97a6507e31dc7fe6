import { describe, expect, it } from 'vitest'
import { answerSentence, fieldSentence } from './explanation-fields.ts'
import type { WorkerField } from './explanation-fields.ts'
import { shortId } from './explanation-words.ts'
import { explain } from './explanation.ts'
import type { TraceData, TraceEvent, TraceKind, TraceSubject } from '../trace-event.ts'

const pod = { kind: 'pod', uid: 'u', namespace: 'default', name: 'web' } as const
const node = { kind: 'node' } as const
const manifestUrl = { kind: 'source', source: 'http' } as const
const settings = {
  kind: 'object',
  resource: 'configmaps',
  namespace: 'default',
  name: 'settings',
  uid: 'u',
} as const
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
    'api-server#kubelet-writes',
    'kubectl, as admin, requests DELETE /api/v1/namespaces/default/pods/web from the API server.',
  ],
  'object.written': [
    { change: 'MODIFIED', resourceVersion: '88', user: 'system:node:n', subresource: 'status' },
    'sources#api-source',
    'The API server changes the status of pods default/web for system:node:n (resourceVersion 88).',
    { kind: 'object', resource: 'pods', namespace: 'default', name: 'web', uid: 'u' },
  ],
  'object.received': [
    { change: 'ADDED', resourceVersion: '88' },
    'containers#environment',
    'The kubelet’s watch receives configmaps default/settings (resourceVersion 88); volumes get it at their next mount or sync, environment variables only when a container starts.',
    settings,
  ],
  'command.received': [
    { act: 'kill', gracePeriodSeconds: 5 },
    'termination#killpodnow',
    'A user requested on this page to kill the pod, with 5 s of grace.',
  ],
  'command.refused': [
    { act: 'evictByKubelet', message: 'A static pod counts as critical.' },
    'termination#ways-to-stop-a-pod',
    'The requested evictByKubelet was refused: A static pod counts as critical.',
  ],
  'node.commanded': [
    { act: 'powerOff' },
    'node#graceful-shutdown',
    'A user requested on this page to power off this node.',
    node,
  ],
  'node.commandRefused': [
    {
      act: 'failCall',
      call: { call: 'StopContainer', how: 'hangs', pod: { namespace: 'default', name: 'web' } },
      message: 'The machine of n is off.',
    },
    'containers#pleg',
    'The request to make StopContainer of default/web hang on this node was refused: The machine of n is off.',
    node,
  ],
  'cluster.linkSwitched': [
    { cut: true },
    'node#lease',
    'The nodes are disconnected from the API server. Kubelets continue with their last known pods; their writes wait.',
  ],
  'cluster.faultsChanged': [
    { faults: 'Error code=500; CutOff node=n1' },
    'node#lease',
    'The sandbox now makes fail on purpose: Error code=500; CutOff node=n1.',
  ],
  'agent.started': [
    {},
    'sync-loop#housekeeping',
    'A kubelet starts with empty memory. It reads containers from the runtime and pods from their sources.',
    node,
  ],
  'agent.stopped': [
    {},
    'node#lease',
    'The kubelet exits without writing anything; containers keep running.',
    node,
  ],
  'machine.switched': [
    { on: false },
    'node#graceful-shutdown',
    'The machine is off: the kubelet and all containers are gone at once.',
    node,
  ],
  'manifest.changed': [
    { path: '/m/web.yaml', change: 'modified' },
    'sources#file-source',
    'The file web.yaml in the manifest folder has changed, and is read again.',
  ],
  'manifest.rejected': [
    { path: '/m/web.yaml', message: 'not a Pod' },
    'identity#static-pods',
    'The manifest web.yaml is invalid: not a Pod.',
  ],
  'manifest.skipped': [
    { path: '/m/old', message: 'old is a folder and is not read.' },
    'sources#file-source',
    'old is a folder and is not read.',
  ],
  'source.failed': [
    { message: 'EACCES' },
    'sources#file-source',
    'Reading the file source failed: EACCES.',
    { kind: 'source', source: 'file' },
  ],
  'source.recovered': [
    { awayMs: 61_000 },
    'sources#api-source',
    'Reading the api source works again, after 61 s.',
    { kind: 'source', source: 'api' },
  ],
  'config.merged': [
    { source: 'api', op: 'DELETE', mirror: true },
    'mirror-pods#scenarios',
    'The mirror pod has a deletionTimestamp: the merge sends DELETE. The containers keep running, and SyncPod recreates the mirror.',
  ],
  'config.invalid': [
    { source: 'file', message: 'two pods of one name' },
    'sources#merge',
    'The merge ignores a pod of the file source: two pods of one name.',
  ],
  'loop.config': [
    { source: 'file', op: 'ADD', pods: 2, names: ['a', 'b'] },
    'sync-loop#inputs',
    'The sync loop passes ADD of two pods from the file source to HandlePodAdditions.',
    node,
  ],
  'loop.sync': [
    { pods: 1 },
    'sync-loop#inputs',
    'The loop’s 1 s tick finds one pod due for a sync.',
    node,
  ],
  'loop.pleg': [
    { type: 'ContainerDied', containerId },
    'sync-loop#inputs',
    'The sync loop receives ContainerDied of 31b07d7903818 from PLEG and syncs the pod.',
  ],
  'loop.probe': [
    { probe: 'readiness', result: 'success', containerId },
    'sync-loop#inputs',
    'The sync loop receives success of the readiness probe of 31b07d7903818, writes it into the status and syncs the pod.',
  ],
  'loop.housekeeping': [
    { orphans: 0, skipped: false, message: 'pods that have no worker' },
    'sync-loop#housekeeping',
    'Housekeeping, every two seconds: pods that have no worker.',
    node,
  ],
  'pod.rejected': [
    { reason: 'OutOfcpu', message: 'Node didn’t have enough resource: cpu' },
    'admission#handlers',
    'The kubelet rejects the pod at admission; it is Failed and gets no worker: OutOfcpu, Node didn’t have enough resource: cpu.',
  ],
  'pod.resize': [
    { outcome: 'Deferred', message: 'Node didn’t have enough resource: cpu' },
    'containers#in-place-resize',
    'The resize of the pod has to wait; the kubelet tries it again: Node didn’t have enough resource: cpu.',
  ],
  'pod.notSimulated': [
    {
      fields: ['spec.containers[0].livenessProbe', 'spec.volumes[0].csi'],
      rules: ['liveness-probe', 'volume-csi'],
    },
    'containers#runtime-sync',
    'The simulator does not act on these fields, or not as a real node does: spec.containers[0].livenessProbe, spec.volumes[0].csi.',
  ],
  'pod.deadlineExceeded': [
    { activeMs: 20_400, activeDeadlineSeconds: 20 },
    'termination#active-deadline',
    'The pod has been active for 20 s; the limit is 20 s: the kubelet makes it Failed, which stops it.',
  ],
  'podManager.changed': [
    { op: 'set', mirror: false },
    'pod-manager#add-and-update',
    'The pod manager stores the pod by UID and by full name.',
  ],
  'uid.linked': [
    { mirrorUid, staticUid },
    'pod-manager#add-and-update',
    'Mirror UID 78229608…9bee now translates to static UID e694aa37…ccdf: they share a full name.',
  ],
  'uid.unlinked': [
    { mirrorUid, staticUid },
    'pod-manager#remove',
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
    'pod-workers#updatepod',
    'UpdatePod(update) requests the termination, because the object has a deletionTimestamp, with 30 s of grace.',
  ],
  'worker.waiting': [
    { blockedByUid: staticUid },
    'pod-workers#starting-a-sync',
    'The static pod waits: its full name is still used by UID e694aa37…ccdf.',
  ],
  'worker.started': [
    { sinceSeenMs: 12.4 },
    'pod-workers#starting-a-sync',
    'The worker may start, 12 ms after the pod was first seen.',
  ],
  'worker.syncStarted': [
    { workType: 'terminating', updateType: 'kill', gracePeriodSeconds: 30 },
    'pod-workers#sync-functions',
    'SyncTerminatingPod begins, after an update of type kill, to stop the containers of the pod, with 30 s of grace.',
  ],
  'worker.syncFinished': [
    { workType: 'sync', outcome: 'error', message: 'network is not ready', durationMs: 4 },
    'pod-workers#worker-loop',
    'SyncPod failed after 4 ms and will be retried: network is not ready.',
  ],
  'worker.transitioned': [
    { to: 'terminated', why: 'its containers have stopped' },
    'pod-workers#states',
    'The pod is terminated (its containers have stopped): no container of it can be running.',
  ],
  'worker.acknowledgedTerminating': [
    {},
    'pod-workers#worker-loop',
    'The worker has started termination: SyncPod does not run again for it.',
  ],
  'worker.requeued': [
    { delayMs: 72_400, why: 'resync' },
    'pod-workers#worker-loop',
    'The sync succeeded; the worker syncs again in 72 s.',
  ],
  'worker.forgotten': [
    { why: 'restartRequested' },
    'pod-workers#reuse-of-a-uid',
    'The worker’s record is removed so that the same UID can start again.',
  ],
  'worker.observed': [
    {
      state: 'TerminatingPod',
      certainty: 'likely',
      because: 'It has a deletionTimestamp.',
      evidence: [],
    },
    'from-outside#evidence-and-certainty',
    'The worker is in TerminatingPod (inferred, likely). It has a deletionTimestamp.',
  ],
  'log.entry': [
    { mark: 'loop', text: 'SyncLoop ADD', line: 12 },
    'from-outside#reading-its-log',
    'Line 12 of the log: SyncLoop ADD.',
  ],
  'mirror.created': [
    { mirrorUid, why: 'missing' },
    'mirror-pods#creation',
    'The static pod had no mirror, so the kubelet creates one with UID 78229608…9bee.',
  ],
  'mirror.deleted': [
    { mirrorUid, why: 'stale' },
    'mirror-pods#reconciliation',
    'The kubelet deletes mirror 78229608…9bee: its hash belongs to another version of the manifest.',
  ],
  'mirror.failed': [
    { act: 'create', message: 'namespaces "x" not found' },
    'mirror-pods#creation',
    'The mirror could not be created; the next sync retries: namespaces "x" not found.',
  ],
  'mirror.skipped': [
    { message: 'not created: the Node is not known yet' },
    'mirror-pods#reconciliation',
    'The mirror is not created: the Node is not known yet.',
  ],
  'status.cached': [
    { version: 7, phase: 'Failed', reason: 'Evicted' },
    'status#cache-updates',
    'The status manager caches version 7 of the status (phase Failed, reason Evicted), to be sent to the API server.',
  ],
  'status.rejected': [
    { message: 'container web may not leave Terminated' },
    'status#cache-updates',
    'The status manager rejects an invalid status: container web may not leave Terminated.',
  ],
  'status.patched': [
    { version: 7, phase: 'Running', reason: '' },
    'status#sending-a-status',
    'The kubelet writes version 7 of the status to the API server (phase Running).',
  ],
  'status.withheld': [
    { phase: 'Failed', message: 'containers could still be running' },
    'status#merge',
    'The phase Failed is withheld from the API server: containers could still be running.',
  ],
  'status.dropped': [
    { message: 'pod was deleted and then recreated' },
    'status#sending-a-status',
    'The status is dropped: pod was deleted and then recreated.',
  ],
  'status.failed': [
    { message: 'connection refused' },
    'status#sending-a-status',
    'The status could not be written; the next round retries: connection refused.',
  ],
  'status.podDeleted': [
    { uid: mirrorUid },
    'status#sending-a-status',
    'The worker has finished and the phase is final, so the kubelet deletes the object with grace period 0 and UID 78229608…9bee as precondition.',
  ],
  'image.pulling': [
    { container: 'web', image: 'nginx:1.28' },
    'images#pull-policy',
    'The image nginx:1.28 of container web is being pulled.',
  ],
  'image.pulled': [
    { container: 'web', image: 'nginx:1.28', durationMs: 1240, present: false },
    'images#pull-policy',
    'The image nginx:1.28 of container web is pulled, which took 1.2 s.',
  ],
  'image.failed': [
    { container: 'web', image: 'nginx:none', message: 'not found' },
    'images#pull-policy',
    'The image nginx:none of container web cannot be pulled: not found.',
  ],
  'image.removed': [
    { image: 'docker.io/library/nginx:1.28', sizeBytes: 72_404_038, reason: 'space' },
    'images#garbage-collection',
    'The image docker.io/library/nginx:1.28 (72 MB) is removed from the node: no container uses it, and the disk is too full.',
    { kind: 'node' },
  ],
  'sandbox.started': [
    { sandboxId: containerId, attempt: 0, ip: '10.88.0.14' },
    'containers#runtime-sync',
    'Sandbox 31b07d7903818 is up (attempt 0) and gives the pod the address 10.88.0.14.',
  ],
  'sandbox.stopped': [
    { sandboxId: containerId },
    'termination#stopping-containers',
    'Sandbox 31b07d7903818 is stopped; the pod has no network.',
  ],
  'container.created': [
    { container: 'web', containerId, attempt: 1 },
    'containers#runtime-sync',
    'Container web is created as 31b07d7903818 (attempt 1).',
  ],
  'container.started': [
    { container: 'web', containerId },
    'containers#runtime-sync',
    'Container web (31b07d7903818) runs.',
  ],
  'container.resized': [
    { container: 'web', containerId, resource: 'memory' },
    'containers#in-place-resize',
    'The runtime changes the memory of container web (31b07d7903818) while it runs.',
  ],
  'container.notSimulated': [
    { container: 'web', containerId },
    'containers#runtime-sync',
    'The simulator cannot know what the command of container web does next; the container runs until it is stopped, then exits 0.',
  ],
  'container.backOff': [
    { container: 'web', delayMs: 20_000, until },
    'containers#back-off',
    'Container web keeps exiting; the back-off delays its restart until 14:02:52, for 20 s.',
  ],
  'container.killing': [
    { container: 'web', containerId, gracePeriodSeconds: 30, why: 'Stopping container web' },
    'termination#stopping-containers',
    'The kubelet stops container web with 30 s between SIGTERM and SIGKILL: Stopping container web.',
  ],
  'container.signalled': [
    { container: 'web', containerId, signal: 'SIGKILL' },
    'termination#stopping-containers',
    'The runtime sends SIGKILL to container web.',
  ],
  'container.exited': [
    { container: 'web', containerId, exitCode: 137, reason: 'Error' },
    'termination#stopping-containers',
    'Container web exited 137 (Error, ended by SIGKILL).',
  ],
  'container.removed': [
    { container: 'app', containerId },
    'containers#garbage-collection',
    'The dead container app (31b07d7903818) is removed from the runtime, with its log.',
  ],
  'container.failed': [
    { container: 'web', reason: 'RunContainerError', message: 'no such command' },
    'containers#reasons',
    'Container web could not be started: RunContainerError, no such command.',
  ],
  'pleg.event': [
    { type: 'ContainerDied', containerId },
    'containers#pleg',
    'PLEG lists containers and sandboxes and finds that 31b07d7903818 has exited.',
  ],
  'hook.started': [
    { container: 'app', hook: 'postStart', handler: 'exec' },
    'containers#lifecycle-hooks',
    'The postStart hook (exec) of container app runs; the kubelet waits for it before it starts the next container.',
  ],
  'hook.ended': [
    { container: 'app', hook: 'preStop', failed: false, durationMs: 5000 },
    'containers#lifecycle-hooks',
    'The preStop hook of container app ended after 5 s.',
  ],
  'probe.failed': [
    {
      container: 'app',
      probe: 'liveness',
      outcome: 'failure',
      message: 'Liveness probe failed: HTTP probe failed with statuscode: 500',
    },
    'containers#probes',
    'A probe of container app failed: Liveness probe failed: HTTP probe failed with statuscode: 500.',
  ],
  'probe.resultChanged': [
    { container: 'app', containerId, probe: 'startup', result: 'success', probed: true },
    'containers#probes',
    'The startup probe of container app (31b07d7903818) now says success.',
  ],
  'volume.mounted': [
    { volume: 'config', plugin: 'kubernetes.io/configmap' },
    'containers#volumes',
    'Volume config (kubernetes.io/configmap) is set up.',
  ],
  'volume.updated': [
    { volume: 'config', plugin: 'kubernetes.io/configmap' },
    'containers#volumes',
    'The files of volume config changed; containers see them, except through a subPath.',
  ],
  'volume.failed': [
    { volume: 'config', message: 'configmap "web" not found' },
    'containers#volumes',
    'Volume config could not be set up; the containers of the pod wait for it: configmap "web" not found.',
  ],
  'volume.unmounted': [
    { volume: 'config' },
    'containers#volumes',
    'Volume config is removed from the node.',
  ],
  'node.pressureChanged': [
    { conditions: ['MemoryPressure'], thresholds: ['memory.available<100Mi'] },
    'eviction#node-conditions',
    'The node reports MemoryPressure: memory.available<100Mi is met.',
    node,
  ],
  'node.otherUseSet': [
    { memoryBytes: 8 * 2 ** 30, diskBytes: 0, inodes: 5, processes: 7 },
    'eviction#signals',
    'A user set on this page what the machine uses besides its pods: 8192Mi of memory, 0 of disk, 5 inodes and 7 processes.',
    node,
  ],
  'eviction.thresholdMet': [
    { signal: 'memory.available', threshold: '100Mi', available: '80Mi', isHard: true },
    'eviction#eviction-loop',
    'memory.available is 80Mi, below the hard threshold of 100Mi: the kubelet reclaims, and evicts a pod if that is not enough.',
    node,
  ],
  'eviction.reclaimed': [
    { signal: 'nodefs.available', kinds: ['dead containers', 'unused images'], isEnough: true },
    'eviction#node-level-reclaim',
    'The kubelet removed dead containers and unused images to raise nodefs.available; that is enough, no pod is evicted.',
    node,
  ],
  'eviction.requested': [
    { message: 'The node was low on resource: memory. ', gracePeriodSeconds: 1 },
    'eviction#evicting-one-pod',
    'The kubelet evicts the pod with a grace period of 1 s: The node was low on resource: memory.',
  ],
  'eviction.refused': [
    { message: 'it is critical' },
    'eviction#evicting-one-pod',
    'The kubelet does not evict the pod: it is critical.',
  ],
  'eviction.completed': [
    { timedOut: false },
    'eviction#evicting-one-pod',
    'The containers of the evicted pod have stopped; its object stays in the API.',
  ],
  'node.registered': [
    { created: true, corrected: [] },
    'node#registration',
    'The kubelet has created its Node object.',
    node,
  ],
  'shutdown.started': [
    { pods: 3, seconds: 30 },
    'node#graceful-shutdown',
    'The node is shutting down: it is not Ready, rejects new pods and has at most 30 s to terminate 3 pods, in groups from low to high priority.',
    node,
  ],
  'shutdown.groupStarted': [
    { priority: 0, seconds: 20, pods: 1 },
    'node#graceful-shutdown',
    'The group of priority 0 terminates: one pod at once, within 20 s.',
    node,
  ],
  'shutdown.podKilled': [
    { priority: 0, gracePeriodSeconds: 20 },
    'node#graceful-shutdown',
    'The shutdown terminates the pod with a grace period of 20 s: its own or its group’s, whichever is shorter.',
  ],
  'shutdown.podStopped': [
    { timedOut: false },
    'node#graceful-shutdown',
    'The containers of the pod have stopped; its object stays, Terminated.',
  ],
  'shutdown.groupEnded': [
    { priority: 0, left: 2 },
    'node#graceful-shutdown',
    'The time of the group of priority 0 is over with 2 pods not stopped; the next group follows anyway.',
    node,
  ],
  'shutdown.finished': [
    {},
    'node#graceful-shutdown',
    'All groups are done: the kubelet releases the shutdown.',
    node,
  ],
  'shutdown.cancelled': [
    { waits: true },
    'node#graceful-shutdown',
    'The shutdown is canceled; this takes effect after the last group.',
    node,
  ],
  'node.left': [
    { act: 'condition' },
    'node#exit',
    'Before it exits the kubelet writes Ready False, AgentExit, into its Node, as configured.',
    node,
  ],
  'node.leaveFailed': [
    { act: 'delete', message: 'forbidden' },
    'node#exit',
    'The kubelet could not delete its Node: forbidden.',
    node,
  ],
  'preemption.decided': [
    { missing: '[(res: cpu, q: 500), ]', victims: ['a_default(1)', 'b_default(2)'] },
    'admission#preemption',
    'The critical pod lacks [(res: cpu, q: 500), ], so the kubelet preempts a_default(1), b_default(2); the sync loop waits until they have stopped.',
  ],
  'preemption.requested': [
    { forPod: 'dns_kube-system(3)', message: 'Preempted in order to admit critical pod' },
    'admission#preemption',
    'The kubelet kills the pod with its own grace period to make room for the critical pod dns_kube-system(3).',
  ],
  'preemption.completed': [
    { timedOut: false },
    'admission#preemption',
    'The containers of the preempted pod have stopped; its object stays in the API.',
  ],
  'node.registrationFailed': [
    { message: 'connection refused', retryMs: 200 },
    'node#registration',
    'The node could not be registered; retrying in 200 ms: connection refused.',
    node,
  ],
  'node.statusWritten': [
    { ready: true, changed: false },
    'node#status-updates',
    'The kubelet writes the status of its node, Ready, after five minutes without a change.',
    node,
  ],
  'node.statusFailed': [
    { message: 'timeout' },
    'node#status-updates',
    'The status of the node could not be written: timeout.',
    node,
  ],
  'lease.renewed': [
    { renewTime: '2026-11-21T14:02:27.000000Z' },
    'node#lease',
    'The kubelet renews its lease (2026-11-21T14:02:27.000000Z).',
    node,
  ],
  'lease.failed': [
    { message: 'timeout' },
    'node#lease',
    'The lease could not be written; if this continues, the node becomes Unknown: timeout.',
    node,
  ],
  'event.recorded': [
    { type: 'Warning', reason: 'BackOff', message: 'Back-off restarting', fieldPath: '' },
    'identity#uids-in-events',
    'The kubelet records the Warning event BackOff: Back-off restarting.',
  ],
}

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
      [
        'pod-workers#updatepod',
        'UpdatePod(create) queues the update, in place of any pending update.',
      ],
    ],
    [
      said('worker.updated', {
        updateType: 'sync',
        outcome: 'pending',
        transition: '',
        gracePeriodSeconds: 5,
        message: '',
      }),
      [
        'termination#grace-period',
        'UpdatePod(sync) updates a pod that is already terminating, with 5 s of grace.',
      ],
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
        'pod-workers#updatepod',
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
      ['pod-workers#updatepod', 'UpdatePod(update) changes nothing: the worker has finished.'],
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
        'pod-workers#updatepod',
        'UpdatePod(sync) changes nothing: the worker has finished. 58 times in a row within 57 s.',
      ],
    ],
    [
      said('config.merged', { source: 'api', op: 'DELETE', mirror: false }),
      [
        'sources#merge',
        'The object has a deletionTimestamp: the merge sends DELETE, and the worker terminates the pod.',
      ],
    ],
    [
      said('loop.housekeeping', { orphans: 0, skipped: true, message: 'no source yet' }, node),
      ['sources#sources-ready', 'Housekeeping skipped: no source yet.'],
    ],
    [
      said('hook.started', { container: 'app', hook: 'preStop', handler: 'sleep' }),
      [
        'containers#lifecycle-hooks',
        'The preStop hook (sleep) of container app runs; its time counts against the grace period, and SIGTERM follows it.',
      ],
    ],
    [
      said('hook.ended', { container: 'app', hook: 'postStart', failed: true, durationMs: 1000 }),
      [
        'containers#lifecycle-hooks',
        'The postStart hook of container app failed after 1 s; the kubelet kills the container.',
      ],
    ],
    [
      said('hook.ended', { container: 'app', hook: 'preStop', failed: true, durationMs: 1000 }),
      [
        'containers#lifecycle-hooks',
        'The preStop hook of container app failed after 1 s; the container is stopped all the same.',
      ],
    ],
    [
      said('loop.probe', { probe: 'liveness', result: 'failure', containerId: 'c1' }),
      [
        'sync-loop#inputs',
        'The sync loop receives a failed liveness probe of c1 and syncs the pod.',
      ],
    ],
    [
      said('probe.failed', {
        container: 'app',
        probe: 'readiness',
        outcome: 'error',
        message: 'Readiness probe errored and resulted in unknown state: port http not found',
      }),
      [
        'containers#probes',
        'A probe of container app could not be run, so its result does not count: Readiness probe errored and resulted in unknown state: port http not found.',
      ],
    ],
    [
      said('probe.failed', {
        container: 'app',
        probe: 'readiness',
        outcome: 'warning',
        message: 'Readiness probe warning: Probe terminated redirects, Response body: moved',
      }),
      [
        'containers#probes',
        'A probe of container app succeeded with a warning: Readiness probe warning: Probe terminated redirects, Response body: moved.',
      ],
    ],
    [
      said('probe.resultChanged', {
        container: 'app',
        containerId: 'c1',
        probe: 'startup',
        result: 'unknown',
        probed: false,
      }),
      ['containers#probes', 'The startup probe of container app (c1) has not run yet.'],
    ],
    [
      said('object.received', { change: 'DELETED', resourceVersion: '' }, settings),
      [
        'containers#environment',
        'The kubelet’s watch of configmaps default/settings finds that there is none.',
      ],
    ],
    [
      said('loop.pleg', { type: 'ContainerRemoved', containerId: 'c1' }),
      ['sync-loop#inputs', 'The sync loop notes that c1 was removed.'],
    ],
    [
      said('manifest.changed', { path: 'https://m.example/pods', change: 'added' }, manifestUrl),
      [
        'sources#http-source',
        'The manifest URL https://m.example/pods responds for the first time, and its body is read.',
      ],
    ],
    [
      said('manifest.changed', { path: 'https://m.example/pods', change: 'modified' }, manifestUrl),
      [
        'sources#http-source',
        'The manifest URL https://m.example/pods responds with changed content, which is read.',
      ],
    ],
    [
      said('manifest.changed', { path: 'https://m.example/pods', change: 'removed' }, manifestUrl),
      [
        'sources#http-source',
        'The manifest URL https://m.example/pods responds with an empty body, so its pods are removed.',
      ],
    ],
    [
      said('loop.config', { source: 'http', op: 'ADD', pods: 0, names: [] }, node),
      ['sync-loop#inputs', 'The http source reports for the first time, without pods.'],
    ],
    [
      said('object.written', {
        change: 'ADDED',
        resourceVersion: '9',
        user: 'admin',
        subresource: '',
      }),
      [
        'sources#api-source',
        'The API server stores the new pod default/web for admin (resourceVersion 9).',
      ],
    ],
    [
      said('source.failed', { message: 'refused' }, { kind: 'source', source: 'api' }),
      [
        'sources#api-source',
        'Reading the api source failed; the kubelet keeps its current pods: refused.',
      ],
    ],
    [
      said('mirror.deleted', { mirrorUid: '', why: 'orphan' }),
      [
        'mirror-pods#orphaned-mirrors',
        'The kubelet deletes the mirror: no static pod has its full name.',
      ],
    ],
  ])('differs within a kind: %j', (explained, expected) => {
    expect(explained).toEqual(expected)
  })

  it.each([
    ['zero', { exitCode: 0, reason: 'Completed' }, '0 (Completed)'],
    ['own', { exitCode: 42, reason: 'Error' }, '42 (Error)'],
    ['bare', { exitCode: 42, reason: '' }, '42.'],
    ['SIGTERM', { exitCode: 143, reason: 'Error' }, '143 (Error, ended by SIGTERM)'],
  ])('says what exit code %s means', (_, part, words) => {
    expect(said('container.exited', { container: 'c', containerId, ...part })[1]).toContain(words)
  })
})

it('shortId keeps 8 and 4 characters of a UID, and 13 of a container id', () => {
  const [uid, id] = ['327704f2-a792-473d-8fe8-96e6f6ac8d1a', '0123456789abcdef'.repeat(4)]
  expect([uid, id, 'uid-of-hello'].map(shortId)).toEqual([
    '327704f2…8d1a',
    '0123456789abc',
    'uid-of-hello',
  ])
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
