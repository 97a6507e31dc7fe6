import { isJsonObject, listAt, objectAt, textAt } from '../../src/shared/json.ts'
import type { Pod, PodStatus } from '../../src/shared/kubernetes/objects.ts'
import { fromTimestamp } from '../../src/shared/kubernetes/timestamps.ts'
import {
  configMirrorAnnotation,
  fullNameOf,
  isMirrorPod,
  isStaticPod,
  isTerminalPhase,
  podNamespace,
} from '../../src/main/kubelet/pod/identity.ts'
import type { Kubelet } from '../../src/main/kubelet/kubelet.ts'
import type { WorkerRecord } from '../../src/main/kubelet/workers/worker-record.ts'
import type { MemorySandbox } from '../memory-sandbox/memory-sandbox.ts'
import type { SimulatedNode } from '../../src/main/nodes/simulated-node.ts'
import { SimulatedRuntime } from '../../src/main/runtimes/simulated/simulated-runtime.ts'
import type { ApiHistory } from './api-history.ts'
import type { ReportViolation } from './invariants.ts'
import { readStaticPod } from '../../src/main/sources/static-pod-manifest.ts'
import { missingImage } from './pod-templates.ts'
import { nodeHash } from '../../src/main/clock/node-hash.ts'
import { titleOf } from './step-context.ts'
import type { TraceWatch } from './trace-watch.ts'

const leaseMs = 40_000
/** Between two batches of the status manager, and a second because creation times have none of their parts. */
const batchMs = 11_000

/** A desired pod of a kubelet, with its state. */
interface WantedPod {
  readonly pod: Pod
  readonly record: WorkerRecord | undefined
  /** By the API, or as the kubelet itself has it. */
  readonly isOver: boolean
  readonly isRejected: boolean
  /** Of the API: the pod itself, or a static pod's mirror. */
  readonly shown: Pod | undefined
}

async function objectsAt(cluster: MemorySandbox, path: string): Promise<readonly unknown[]> {
  const answer = await cluster.request('GET', path)
  return answer.kind === 'object' && isJsonObject(answer.body) ? listAt(answer.body, 'items') : []
}

function namesOf(objects: readonly unknown[]): readonly string[] {
  return objects.map((object) =>
    isJsonObject(object) ? textAt(objectAt(object, 'metadata'), 'name') : '',
  )
}

/** The invariants of the settled cluster (15 to 24, 26). A violation has the same sentence in every check. */
export class SteadyStateChecks {
  readonly #cluster: MemorySandbox
  readonly #api: ApiHistory
  readonly #trace: TraceWatch
  readonly #killedByHand: ReadonlySet<string>

  constructor(deps: {
    readonly cluster: MemorySandbox
    readonly api: ApiHistory
    readonly trace: TraceWatch
    /** UIDs of pods that were killed manually, so that their end is not caused by a removal from their source. */
    readonly killedByHand: ReadonlySet<string>
  }) {
    this.#cluster = deps.cluster
    this.#api = deps.api
    this.#trace = deps.trace
    this.#killedByHand = deps.killedByHand
  }

