import { objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { compareQuantities, formatQuantity } from '../../../shared/kubernetes/quantity.ts'
import type { Quantity } from '../../../shared/kubernetes/quantity.ts'
import { withSpec } from '../registry/strategy.ts'
import { amountsOf, podAmounts } from './quota/amounts.ts'
import type { Amounts } from './quota/amounts.ts'

const annotation = 'kubernetes.io/limit-ranger'

function itemsOf(range: KubeObject, type: string): readonly JsonObject[] {
  return objectsAt(objectAt(range, 'spec'), 'limits').filter((item) => item['type'] === type)
}

interface Defaulted {
  readonly container: JsonObject
  readonly notes: readonly string[]
}

function withContainerDefaults(
  container: JsonObject,
  defaults: { readonly requests: JsonObject; readonly limits: JsonObject },
  what: string,
): Defaulted {
  const resources = objectAt(container, 'resources')
  const name = textAt(container, 'name')
  const notes: string[] = []
  const filled = (['requests', 'limits'] as const).flatMap((list) => {
    const own = objectAt(resources, list)
    const missing = Object.keys(defaults[list]).filter((resource) => own[resource] === undefined)
    if (missing.length > 0) {
      const word = list === 'requests' ? 'request' : 'limit'
      notes.push(`${missing.toSorted().join(', ')} ${word} for ${what} ${name}`)
    }
    const all = { ...defaults[list], ...own }
    return Object.keys(all).length === 0 ? [] : [[list, all]]
  })
  return {
    container: { ...container, resources: { ...resources, ...Object.fromEntries(filled) } },
    notes,
  }
}

/** LimitRanger: a new pod gets the default resources of the limit ranges. Source: plugin/pkg/admission/limitranger (v1.34). */
export function withLimitRangeDefaults(pod: KubeObject, ranges: readonly KubeObject[]): KubeObject {
  let result = pod
  for (const range of ranges) {
    const items = itemsOf(range, 'Container')
    const merged = (list: string): JsonObject =>
      Object.assign({}, ...items.map((item) => objectAt(item, list)))
    const defaults = { requests: merged('defaultRequest'), limits: merged('default') }
    const spec = objectAt(result, 'spec')
    const lists = (['containers', 'initContainers'] as const).map((list) => ({
      list,
      filled: objectsAt(spec, list).map((container) =>
        withContainerDefaults(
          container,
          defaults,
          list === 'containers' ? 'container' : 'init container',
        ),
      ),
    }))
    const notes = lists.flatMap(({ filled }) => filled.flatMap((one) => one.notes))
    if (notes.length === 0) continue
    const given = lists.filter(({ list }) => spec[list] !== undefined)
    const fields = given.map(({ list, filled }) => [list, filled.map((one) => one.container)])
    const annotations = {
      ...result.metadata.annotations,
      [annotation]: `LimitRanger plugin set: ${notes.join('; ')}`,
    }
    const changed = withSpec(result, Object.fromEntries(fields))
    result = { ...changed, metadata: { ...changed.metadata, annotations } }
  }
  return result
}

interface Measured {
  readonly requests: Amounts
  readonly limits: Amounts
}

function isLess(one: Quantity, other: Quantity): boolean {
  return compareQuantities(one, other) < 0
}

function minimumProblem(
  what: string,
  bound: Quantity,
  name: string,
  { requests, limits }: Measured,
): string {
  const prefix = `minimum ${what} is ${formatQuantity(bound)}`
  const [request, limit] = [requests.get(name), limits.get(name)]
  if (request === undefined) return `${prefix}.  No request is specified`
  if (isLess(request, bound)) return `${prefix}, but request is ${formatQuantity(request)}`
  return limit !== undefined && isLess(limit, bound)
    ? `${prefix}, but limit is ${formatQuantity(limit)}`
    : ''
}

function maximumProblem(
  what: string,
  bound: Quantity,
  name: string,
  { requests, limits }: Measured,
): string {
  const prefix = `maximum ${what} is ${formatQuantity(bound)}`
  const [request, limit] = [requests.get(name), limits.get(name)]
  if (limit === undefined) return `${prefix}.  No limit is specified`
  if (isLess(bound, limit)) return `${prefix}, but limit is ${formatQuantity(limit)}`
  return request !== undefined && isLess(bound, request)
    ? `${prefix}, but request is ${formatQuantity(request)}`
    : ''
}

function claimMaximumProblem(
  what: string,
  bound: Quantity,
  name: string,
  { requests }: Measured,
): string {
  const prefix = `maximum ${what} is ${formatQuantity(bound)}`
  const request = requests.get(name)
  if (request === undefined) return `${prefix}.  No request is specified`
  return isLess(bound, request) ? `${prefix}, but request is ${formatQuantity(request)}` : ''
}

function ratioProblem(
  type: string,
  bound: Quantity,
  name: string,
  { requests, limits }: Measured,
): string {
  const prefix = `${name} max limit to request ratio per ${type} is ${formatQuantity(bound)}`
  const [request, limit] = [requests.get(name), limits.get(name)]
  if (request === undefined || request.nanos === 0n)
    return `${prefix}, but no request is specified or request is 0`
  if (limit === undefined || limit.nanos === 0n)
    return `${prefix}, but no limit is specified or limit is 0`
  const ratio = Number(limit.nanos) / Number(request.nanos)
  return ratio > Number(bound.nanos) / 1e9
    ? `${prefix}, but provided ratio is ${ratio.toFixed(6)}`
    : ''
}

function itemProblems(item: JsonObject, measured: Measured): readonly string[] {
  const type = textAt(item, 'type')
  const isClaim = type === 'PersistentVolumeClaim'
  const each = (
    list: string,
    problem: (bound: Quantity, name: string) => string,
  ): readonly string[] =>
    [...amountsOf(objectAt(item, list))].map(([name, bound]) => problem(bound, name))
  const what = (name: string): string => `${name} usage per ${type}`
  const most = isClaim ? claimMaximumProblem : maximumProblem
  return [
    ...each('min', (bound, name) => minimumProblem(what(name), bound, name, measured)),
    ...each('max', (bound, name) => most(what(name), bound, name, measured)),
    ...(isClaim
      ? []
      : each('maxLimitRequestRatio', (bound, name) => ratioProblem(type, bound, name, measured))),
  ].filter((problem) => problem !== '')
}

function measured(resources: JsonObject): Measured {
  return {
    requests: amountsOf(objectAt(resources, 'requests')),
    limits: amountsOf(objectAt(resources, 'limits')),
  }
}

function rangeProblems(range: KubeObject, object: KubeObject): readonly string[] {
  const spec = objectAt(object, 'spec')
  if (object.kind === 'PersistentVolumeClaim') {
    const { requests } = measured(objectAt(spec, 'resources'))
    return itemsOf(range, object.kind).flatMap((item) =>
      itemProblems(item, { requests, limits: new Map() }),
    )
  }
  const containers = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')]
  const whole = { requests: podAmounts(spec, 'requests'), limits: podAmounts(spec, 'limits') }
  return objectsAt(objectAt(range, 'spec'), 'limits').flatMap((item) => {
    if (item['type'] === 'Pod') return itemProblems(item, whole)
    if (item['type'] !== 'Container') return []
    return containers.flatMap((one) => itemProblems(item, measured(objectAt(one, 'resources'))))
  })
}

/** Why the limit ranges of a namespace do not admit a pod or a claim; empty if they do. */
export function limitRangeRefusal(object: KubeObject, ranges: readonly KubeObject[]): string {
  for (const range of ranges) {
    const problems = [...new Set(rangeProblems(range, object))]
    if (problems.length > 0)
      return problems.length === 1 ? (problems[0] ?? '') : `[${problems.join(', ')}]`
  }
  return ''
}
