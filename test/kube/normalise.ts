import { isJsonObject, textAt, type JsonObject } from '../../src/shared/json.ts'

const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z\b/g
const uid = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g
// Given out at random; the first 256 addresses and the first 86 ports are left to those who ask for one.
const clusterIp = /\b10\.96\.[1-9]\d*\.\d+\b/g
const nodePort = /:(?!300[0-7]\d|3008[0-5])3\d{4}\//g
const firstRandomPort = 30_086
const tokenVolume = /\bkube-api-access-[a-z\d]{5}\b/g
const token = /^([\w-]+)\.([\w-]+)\.[\w-]+$/

function sortedText(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    isJsonObject(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
}

function byText(a: unknown, b: unknown): number {
  return sortedText(a) < sortedText(b) ? -1 : 1
}

function claimsIn(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString())
}

/**
 * Normalizes the responses of two servers. UIDs and the versions of an object are numbered in the order
 * of their first occurrence, so that equal ones stay recognizable; times, versions of lists
 * and continue tokens become words; managedFields, which the sandbox has only from the first apply on, are removed unless they are
 * asked for.
 */
export class Normaliser {
  readonly #uids = new Map<string, string>()
  readonly #clusterIps = new Map<string, string>()
  readonly #versions = new Map<string, string>()
  readonly #versionsOf = new Map<string, number>()

  readonly #keepsManagers: boolean

  constructor(options: { readonly keepsManagers?: boolean } = {}) {
    this.#keepsManagers = options.keepsManagers ?? false
  }

  of(value: unknown): unknown {
    if (typeof value === 'string') return this.#token(value) ?? this.#text(value)
    if (Array.isArray(value)) return value.map((entry) => this.of(entry))
    return isJsonObject(value) ? this.#object(value) : value
  }

  #object(object: JsonObject): JsonObject {
    const fields = Object.entries(object).filter(
      ([key, value]) => (this.#keepsManagers || key !== 'managedFields') && value !== undefined,
    )
    return Object.fromEntries(
      fields.map(([key, value]) => {
        if (key === 'resourceVersion') return [key, this.#version(object, String(value))]
        if (/^(healthCheckN|n)odePort$/.test(key) && Number(value) >= firstRandomPort)
          return [key, 'a node port']
        if (key === 'continue' && value !== '') return [key, 'a token']
        // What columns mean is said in words of our own.
        if (key === 'columnDefinitions' && Array.isArray(value))
          return [key, value.map((column) => this.#column(column))]
        // Sorted by times within a second.
        if (key === 'managedFields' && Array.isArray(value))
          return [key, value.map((entry) => this.of(entry)).toSorted(byText)]
        // An age is a matter of when one asked.
        if (key === 'cells' && Array.isArray(value))
          return [key, value.map((cell) => this.#cell(cell))]
        return [key, this.of(value)]
      }),
    )
  }

  #column(column: unknown): unknown {
    return isJsonObject(column) ? { ...column, description: 'a description' } : column
  }

  #cell(cell: unknown): unknown {
    return typeof cell === 'string' && /^(\d+[smh])+$/.test(cell) ? 'an age' : this.of(cell)
  }

  #text(text: string): string {
    return text
      .replaceAll(time, 'a time')
      .replaceAll(uid, (found) => this.#uid(found))
      .replaceAll(clusterIp, (found) => this.#clusterIp(found))
      .replaceAll(nodePort, ':a node port/')
      .replaceAll(tokenVolume, 'kube-api-access-a name')
      .replaceAll(/(resource version: )\d+( \(\d+\))?/gi, '$1a version')
      .replaceAll(
        /(ResourceVersion in (?:precondition|the precondition|record) )\(\d+\)/g,
        '$1(a version)',
      )
  }

  /** The claims of a service account token, without its signature and its times. */
  #token(text: string): unknown {
    const [, head, body] = text.startsWith('eyJ') ? (token.exec(text) ?? []) : []
    if (head === undefined || body === undefined) return undefined
    const claims = claimsIn(body)
    if (!isJsonObject(claims)) return undefined
    const { iat, nbf, exp, 'kubernetes.io': bound, ...rest } = claims
    const lifetime = Number(exp) - Number(iat)
    const header = { ...(claimsIn(head) as JsonObject), kid: 'a key' }
    const own = Object(bound) as JsonObject
    const warnsAfter =
      own['warnafter'] === undefined ? {} : { warnafter: Number(own['warnafter']) - Number(iat) }
    const said = { ...rest, 'kubernetes.io': { ...own, ...warnsAfter } }
    return { header, lifetime, startsAtOnce: iat === nbf, ...(this.of(said) as JsonObject) }
  }

  #uid(found: string): string {
    const known = this.#uids.get(found) ?? `uid ${this.#uids.size + 1}`
    this.#uids.set(found, known)
    return known
  }

  #clusterIp(found: string): string {
    const known = this.#clusterIps.get(found) ?? `cluster IP ${this.#clusterIps.size + 1}`
    this.#clusterIps.set(found, known)
    return known
  }

  /** Versions of one object are numbered; of anything else a version says nothing. */
  #version(metadata: JsonObject, version: string): string {
    const owner = textAt(metadata, 'uid')
    if (owner === '') return version === '' ? '' : 'a version'
    const key = `${owner} ${version}`
    const known = this.#versions.get(key)
    if (known !== undefined) return known
    const number = (this.#versionsOf.get(owner) ?? 0) + 1
    this.#versionsOf.set(owner, number)
    this.#versions.set(key, `version ${number}`)
    return `version ${number}`
  }
}

/** The value at a path of fields and indexes. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  const [first, ...rest] = path
  if (first === undefined) return value
  if (Array.isArray(value)) return valueAt(value[Number(first)], rest)
  return isJsonObject(value) ? valueAt(value[first], rest) : undefined
}

/** A copy without the value at the path. */
export function without(value: unknown, path: readonly string[]): unknown {
  const [first = '', ...rest] = path
  if (Array.isArray(value)) {
    return value.map((entry: unknown, index) =>
      String(index) === first ? without(entry, rest) : entry,
    )
  }
  if (!isJsonObject(value) || !(first in value)) return value
  if (rest.length > 0) return { ...value, [first]: without(value[first], rest) }
  const { [first]: _, ...others } = value
  return others
}

/** Fields of saved answers in place of their `<name.path>`, and the namespace in place of `<ns>`. */
export function filled(
  value: unknown,
  namespace: string,
  saved: ReadonlyMap<string, JsonObject>,
): unknown {
  if (typeof value === 'string') {
    return value
      .replaceAll('<ns>', namespace)
      .replaceAll(/<(\w+)\.([\w.]+)>/g, (_, name: string, path: string) => {
        const found = valueAt(saved.get(name), path.split('.'))
        if (typeof found !== 'string') throw new Error(`no ${path} in the answer saved as ${name}`)
        return found
      })
  }
  if (Array.isArray(value)) return value.map((entry) => filled(entry, namespace, saved))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, filled(entry, namespace, saved)]),
  )
}
