import { fromTimestamp } from '../../shared/kubernetes/timestamps.ts'
import type { InspectView } from '../../shared/model/inspect/inspect-view.ts'
import type { PodEvidence } from '../../shared/model/inspect/evidence.ts'
import { joinEvidence } from '../../shared/model/inspect/join-evidence.ts'
import type { NodeEvidence } from '../../shared/model/inspect/join-evidence.ts'
import { differingVersion, unreported } from '../../shared/model/inspect/pod-facts.ts'
import type {
  EndpointReading,
  KubeletEndpoint,
  KubeletFacts,
  KubeletProblem,
} from '../../shared/model/inspect/kubelet-facts.ts'
import {
  isMirrorPod,
  configMirrorAnnotation,
  isTerminalPhase,
} from '../../shared/kubernetes/static-pods.ts'
import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { Clock } from '../kubelet/ports.ts'
import { FigureCourse } from './figure-course.ts'
import { inspectRows } from './inspect-rows.ts'
import type { KubeletWay } from './kubelet-client/direct-way.ts'
import { KubeletClient } from './kubelet-client/kubelet-client.ts'
import { contactOf, kubeletSide } from './kubelet-side.ts'
import { eventsByUid } from './node-objects.ts'
import type { NodeObjects } from './node-objects.ts'
import { SightingsLog } from './sightings.ts'

export interface NodeInspectorDeps {
  readonly nodeName: string
  readonly objects: NodeObjects
  /** The ways to the kubelet, the preferred first; asked again until one can be asked. A problem: none, and why. */
  readonly ways: () => readonly KubeletWay[] | KubeletProblem
  /** `host:port` from the Node, to be shown. */
  readonly address: () => string | null
  readonly clock: Clock
  /** Called after each reading. */
  readonly onChange?: () => void
}

/** Problems that another way may not have. */
const ofTheWay: ReadonlySet<KubeletProblem['kind']> = new Set(['untrusted', 'no-address', 'away'])

const defaultLeaseMs = 40_000

/** What is seen of one node: reads its kubelet when told to, and joins that with the API's objects. It concludes nothing itself. */
export class NodeInspector {
  readonly #deps: NodeInspectorDeps
  readonly #sightings = new SightingsLog()
  readonly #course = new FigureCourse()
  #client: KubeletClient | undefined
  #way: KubeletWay | undefined
  #problem: KubeletProblem | null = null
  #isSettled = false

  constructor(deps: NodeInspectorDeps) {
    this.#deps = deps
  }

  /** Reads endpoints one after the other. Rejects nothing: a problem is in the view. */
  async read(paths: readonly KubeletEndpoint[]): Promise<void> {
    const client = this.#isSettled ? this.#client : await this.#choose()
    if (client !== undefined) for (const path of paths) await client.read(path)
    const figures = client?.facts.figures ?? null
    if (figures !== null) this.#course.take(figures, client?.reading('/healthz/syncloop'))
    this.#look()
    this.#deps.onChange?.()
  }

  reading(path: KubeletEndpoint): EndpointReading | undefined {
    return this.#client?.reading(path)
  }

  get facts(): KubeletFacts | undefined {
    return this.#client?.facts
  }

  /** Call it whenever the API's objects have changed, so that what goes is dated. */
  objectsChanged(): void {
    this.#look()
    this.#deps.onChange?.()
  }

  /** Forgets how the kubelet was asked: its certificate was accepted, or its address changed. */
  async reset(): Promise<void> {
    this.#isSettled = false
    await this.#client?.close()
  }

