import { equalJson, numberAt, objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { invalidField, problemIf } from '../../../../shared/kubernetes/validation/field-problem.ts'
import type {
  FieldProblem,
  FieldProblems,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import { err, ok } from '../../../../shared/result.ts'
import type { Result } from '../../../../shared/result.ts'
import type { Random } from '../../../kubelet/ports.ts'
import { ipFamilyOf } from './ip-validation.ts'
import {
  clusterIpsOf,
  headless,
  ipFamiliesOf,
  needsClusterIp,
  needsHealthCheck,
  needsNodePort,
  nodePortsOf,
  withSpecFields,
} from './service-spec.ts'
import { clusterIpsProblems } from './service-validation.ts'

type Allocated<T> = Result<T, FieldProblems>

// kubeadm's range: 10.96.0.0/16. The first address is the API server's. The first 256 addresses and the first 86 ports are
// allocated only on request (pkg/registry/core/service/ipallocator calculateRangeOffset).
const [rangeHigh, rangeLow] = [10, 96]
const addresses = { first: 1, last: 65_534, firstRandom: 256 }
const ports = { first: 30_000, last: 32_767, firstRandom: 30_086 }

/** The address of the service `kubernetes`. */
export const apiServerIp = `${rangeHigh}.${rangeLow}.0.1`

function addressAt(offset: number): string {
  return `${rangeHigh}.${rangeLow}.${offset >> 8}.${offset & 255}`
}

function offsetOf(address: string): number | undefined {
  const numbers = address.split('.').map(Number)
  const [a, b, c = 0, d = 0] = numbers
  const offset = c * 256 + d
  const isInside = numbers.length === 4 && a === rangeHigh && b === rangeLow
  return isInside && offset >= addresses.first && offset <= addresses.last ? offset : undefined
}

/** A random free number from the upper part of the range, or from the whole range if the upper part is full. */
function freeNumber(
  range: { readonly first: number; readonly last: number; readonly firstRandom: number },
  taken: ReadonlySet<number>,
  random: Random,
): number | undefined {
  for (const first of [range.firstRandom, range.first]) {
    const count = range.last - first + 1
    const start = Math.floor(random.next() * count)
    for (let step = 0; step < count; step++) {
      const candidate = first + ((start + step) % count)
      if (!taken.has(candidate)) return candidate
    }
  }
  return undefined
}

/** The addresses and ports in use, computed from the stored services. */
export class ServiceAllocations {
  readonly #addresses = new Set<number>()
  readonly #ports = new Set<number>()
  readonly #random: Random

  /** `others`: the stored services without the written one. */
  constructor(others: readonly KubeObject[], random: Random) {
    this.#random = random
    for (const service of others) {
      const spec = objectAt(service, 'spec')
      for (const address of clusterIpsOf(spec)) this.#addresses.add(offsetOf(address) ?? 0)
      const healthPort = numberAt(spec, 'healthCheckNodePort') ?? 0
      for (const port of [...nodePortsOf(spec), healthPort]) this.#ports.add(port)
    }
  }

  nextAddress(): string {
    const offset = freeNumber(addresses, this.#addresses, this.#random)
    if (offset === undefined) throw new Error('failed to allocate a serviceIP: range is full')
    this.#addresses.add(offset)
    return addressAt(offset)
  }

  /** Reserves an address, or returns why it is not available. */
  takeAddress(address: string): string | undefined {
    const offset = offsetOf(address)
    if (offset === undefined) return 'the provided network does not match the current range'
    if (this.#addresses.has(offset)) return 'provided IP is already allocated'
    this.#addresses.add(offset)
    return undefined
  }

  nextPort(): number {
    const port = freeNumber(ports, this.#ports, this.#random)
    if (port === undefined) throw new Error('failed to allocate a nodePort: range is full')
    this.#ports.add(port)
    return port
  }

  /** Reserves a port, or returns why it is not available. */
  takePort(port: number): string | undefined {
    if (port < ports.first || port > ports.last) {
      return `provided port is not in the valid range. The range of valid ports is ${ports.first}-${ports.last}`
    }
    if (this.#ports.has(port)) return 'provided port is already allocated'
    this.#ports.add(port)
    return undefined
  }
}

/** Keeps the allocated values that a client omits. Source: storage.go patchAllocatedValues. */
function withKeptValues(next: KubeObject, old: KubeObject): KubeObject {
  const spec = objectAt(next, 'spec')
  const oldSpec = objectAt(old, 'spec')
  const fields: Record<string, unknown> = {}
  if (needsClusterIp(spec) && needsClusterIp(oldSpec)) {
    fields['clusterIP'] = textAt(spec, 'clusterIP') || oldSpec['clusterIP']
    if (clusterIpsOf(spec).length === 0) fields['clusterIPs'] = oldSpec['clusterIPs']
  }
  if (needsNodePort(spec) && needsNodePort(oldSpec)) fields['ports'] = portsWithKept(spec, oldSpec)
  if (needsHealthCheck(spec) && needsHealthCheck(oldSpec)) {
    fields['healthCheckNodePort'] = spec['healthCheckNodePort'] ?? oldSpec['healthCheckNodePort']
  }
  return withSpecFields(next, fields)
}

function portsWithKept(spec: JsonObject, oldSpec: JsonObject): readonly JsonObject[] {
  const used = new Set(nodePortsOf(spec).filter((port) => nodePortsOf(oldSpec).includes(port)))
  const before = new Map(
    objectsAt(oldSpec, 'ports').map((port) => [textAt(port, 'name'), numberAt(port, 'nodePort')]),
  )
  return objectsAt(spec, 'ports').map((port) => {
    const nodePort = before.get(textAt(port, 'name'))
    const isOpen = numberAt(port, 'nodePort') === undefined
    return isOpen && nodePort !== undefined && !used.has(nodePort) ? { ...port, nodePort } : port
  })
}

/** Keeps `clusterIP` and `clusterIPs` equal for clients that set only one of them. Source: storage.go normalizeClusterIPs. */
function withClusterIps(next: KubeObject, old: KubeObject | undefined): KubeObject {
  const spec = objectAt(next, 'spec')
  const clusterIP = textAt(spec, 'clusterIP')
  const clusterIPs = clusterIpsOf(spec)
  if (old === undefined) {
    if (clusterIP === '' || clusterIPs.length > 0) return next
    return withSpecFields(next, { clusterIPs: [clusterIP] })
  }
  const oldSpec = objectAt(old, 'spec')
  const isSameList = equalJson(clusterIPs, clusterIpsOf(oldSpec))
  if (clusterIP === textAt(oldSpec, 'clusterIP') || !isSameList) return next
  return withSpecFields(next, { clusterIPs: clusterIP === '' ? undefined : [clusterIP] })
}

function familyPolicyOf(spec: JsonObject, oldSpec: JsonObject): unknown {
  const given = spec['ipFamilyPolicy'] ?? oldSpec['ipFamilyPolicy']
  if (given !== undefined) return given
  const isBare = Object.keys(objectAt(spec, 'selector')).length === 0
  return spec['clusterIP'] === headless && isBare ? 'RequireDualStack' : 'SingleStack'
}

function singleStackProblems(spec: JsonObject): FieldProblems {
  const policy = spec['ipFamilyPolicy']
  if (policy !== 'SingleStack') return []
  const why = (what: string): string =>
    `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`
  const field = 'spec.ipFamilyPolicy'
  return [
    ...problemIf(clusterIpsOf(spec).length === 2, invalidField(field, policy, why('cluster IPs'))),
    ...problemIf(ipFamiliesOf(spec).length === 2, invalidField(field, policy, why('IP families'))),
  ]
}

function givenFamilies(spec: JsonObject): Allocated<readonly string[]> {
  const families = [...ipFamiliesOf(spec)]
  const problems: FieldProblem[] = []
  for (const [index, address] of clusterIpsOf(spec).entries()) {
    if (address === headless) break
    if (index < families.length) continue
    const family = ipFamilyOf(address)
    if (family === 'IPv4') families.push(family)
    else {
      const detail = `${family} is not configured on this cluster`
      problems.push(invalidField(`spec.clusterIPs[${index}]`, clusterIpsOf(spec), detail))
    }
  }
  return problems.length > 0 ? err(problems) : ok(families)
}

function unconfiguredProblems(spec: JsonObject, families: readonly string[]): FieldProblems {
  const policy = spec['ipFamilyPolicy']
  const dual = 'this cluster is not configured for dual-stack services'
  return [
    ...problemIf(policy === 'RequireDualStack', invalidField('spec.ipFamilyPolicy', policy, dual)),
    ...families.flatMap((family, index) =>
      family === 'IPv4'
        ? []
        : [invalidField(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster')],
    ),
  ]
}

/** Families and policy of a cluster with IPv4 only. Source: alloc.go initIPFamilyFields. */
function withFamilies(next: KubeObject, old: KubeObject | undefined): Allocated<KubeObject> {
  const given = objectAt(next, 'spec')
  if (!needsClusterIp(given)) return ok(next)
  const oldSpec = old === undefined ? {} : objectAt(old, 'spec')
  const spec: JsonObject = { ...given, ipFamilyPolicy: familyPolicyOf(given, oldSpec) }
  const problems = clusterIpsProblems(spec)
  if (problems.length > 0) return err(problems)
  const single = singleStackProblems(spec)
  if (single.length > 0) return err(single)
  const families = givenFamilies(spec)
  if (!families.ok) return families
  const isBare = Object.keys(objectAt(spec, 'selector')).length === 0
  if (spec['clusterIP'] === headless && isBare) {
    const first = families.value.length === 0 ? ['IPv4'] : families.value
    const other = first[0] === 'IPv4' ? 'IPv6' : 'IPv4'
    const isDual = first.length < 2 && spec['ipFamilyPolicy'] !== 'SingleStack'
    return ok({ ...next, spec: { ...spec, ipFamilies: isDual ? [...first, other] : first } })
  }
  const unconfigured = unconfiguredProblems(spec, families.value)
  if (unconfigured.length > 0) return err(unconfigured)
  const ipFamilies = families.value.length === 0 ? ['IPv4'] : families.value
  return ok({ ...next, spec: { ...spec, ipFamilies } })
}

function withAddress(
  next: KubeObject,
  old: KubeObject | undefined,
  allocations: ServiceAllocations,
): Allocated<KubeObject> {
  const spec = objectAt(next, 'spec')
  const had = old !== undefined && needsClusterIp(objectAt(old, 'spec'))
  // A service keeps its address. Validation refuses a request for another one.
  if (!needsClusterIp(spec) || clusterIpsOf(spec)[0] === headless || had) return ok(next)
  const requested = clusterIpsOf(spec)[0] ?? ''
  if (requested === '') {
    const clusterIP = allocations.nextAddress()
    return ok(withSpecFields(next, { clusterIP, clusterIPs: [clusterIP] }))
  }
  const refusal = allocations.takeAddress(requested)
  if (refusal === undefined) return ok(next)
  const detail = `failed to allocate IP ${requested}: ${refusal}`
  return err([invalidField('spec.clusterIPs', clusterIpsOf(spec), detail)])
}

function nodePortFor(
  port: JsonObject,
  given: ReadonlyMap<number, number>,
  allocations: ServiceAllocations,
): { readonly nodePort: number; readonly refusal?: string | undefined } {
  const requested = numberAt(port, 'nodePort')
  const number = numberAt(port, 'port') ?? 0
  const shared = given.get(number)
  if (requested === undefined) return { nodePort: shared ?? allocations.nextPort() }
  return {
    nodePort: requested,
    refusal: shared === requested ? undefined : allocations.takePort(requested),
  }
}

/** A node port for each port; ports with the same number (TCP and UDP) share one. Source: alloc.go initNodePorts, updateNodePorts. */
function withNodePorts(
  next: KubeObject,
  old: KubeObject | undefined,
  allocations: ServiceAllocations,
): Allocated<KubeObject> {
  const spec = objectAt(next, 'spec')
  if (!needsNodePort(spec)) return ok(next)
  const isGiven = spec['allocateLoadBalancerNodePorts'] !== false
  const kept = new Set(old === undefined ? [] : nodePortsOf(objectAt(old, 'spec')))
  const byPort = new Map<number, number>()
  const numbered: JsonObject[] = []
  for (const [index, port] of objectsAt(spec, 'ports').entries()) {
    const requested = numberAt(port, 'nodePort')
    const isKept = requested !== undefined && kept.has(requested)
    if (isKept || (requested === undefined && !isGiven)) {
      numbered.push(port)
      continue
    }
    const { nodePort, refusal } = nodePortFor(port, byPort, allocations)
    if (refusal !== undefined) {
      return err([invalidField(`spec.ports[${index}].nodePort`, nodePort, refusal)])
    }
    if (old === undefined) byPort.set(numberAt(port, 'port') ?? 0, nodePort)
    numbered.push({ ...port, nodePort })
  }
  return ok(numbered.length === 0 ? next : withSpecFields(next, { ports: numbered }))
}

function withHealthPort(next: KubeObject, allocations: ServiceAllocations): KubeObject {
  const spec = objectAt(next, 'spec')
  if (!needsHealthCheck(spec) || numberAt(spec, 'healthCheckNodePort') !== undefined) return next
  return withSpecFields(next, { healthCheckNodePort: allocations.nextPort() })
}

/**
 * A service with its addresses and ports, before validation. An update keeps the allocated values that the client omits.
 * Source: pkg/registry/core/service/storage beginCreate, beginUpdate (v1.34).
 */
export function withAllocations(
  given: KubeObject,
  old: KubeObject | undefined,
  allocations: ServiceAllocations,
): Allocated<KubeObject> {
  const kept = old === undefined ? given : withKeptValues(given, old)
  const families = withFamilies(withClusterIps(kept, old), old)
  if (!families.ok) return families
  const addressed = withAddress(families.value, old, allocations)
  if (!addressed.ok) return addressed
  const numbered = withNodePorts(addressed.value, old, allocations)
  return numbered.ok ? ok(withHealthPort(numbered.value, allocations)) : numbered
}
