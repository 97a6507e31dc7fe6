import type { ActError } from '../../../shared/ipc/contract.ts'
import type { KubeEvent } from '../../../shared/kubernetes/objects.ts'
import type { PodVolumes, VariableValue } from '../../../shared/model/inside-pod/pod-volumes.ts'
import type { CausalChain, PodEventList, PodObjects } from '../../../shared/model/pod-objects.ts'
import type { LogQuery, PodLogs } from '../../../shared/model/pod-logs.ts'
import type { PodCgroups } from '../../../shared/model/inside-pod/pod-cgroups.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import type { PodUse } from '../../../shared/model/inside-pod/pod-use.ts'
import type { TraceEvent, TraceSeq } from '../../../shared/model/trace-event.ts'
import type {
  ClusterEventList,
  ClusterEventQuery,
} from '../../../shared/model/timeline/cluster-events.ts'
import { err } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { specVolumes } from '../../kubelet/volumes-and-environment/spec-volumes.ts'
import { isMirrorPod, isStaticPod, podNamespace, podSubject } from '../../kubelet/pod/identity.ts'
import type { ApiClient } from '../../kubelet/ports.ts'
import type { PodSources } from '../../nodes/pod-sources.ts'
import type { ClusterTrace } from '../../kubelet/trace.ts'
import { causalChain } from '../explanations/causal-chain.ts'
import type { SessionKubelet } from '../cluster/session-node.ts'
import type { ClusterSession, TracedSubject } from '../cluster/cluster-session.ts'
import { clusterEvents, tracedEvents } from './cluster-events.ts'
import { noneKept, notListed, podEvents, recordedEvents } from './pod-events.ts'
import { podLogs, readFromKubelet } from './pod-logs.ts'
import type { ReadLog } from './pod-logs.ts'
import { podObjects } from './pod-objects.ts'
import type { ReadObject } from './pod-objects.ts'
import type { PodKnowledge } from './pod-knowledge.ts'

interface ClusterQueriesDeps {
  readonly session: Pick<ClusterSession, 'knowledge' | 'tracedSubjects' | 'actTarget'>
  readonly trace: ClusterTrace
  /** By name, with the API objects that their kubelets last received. */
  readonly nodes: ReadonlyMap<string, { readonly sources: Pick<PodSources, 'apiPod'> }>
  /** If it may not list events, as with most nodes' credentials, the kubelet's own events are the answer. */
  readonly api: Pick<ApiClient, 'list' | 'get'>
  /** Of a cluster whose kubelets are not this program. */
  readonly seen?: SeenQueries | undefined
  readonly facts: { readonly sandbox: boolean }
}

const ownEventsOnly =
  'Only the events that this kubelet recorded itself, as far as its trace goes back.'

/** What is asked of a real cluster instead of a kubelet. */
export interface SeenQueries {
  readonly readLog: ReadLog
  /** The events of a namespace that were watched; undefined if they cannot be read. */
  readonly eventsIn: (namespace: string) => readonly KubeEvent[] | undefined
  /** Those that were watched. */
  readonly clusterEvents: (query: ClusterEventQuery) => ClusterEventList
}

/** Answers what pages ask only now and then, from one cluster's session, trace and API server. */
export class ClusterQueries {
  readonly #deps: ClusterQueriesDeps

  constructor(deps: ClusterQueriesDeps) {
    this.#deps = deps
  }