  async look(report: ReportViolation): Promise<void> {
    const namespaces = await objectsAt(this.#cluster, '/api/v1/namespaces')
    const openNamespaces = new Set(
      namesOf(
        namespaces.filter(
          (one) => isJsonObject(one) && textAt(objectAt(one, 'status'), 'phase') === 'Active',
        ),
      ),
    )
    // The API server refuses a mirror as any other pod that a quota has no room for.
    for (const quota of await objectsAt(this.#cluster, '/api/v1/resourcequotas'))
      if (isJsonObject(quota))
        openNamespaces.delete(textAt(objectAt(quota, 'metadata'), 'namespace'))
    await this.#checkNodes(report)
    this.#checkDeleted(report)
    for (const node of this.#cluster.nodes) {
      const pods = this.#wantedPods(node)
      this.#checkConfig(node, report)
      this.#checkWorkers(node, pods, report)
      this.#checkMirrors(node, pods, openNamespaces, report)
      this.#checkStatuses(node, pods, report)
      this.#checkRunning(node, pods, report)
      this.#checkResizes(node, pods, report)
      await this.#checkRuntime(node, pods, report)
      this.#checkLeaks(node, report)
    }
  }

  async #checkNodes(report: ReportViolation): Promise<void> {
    const nodes = await objectsAt(this.#cluster, '/api/v1/nodes')
    const leases = await objectsAt(
      this.#cluster,
      '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases',
    )
    const expected = this.#cluster.nodes.map(({ nodeName }) => nodeName)
    const names = namesOf(nodes)
    for (const name of names)
      if (!expected.includes(name)) report(15, `there is a node ${name} that was not started`)
    for (const [index, name] of expected.entries()) {
      const node = this.#cluster.nodes[index]
      if (node?.isRunning !== true || !node.kubelet.sourcesReady.allReady())
        report(15, `the sources of ${name} are not ready`)
      const object = nodes[names.indexOf(name)]
      if (!isJsonObject(object) || !isReady(object)) report(15, `the node ${name} is not Ready`)
      const lease = leases[namesOf(leases).indexOf(name)]
      const renewed = isJsonObject(lease) ? textAt(objectAt(lease, 'spec'), 'renewTime') : ''
      const age = this.#cluster.clock.now() - (fromTimestamp(renewed) ?? 0)
      if (age > leaseMs) report(15, `the lease of ${name} is old`)
    }
  }

  #checkDeleted(report: ReportViolation): void {
    for (const pod of this.#api.pods) {
      const { deletionTimestamp, finalizers = [] } = pod.metadata
      if (deletionTimestamp === undefined || finalizers.length > 0) continue
      // Nobody looks after the mirror of a static pod that is over (mirror-pods#scenarios).
      if (!isMirrorPod(pod) || this.#isAtWorkFor(pod)) report(20, `${titleOf(pod)} is still there`)
    }
  }

  #isAtWorkFor(mirror: Pod): boolean {
    const node = this.#cluster.nodes.find(({ nodeName }) => nodeName === mirror.spec.nodeName)
    if (node === undefined) return false
    const { podManager, podWorkers } = node.kubelet
    const pod = podManager.getPodByMirrorPod(mirror)
    return pod !== undefined && isAtWork(podWorkers.table.records.get(pod.metadata.uid))
  }

  #wantedPods(node: SimulatedNode): readonly WantedPod[] {
    const { podManager, podWorkers, statusManager } = node.kubelet
    return podManager.getPods().map((pod): WantedPod => {
      const { uid } = pod.metadata
      const local = statusManager.getPodStatus(uid)
      const shown = isStaticPod(pod) ? this.#mirrorOf(node, pod) : this.#api.pod(uid)
      return {
        pod,
        record: podWorkers.table.records.get(uid),
        isOver:
          isTerminalPhase(local?.phase) ||
          (!isStaticPod(pod) && isTerminalPhase(pod.status?.phase)),
        isRejected: local?.phase === 'Failed' && (local.message ?? '').startsWith('Pod was reject'),
        shown,
      }
    })
  }

  #mirrorOf(node: SimulatedNode, pod: Pod): Pod | undefined {
    return this.#mirrorsOn(node).find((mirror) => fullNameOf(mirror) === fullNameOf(pod))
  }