  view(): InspectView {
    const { nodeName, objects, clock, address } = this.#deps
    const now = clock.now()
    const facts = this.#client?.facts
    const evidence = this.#evidence()
    const node = objects.node()
    return {
      node: nodeName,
      at: now,
      apiReadAt: evidence.api.at,
      apiAwaySince: evidence.apiAwaySince,
      rows: inspectRows(evidence, now),
      lease: { renewedAt: evidence.lease.value, durationMs: evidence.leaseDurationMs },
      conditions: (node?.status?.conditions ?? []).map(({ type, status, lastTransitionTime }) => ({
        type,
        status,
        since: fromTimestamp(lastTransitionTime) ?? null,
      })),
      kubelet: kubeletSide({
        way: this.#way?.name ?? null,
        address: address(),
        certificate: this.#way?.certificate(),
        problem: this.#problem,
        readings: facts?.readings ?? [],
      }),
      healthz: facts?.healthz?.value ?? null,
      syncLoop: facts?.syncLoop?.value ?? null,
      figures: facts?.figures?.value ?? null,
      figuresAt: facts?.figures?.at ?? null,
      course: this.#course.samples,
      relists: this.#course.relists,
      configuration: facts?.configuration?.value ?? null,
      use: facts?.use?.value ?? null,
    }
  }

  /** The first way over which /pods can be read; else the first, and then the choice is made again next time. */
  async #choose(): Promise<KubeletClient | undefined> {
    const ways = this.#deps.ways()
    this.#problem = 'kind' in ways ? ways : null
    if ('kind' in ways) {
      await this.#client?.close()
      this.#client = undefined
      return undefined
    }
    const tried: { readonly way: KubeletWay; readonly client: KubeletClient }[] = []
    for (const way of ways) {
      const client = new KubeletClient({ way, now: this.#deps.clock.now })
      tried.push({ way, client })
      const { problem } = await client.read('/pods')
      if (problem === null || !ofTheWay.has(problem.kind)) break
    }
    const good = tried.find(({ client }) => client.reading('/pods')?.problem === null)
    const chosen = good ?? tried[0]
    for (const each of tried) if (each !== chosen) await each.client.close()
    await this.#client?.close()
    this.#way = chosen?.way
    this.#client = chosen?.client
    const { kind } = chosen?.client.reading('/pods')?.problem ?? {}
    this.#isSettled = kind === undefined || !ofTheWay.has(kind)
    return chosen?.client
  }

  #evidence(): NodeEvidence {
    const { objects } = this.#deps
    const facts = this.#client?.facts
    const contact = contactOf(this.#client?.reading('/pods'))
    const { value: lease, at } = objects.lease()
    const seconds = lease?.spec?.leaseDurationSeconds
    return {
      api: objects.pods(),
      told: contact === 'not asked' ? null : (facts?.pods ?? null),
      running: contact === 'not asked' ? null : (facts?.running ?? null),
      kubelet: contact,
      apiAwaySince: objects.apiAwaySince(),
      lease: { value: fromTimestamp(lease?.spec?.renewTime) ?? null, at },
      leaseDurationMs: seconds === undefined ? defaultLeaseMs : seconds * 1000,
      events: eventsByUid(objects.events()),
      sightings: this.#sightings.all,
    }
  }

  #look(): void {
    const evidence = this.#evidence()
    const { api, told, running } = evidence
    const uids = (list: readonly { readonly uid: string }[]): ReadonlySet<string> =>
      new Set(list.map(({ uid }) => uid))
    this.#sightings.saw('api', new Set(api.value.map(kubeletUid)), api.at)
    const final = api.value.filter(({ status }) => isTerminalPhase(status?.phase))
    this.#sightings.sawFinalPhases(new Set(final.map(kubeletUid)))
    if (told !== null)
      this.#sightings.saw('pods', uids(told.value.map(({ metadata }) => metadata)), told.at)
    if (running !== null) this.#sightings.saw('running', uids(running.value), running.at)
    const pods = joinEvidence(evidence).map((joined) => joined.evidence)
    const marks = (markOf: (pod: PodEvidence) => string): ReadonlyMap<string, string> =>
      new Map(pods.map((pod) => [pod.uid, markOf(pod)] as const).filter(([, mark]) => mark !== ''))
    const now = this.#deps.clock.now()
    this.#sightings.sawState('differs', marks(differingVersion), now)
    this.#sightings.sawState(
      'unreported',
      marks((pod) => unreported(pod).join(' ')),
      now,
    )
  }
}

/** By which a kubelet knows the pod of an API object. */
function kubeletUid(pod: Pod): string {
  return isMirrorPod(pod)
    ? (pod.metadata.annotations?.[configMirrorAnnotation] ?? pod.metadata.uid)
    : pod.metadata.uid
}