  readonly objects = async (key: PodKey): Promise<PodObjects | null> => {
    const known = this.#deps.session.knowledge(key)
    return known === undefined ? null : podObjects(known, await this.#apiObject(known))
  }

  readonly events = async (key: PodKey): Promise<PodEventList | null> => {
    const known = this.#deps.session.knowledge(key)
    if (known === undefined) return null
    const { pod, mirror, node } = known
    const { seen } = this.#deps
    if (seen !== undefined) {
      const watched = seen.eventsIn(podNamespace(pod))
      if (watched === undefined) return { events: [], note: 'The events cannot be read now.' }
      return podEvents(watched, { pod: pod.metadata.uid, mirror: undefined })
    }
    const listed = await this.#deps.api.list({
      resource: 'events',
      namespace: podNamespace(pod),
      fieldSelector: `involvedObject.kind=Pod,involvedObject.name=${pod.metadata.name}`,
    })
    const recorded = this.#deps.trace.about(node, podSubject(pod), Number.MAX_SAFE_INTEGER)
    if (!listed.ok) return recordedEvents(recorded, notListed(listed.error))
    const kept = podEvents(listed.value, { pod: pod.metadata.uid, mirror: mirror?.metadata.uid })
    if (kept.events.length > 0) return kept
    const own = recordedEvents(recorded, noneKept)
    return own.events.length > 0 ? own : kept
  }

  /** A page of the events of all pods and nodes. Asks an API server only where that costs nothing: in a sandbox. */
  readonly clusterEvents = async (query: ClusterEventQuery): Promise<ClusterEventList> => {
    const { seen, trace, api, facts } = this.#deps
    if (seen !== undefined) return seen.clusterEvents(query)
    const listed = facts.sandbox ? await api.list({ resource: 'events' }) : undefined
    return listed?.ok === true
      ? clusterEvents(listed.value, query, '')
      : tracedEvents(trace.newest(Number.MAX_SAFE_INTEGER), query, ownEventsOnly)
  }

  readonly logs = async (key: PodKey, query: LogQuery): Promise<PodLogs | null> => {
    const pod = this.#deps.session.knowledge(key)?.pod
    const target = this.#deps.session.actTarget(key)
    if (pod === undefined || target === undefined) return null
    const { seen } = this.#deps
    if (seen !== undefined) return podLogs(seen.readLog, { pod, status: pod.status ?? {} }, query)
    if (target.kubelet === undefined) return { parts: [], error: 'No kubelet has this pod.' }
    if (target.facts.kubelet === 'stopped')
      return { parts: [], error: 'The kubelet, which serves the logs, does not run.' }
    const status = target.kubelet.statusManager.getPodStatus(target.uid) ?? pod.status ?? {}
    return podLogs(readFromKubelet(target.kubelet), { pod, status }, query)
  }

  /** Null: no running kubelet has the pod. */
  readonly use = async (key: PodKey): Promise<PodUse | null> => {
    const target = this.#deps.session.actTarget(key)
    if (target === undefined || target.facts.kubelet === 'stopped') return null
    return (await target.kubelet?.podUse(target.uid)) ?? null
  }

  readonly cgroups = (key: PodKey): PodCgroups | null => {
    const target = this.#deps.session.actTarget(key)
    return target?.kubelet?.podCgroups(target.uid) ?? null
  }

  readonly volumes = async (key: PodKey): Promise<PodVolumes | null> => {
    const known = this.#deps.session.knowledge(key)
    if (known === undefined) return null
    const kubelet = this.#kubeletOf(key, known)
    return kubelet?.volumesAndEnvironment.view(known.pod) ?? specVolumes(known.pod)
  }

  readonly variable = async (
    key: PodKey,
    { container, variable }: { readonly container: string; readonly variable: string },
  ): Promise<Result<VariableValue, ActError>> => {
    const known = this.#deps.session.knowledge(key)
    if (known === undefined)
      return err({ kind: 'not-found', message: 'This pod is no longer on the node.' })
    const readOnly = this.#deps.session.actTarget(key)?.facts.readOnly ?? ''
    if (readOnly !== '') return err({ kind: 'read-only', message: readOnly })
    const kubelet = this.#kubeletOf(key, known)
    if (kubelet === undefined) return err({ kind: 'refused', message: 'No kubelet has this pod.' })
    const value = await kubelet.volumesAndEnvironment.valueOf(known.pod, container, variable)
    return value.ok ? value : err({ kind: 'failed', message: value.error })
  }

  /** Undefined for an orphaned mirror too: no kubelet runs it. */
  #kubeletOf(key: PodKey, { pod }: PodKnowledge): SessionKubelet | undefined {
    const isOrphan = isMirrorPod(pod) && !isStaticPod(pod)
    return isOrphan ? undefined : this.#deps.session.actTarget(key)?.kubelet
  }

  /**
   * Of an ordinary pod. If the session does not have the API server's objects, the kubelet's watch does. If the watch
   * is lost or has not reported the pod yet, a GET follows.
   */
  async #apiObject({ pod, api, node, isServerAway }: PodKnowledge): Promise<ReadObject> {
    if (isStaticPod(pod) || isMirrorPod(pod)) return { object: null, note: '' }
    if (api !== undefined) return { object: api, note: '' }
    const { name, uid } = pod.metadata
    const watched = this.#deps.nodes.get(node)?.sources.apiPod(podNamespace(pod), name)
    if (!isServerAway && watched?.metadata.uid === uid) return { object: watched, note: '' }
    const read = await this.#deps.api.get({ resource: 'pods', namespace: podNamespace(pod), name })
    if (read.ok) return { object: read.value.metadata.uid === uid ? read.value : null, note: '' }
    const isGone = read.error.kind === 'not-found'
    return {
      object: null,
      note: isGone ? '' : `The API object cannot be read: ${read.error.message}`,
    }
  }

  readonly related = (seq: TraceSeq): CausalChain | null => {
    const newest = this.#deps.trace.newest(Number.MAX_SAFE_INTEGER).toReversed()
    const chain = causalChain(seq, newest)
    if (chain !== null && !chain.isCut) return chain
    // Older events are only in the histories of single subjects.
    const tracked = chain === null ? this.#deps.session.tracedSubjects() : chain.events
    return causalChain(seq, this.#withHistories(newest, tracked)) ?? chain
  }

  #withHistories(newest: readonly TraceEvent[], tracked: readonly TracedSubject[]): TraceEvent[] {
    const bySeq = new Map(newest.map((event) => [event.seq, event]))
    const subjects = new Map(
      tracked.map((one) => [JSON.stringify([one.node, one.subject]), one] as const),
    )
    for (const { node, subject } of subjects.values())
      for (const event of this.#deps.trace.about(node, subject, Number.MAX_SAFE_INTEGER))
        if (!bySeq.has(event.seq)) bySeq.set(event.seq, event)
    return [...bySeq.values()].toSorted((a, b) => a.seq - b.seq)
  }
}
