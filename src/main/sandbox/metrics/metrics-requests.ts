import { isJsonObject, numberAt, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { formatQuantity } from '../../../shared/kubernetes/quantity.ts'
import type { KubeRequest, KubeResponse } from '../../../shared/kubernetes/request.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import type { Clock } from '../../kubelet/ports.ts'
import { notFound, statusResponse } from '../api-status.ts'
import type { ReachKubelet } from '../connect/connect-request.ts'
import { listOptions } from '../endpoints/list-options.ts'
import type { Representation } from '../endpoints/representation.ts'
import type { RequestInfo } from '../endpoints/request-info.ts'
import type { ObjectStore } from '../object-store.ts'
import { asPod } from '../registry/pod/pod-strategy.ts'
import { typeOfKind } from '../registry/resource-types.ts'
import type { NodeMetrics, PodMetrics, Usage } from './metrics-types.ts'
import { nodeMetricsType } from './metrics-types.ts'

interface MetricsRequestsDeps {
  readonly store: ObjectStore
  readonly clock: Clock
  readonly reachKubelet: ReachKubelet
}

const onlyUsage = { only_cpu_and_memory: 'true' } as const

/** CPU and memory as of one moment. */
const window = '0s'

function keyOf(pod: JsonObject): string {
  return `${textAt(pod, 'namespace')}/${textAt(pod, 'name')}`
}

/** Of a node or a container in a kubelet's summary. */
function usageOf(measured: JsonObject): Usage {
  const nanoCores = numberAt(objectAt(measured, 'cpu'), 'usageNanoCores') ?? 0
  const bytes = numberAt(objectAt(measured, 'memory'), 'workingSetBytes') ?? 0
  return {
    cpu: formatQuantity({ nanos: BigInt(nanoCores), format: 'decimal' }),
    memory: formatQuantity({ nanos: BigInt(bytes) * 1_000_000_000n, format: 'binary' }),
  }
}

/**
 * What pods and nodes use, for `kubectl top`, in place of metrics-server: that asks every kubelet each 15 s, this asks them at each
 * request.
 */
export class MetricsRequests {
  readonly #deps: MetricsRequestsDeps

  constructor(deps: MetricsRequestsDeps) {
    this.#deps = deps
  }

  /** A get or a list of `metricsTypes`. */
  async handle(
    info: RequestInfo,
    request: KubeRequest,
    representation: Representation,
  ): Promise<KubeResponse> {
    const { type, verb, namespace, name } = info
    if (verb === 'get') {
      const objects = await this.#objects(info, (one) => one.metadata.name === name)
      const [object] = objects
      return object === undefined
        ? statusResponse(this.#missing(info))
        : { kind: 'object', status: 200, body: representation.object(object) }
    }
    const options = listOptions(type, request.query ?? {}, { isWatch: false })
    if (!options.ok) return statusResponse(options.error)
    const objects = await this.#objects({ type, namespace }, options.value.matches)
    return { kind: 'object', status: 200, body: representation.list(objects, {}) }
  }

  #missing({ type, namespace, name }: RequestInfo) {
    const isNode = type === nodeMetricsType
    const object = typeOfKind(isNode ? 'Node' : 'Pod')
    if (this.#deps.store.of(object).get({ namespace, name }) === undefined)
      return notFound(object, name)
    const shown = isNode ? name : `${namespace}/${name}`
    return notFound({ ...type, plural: type.kind.toLowerCase() }, shown)
  }

  /** In the order of their names. */
  async #objects(
    { type, namespace }: Pick<RequestInfo, 'type' | 'namespace'>,
    matches: (object: KubeObject) => boolean,
  ): Promise<readonly KubeObject[]> {
    const summaries = await this.#summaries()
    const isNode = type === nodeMetricsType
    const objects = isNode ? this.#nodes(summaries) : this.#pods(summaries, namespace)
    const metrics = objects.map(
      (one) => ({ kind: type.kind, apiVersion: `${type.group}/${type.version}`, ...one }) as const,
    )
    // Nothing stores these objects, which have no UID.
    return (metrics as unknown as readonly KubeObject[]).filter(matches)
  }

  /** Of the kubelets that answer. */
  async #summaries(): Promise<ReadonlyMap<string, JsonObject>> {
    const { store, reachKubelet } = this.#deps
    const request = { method: 'GET', path: '/stats/summary', query: onlyUsage }
    const summaries = new Map<string, JsonObject>()
    for (const { metadata } of store.of(typeOfKind('Node')).list()) {
      const kubelet = reachKubelet(metadata.name)
      if (!kubelet.ok) continue
      const answer = await kubelet.value.handle(request)
      if (answer.kind !== 'text' || answer.status !== 200) continue
      const summary: unknown = JSON.parse(answer.body)
      if (isJsonObject(summary)) summaries.set(metadata.name, summary)
    }
    return summaries
  }

  #nodes(summaries: ReadonlyMap<string, JsonObject>): readonly NodeMetrics[] {
    const nodes = this.#deps.store.of(typeOfKind('Node')).list()
    return nodes.flatMap(({ metadata }): readonly NodeMetrics[] => {
      const summary = summaries.get(metadata.name)
      if (summary === undefined) return []
      const node = objectAt(summary, 'node')
      return [{ ...this.#measured(metadata, node), usage: usageOf(node) }]
    })
  }

  #pods(summaries: ReadonlyMap<string, JsonObject>, namespace: string): readonly PodMetrics[] {
    const measured = new Map(
      [...summaries.values()].flatMap((summary) =>
        objectsAt(summary, 'pods').map((pod) => [keyOf(objectAt(pod, 'podRef')), pod] as const),
      ),
    )
    const pods = this.#deps.store.of(typeOfKind('Pod')).list()
    return pods.flatMap((pod): readonly PodMetrics[] => {
      const { metadata } = pod
      const found = measured.get(keyOf({ ...metadata }))
      const isIn = namespace === '' || metadata.namespace === namespace
      if (!isIn || found === undefined || asPod(pod).status?.phase !== 'Running') return []
      const containers = objectsAt(found, 'containers').map((one) => ({
        name: textAt(one, 'name'),
        usage: usageOf(one),
      }))
      return [{ ...this.#measured(metadata, found), containers }]
    })
  }

  #measured({ name, namespace, labels }: KubeObject['metadata'], measured: JsonObject) {
    return {
      metadata: {
        name,
        ...(namespace === undefined ? {} : { namespace }),
        creationTimestamp: toTimestamp(this.#deps.clock.now()),
        ...(labels === undefined ? {} : { labels }),
      },
      timestamp: textAt(objectAt(measured, 'cpu'), 'time'),
      window,
    }
  }
}