  #mirrorsOn({ nodeName }: SimulatedNode): readonly Pod[] {
    return this.#api.pods.filter((pod) => isMirrorPod(pod) && pod.spec.nodeName === nodeName)
  }

  /** The pods of the manifests in the folder: of one name the last by file name. */
  #manifestsOf({ nodeName }: SimulatedNode): readonly Pod[] {
    const folder = this.#cluster.folder(nodeName)
    const pods = new Map<string, Pod>()
    for (const name of folder.names) {
      const reading = readStaticPod(folder.textOf(name) ?? '', {
        source: 'file',
        nodeName,
        location: `${folder.path}/${name}`,
        hash: nodeHash,
      })
      if (reading.kind === 'pod') pods.set(fullNameOf(reading.pod), reading.pod)
    }
    return [...pods.values()]
  }

  #checkConfig(node: SimulatedNode, report: ReportViolation): void {
    const bound = this.#api.pods.filter(
      (pod) => !isMirrorPod(pod) && pod.spec.nodeName === node.nodeName,
    )
    const expected = new Map(
      [...bound, ...this.#manifestsOf(node)].map((pod) => [pod.metadata.uid, pod]),
    )
    const actual = new Map(node.kubelet.podManager.getPods().map((pod) => [pod.metadata.uid, pod]))
    for (const [uid, pod] of expected) {
      const known = actual.get(uid)
      if (known === undefined) report(16, `${node.nodeName} does not know ${titleOf(pod)}`)
      else if (known.spec.containers[0]?.image !== pod.spec.containers[0]?.image)
        report(16, `${node.nodeName} knows another version of ${titleOf(pod)}`)
    }
    for (const [uid, pod] of actual)
      if (!expected.has(uid)) report(16, `${node.nodeName} still wants ${titleOf(pod)}`)
  }

  #checkWorkers(node: SimulatedNode, pods: readonly WantedPod[], report: ReportViolation): void {
    const wanted = new Set(pods.map(({ pod }) => pod.metadata.uid))
    for (const { uid, fullName } of node.kubelet.podWorkers.table.records.values())
      if (!wanted.has(uid))
        report(17, `${node.nodeName} has a worker for ${fullName} (${uid}), which no source has`)
    for (const { pod, record, isOver, isRejected } of pods) {
      if (record?.finished === true && this.#wasGone(record))
        report(17, `${titleOf(pod)} came again and was not started again`)
      if (isOver || isRejected) continue
      if (record === undefined) report(17, `${titleOf(pod)} has no worker`)
      else if (record.startedAt === undefined && record.terminatedAt === undefined)
        report(17, `the worker of ${titleOf(pod)} waits`)
    }
  }

  /** Whether the worker has ended the pod because it was in no source any more (pod-workers#reuse-of-a-uid). */
  #wasGone({ uid, terminatingBecause: why }: WorkerRecord): boolean {
    const isBySource = why === 'killed' || why === 'orphan: no longer in any source'
    return isBySource && !this.#killedByHand.has(uid)
  }

  #checkMirrors(
    node: SimulatedNode,
    pods: readonly WantedPod[],
    openNamespaces: ReadonlySet<string>,
    report: ReportViolation,
  ): void {
    for (const { pod, record, shown } of pods) {
      if (!isStaticPod(pod) || !isAtWork(record) || !openNamespaces.has(podNamespace(pod))) continue
      if (shown === undefined) report(18, `${titleOf(pod)} has no mirror`)
      else if (shown.metadata.annotations?.[configMirrorAnnotation] !== pod.metadata.uid)
        report(18, `${titleOf(pod)} has the mirror of another version`)
    }
    const names = new Set(
      pods.filter(({ pod }) => isStaticPod(pod)).map(({ pod }) => fullNameOf(pod)),
    )
    for (const mirror of this.#mirrorsOn(node))
      if (!names.has(fullNameOf(mirror))) report(18, `the mirror ${titleOf(mirror)} is an orphan`)
  }

  #checkStatuses(node: SimulatedNode, pods: readonly WantedPod[], report: ReportViolation): void {
    const { statusManager } = node.kubelet
    for (const { pod, record, shown } of pods) {
      const title = titleOf(pod)
      const local = statusManager.getPodStatus(pod.metadata.uid)
      if (shown === undefined || local === undefined) continue
      if (isStaticPod(pod) && (this.#isNew(shown) || !canShow(shown, pod, local))) continue
      const versions = statusManager.versions(pod.metadata.uid)
      // One mirror may have had the statuses of two static pods, each with versions of its own.
      if ((versions?.sent ?? 0) < (versions?.cached ?? 0))
        report(19, `the status of ${title} was not written`)
      if (shown.status?.phase !== local.phase)
        report(
          19,
          `${title} is ${String(local.phase)}, the API says ${String(shown.status?.phase)}`,
        )
      for (const { name, restartCount } of local.containerStatuses ?? []) {
        const told = shown.status?.containerStatuses?.find((status) => status.name === name)
        if (told?.restartCount !== restartCount) report(19, `${title}: restarts of ${name}`)
      }
      if (record?.finished === true && !isStaticPod(pod) && !isTerminalPhase(shown.status?.phase))
        report(23, `${title} is ${String(shown.status?.phase)}`)
    }
  }

  /**
   * A mirror that replaces one gets the status of its static pod with the next batch (status#batches). The scheduler may
   * preempt a mirror again and again, sooner than that: the kubelet creates another one, and there is never any room.
   */
  #isNew(mirror: Pod): boolean {
    const createdAt = fromTimestamp(mirror.metadata.creationTimestamp ?? '') ?? 0
    return this.#cluster.clock.now() - createdAt < batchMs
  }

  /** Pods of the templates that last; in the others a container may have ended, or wait for its next try. */
  #checkRunning(node: SimulatedNode, pods: readonly WantedPod[], report: ReportViolation): void {
    const running = new Set(
      this.#trace.running
        .filter((one) => one.node === node.nodeName)
        .map(({ podUid, container }) => `${podUid} ${container}`),
    )
    for (const { pod, record, isOver } of pods) {
      if (isOver || !isAtWork(record) || pod.metadata.deletionTimestamp !== undefined) continue
      const isFailing = (pod.spec.initContainers ?? []).some(({ command = [] }) =>
        (command.at(-1) ?? '').includes('exit 1'),
      )
      // A pod that came again under its uid finds containers of before, and may be over by them.
      if (isFailing || pod.spec.restartPolicy !== 'Always') continue
      for (const { name, image } of pod.spec.containers)
        if (
          lastingNames.has(name) &&
          image !== missingImage &&
          !running.has(`${pod.metadata.uid} ${name}`)
        )
          report(21, `${name} of ${titleOf(pod)} on ${node.nodeName}`)
    }
  }

  #checkResizes(node: SimulatedNode, pods: readonly WantedPod[], report: ReportViolation): void {
    const { allocated, actuated } = node.kubelet.allocationManager.records()
    const isOwn = new Set(
      pods
        // A static pod may have been forgotten and come back (docs/invariants.md, 26).
        .filter(({ pod, record, isOver }) => !isStaticPod(pod) && !isOver && isAtWork(record))
        .map(({ pod }) => pod.metadata.uid),
    )
    for (const { podUid, container, node: where } of this.#trace.running) {
      const given = allocated[podUid]?.[container]
      if (where !== node.nodeName || !isOwn.has(podUid) || given === undefined) continue
      const asked = given.requests?.['cpu']
      const had = actuated[podUid]?.[container]?.requests?.['cpu']
      if (asked !== had)
        report(26, `${container} of ${podUid}: ${String(asked)}, not ${String(had)}`)
    }
  }

  async #checkRuntime(
    node: SimulatedNode,
    pods: readonly WantedPod[],
    report: ReportViolation,
  ): Promise<void> {
    const byUid = new Map(pods.map((one) => [one.pod.metadata.uid, one]))
    for (const { podUid, container, node: where } of this.#trace.running) {
      if (where !== node.nodeName) continue
      const record = byUid.get(podUid)?.record
      if (record === undefined || record.terminatedAt !== undefined)
        report(22, `${container} of ${podUid} runs on ${where}`)
    }
    const sandboxes = await node.runtime.listPodSandboxes()
    for (const { metadata } of sandboxes.ok ? sandboxes.value : [])
      if (!byUid.has(metadata.uid))
        report(22, `a sandbox of ${metadata.name} (${metadata.uid}) is left on ${node.nodeName}`)
  }

  #checkLeaks({ nodeName, kubelet, runtime }: SimulatedNode, report: ReportViolation): void {
    const { podWorkers, podManager, statusManager } = kubelet
    const { records, podUpdates, staticPodStart } = podWorkers.table
    for (const uid of podUpdates.keys())
      if (!records.has(uid)) report(24, `${nodeName} keeps a worker of ${uid} without a record`)
    for (const [fullName, uid] of staticPodStart.started)
      if (!records.has(uid)) report(24, `${nodeName} keeps the name ${fullName} for ${uid}`)
    if (statusManager.backlog(0).cached > podManager.getPods().length)
      report(24, `${nodeName} keeps statuses of pods that are gone`)
    if (kubelet.recorder.held > 0) report(24, `${nodeName} keeps events back`)
    if (runtime instanceof SimulatedRuntime) {
      const folders = runtime.hostFiles.tree.list('/var/lib/kubelet/pods')
      for (const uid of folders.ok ? folders.value : [])
        if (podManager.getPodByUID(uid) === undefined)
          report(24, `${nodeName} keeps the folder of ${uid}`)
    }
    this.#checkTranslations(nodeName, kubelet, report)
  }

  #checkTranslations(nodeName: string, { podManager }: Kubelet, report: ReportViolation): void {
    for (const [mirrorUid, uid] of podManager.getUIDTranslations().mirrorToPod)
      if (this.#api.pod(mirrorUid) === undefined)
        report(24, `${nodeName} still translates ${mirrorUid} to ${uid}`)
  }
}

/**
 * A mirror outlives a static pod with a fixed UID: the server accepts no status with another QoS class, and
 * none with terminated containers that run again, if the mirror's restart policy forbids it.
 */
function canShow(mirror: Pod, pod: Pod, local: PodStatus): boolean {
  const isOwn = mirror.metadata.annotations?.[configMirrorAnnotation] === pod.metadata.uid
  const mayBeginAgain = [mirror, pod].every(({ spec }) => spec.restartPolicy === 'Always')
  return isOwn && mayBeginAgain && mirror.status?.qosClass === local.qosClass
}

/** Containers of the templates that run until they are stopped. */
const lastingNames: ReadonlySet<string> = new Set(['steady', 'ignoring', 'slow', 'port'])

function isAtWork(record: WorkerRecord | undefined): record is WorkerRecord {
  return record?.startedAt !== undefined && record.terminatingAt === undefined
}

function isReady(node: Readonly<Record<string, unknown>>): boolean {
  return listAt(objectAt(node, 'status'), 'conditions').some(
    (one) => isJsonObject(one) && one['type'] === 'Ready' && one['status'] === 'True',
  )
}
