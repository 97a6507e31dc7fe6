/**
 * What a pod's annotations ask of the simulated runtime: `simulated.nodescope.dev/NAME` for all its containers, or
 * `simulated.nodescope.dev/NAME.CONTAINER` for one.
 */
import { parseDuration } from './go/duration.ts'
import { goQuote } from './go/text.ts'
import { parseQuantity, quantityMilliValue } from './kubernetes/quantity.ts'
import { defined } from './json.ts'
import { err, ok } from './result.ts'
import type { Result } from './result.ts'

export const behaviorPrefix = 'simulated.nodescope.dev/'

/** The annotations by their names after the prefix. */
export const behaviorNames = [
  'probes',
  'memory',
  'cpu',
  'out-of-memory',
  'start-delay',
  'run-time',
  'exit-code',
  'ignore-sigterm',
  'log-rate',
  'log-size',
  'disk',
  'inodes',
  'processes',
] as const

export type BehaviorName = (typeof behaviorNames)[number]

/** Those that a running container follows when its pod's annotations change; the others count from its start. */
export const liveBehaviors: ReadonlySet<BehaviorName> = new Set([
  'probes',
  'memory',
  'cpu',
  'out-of-memory',
  'log-size',
  'disk',
  'inodes',
  'processes',
])

/** The annotation's key; `container` empty: for all containers of the pod. */
export function behaviorKey(name: BehaviorName, container: string): string {
  return `${behaviorPrefix}${name}${container === '' ? '' : `.${container}`}`
}

/** A value that changes with the age of a container. */
export interface UsageCurve {
  readonly from: number
  readonly to: number
  /** 0: `to` at once. */
  readonly overMs: number
  /** Starts over at `from`. */
  readonly isRepeated: boolean
}

/** When probes fail whatever the container does: from an age on, until it, or a share of them (0 to 1) at random. */
export type ProbeBehavior =
  | { readonly kind: 'fails' | 'succeeds'; readonly afterMs: number }
  | { readonly kind: 'flaky'; readonly share: number }

/** Absent: as without the annotation. */
export interface SimulatedBehavior {
  /** After the container's start. */
  readonly listenAfterMs?: number
  /** The container runs for this time instead of its command. */
  readonly runTimeMs?: number
  readonly exitCode?: number
  readonly ignoresSigterm?: boolean
  /** Lines per second, instead of what the command prints. */
  readonly logRate?: number
  /** In bytes. */
  readonly memory?: UsageCurve
  /** In nanocores. */
  readonly cpu?: UsageCurve
  readonly outOfMemoryAfterMs?: number
  /** In bytes, in addition to what it prints. */
  readonly logSize?: UsageCurve
  /** Bytes of its writable layer, in addition to the files that it writes. */
  readonly disk?: UsageCurve
  /** Files of its writable layer, in the same way. */
  readonly inodes?: UsageCurve
  readonly processes?: UsageCurve
  readonly probes?: ProbeBehavior
}

export interface AnnotationProblem {
  /** `metadata.annotations[simulated.nodescope.dev/memory]`. */
  readonly field: string
  /** What is wrong with the value, and what happens. */
  readonly message: string
}

type Read = (value: string) => Result<SimulatedBehavior, string>

function durationOf(value: string): number | undefined {
  const ms = parseDuration(value)
  return ms === undefined || ms < 0 ? undefined : ms
}

function ofDuration(set: (ms: number) => SimulatedBehavior): Read {
  return (value) => {
    const ms = durationOf(value)
    return ms === undefined ? err('a duration such as 30s') : ok(set(ms))
  }
}

function ofNumber(
  what: string,
  max: number,
  isWhole: boolean,
  set: (value: number) => SimulatedBehavior,
): Read {
  return (value) => {
    const number = /^\d{1,6}(\.\d{1,3})?$/.test(value) ? Number(value) : Number.NaN
    const isValid = number <= max && (!isWhole || Number.isInteger(number))
    return isValid ? ok(set(number)) : err(what)
  }
}

/** `64Mi`, `64Mi to 1Gi over 60s`, `64Mi to 1Gi every 60s`. */
function ofCurve(
  perUnit: number,
  set: (curve: UsageCurve) => SimulatedBehavior,
  example: string,
): Read {
  return (value) => {
    const [, first = '', last, how, time = ''] =
      /^(\S+)(?: to (\S+) (over|every) (\S+))?$/.exec(value) ?? []
    const amounts = [first, last ?? first].map((text) => {
      const quantity = parseQuantity(text)
      return quantity === undefined
        ? Number.NaN
        : (Number(quantityMilliValue(quantity)) / 1000) * perUnit
    })
    const [from = Number.NaN, to = Number.NaN] = amounts
    const overMs = how === undefined ? 0 : (durationOf(time) ?? 0)
    const isValid = from >= 0 && to >= 0 && (how === undefined || overMs > 0)
    return isValid ? ok(set({ from, to, overMs, isRepeated: how === 'every' })) : err(example)
  }
}

const sizeExample = 'an amount such as 64Mi, "64Mi to 1Gi over 60s" or "64Mi to 1Gi every 60s"'

const probes: Read = (value) => {
  const flaky = /^flaky (\d{1,3})%$/.exec(value)
  if (flaky !== null && Number(flaky[1]) <= 100)
    return ok({ probes: { kind: 'flaky', share: Number(flaky[1]) / 100 } })
  const [, what, time = '0s'] = /^(fail|succeed)(?: after (\S+))?$/.exec(value) ?? []
  const afterMs = durationOf(time)
  if (what === undefined || afterMs === undefined)
    return err('"fail", "fail after 30s", "succeed after 30s" or "flaky 20%"')
  return ok({ probes: { kind: what === 'fail' ? 'fails' : 'succeeds', afterMs } })
}

const readers: ReadonlyMap<string, Read> = new Map<BehaviorName, Read>([
  ['start-delay', ofDuration((listenAfterMs) => ({ listenAfterMs }))],
  ['run-time', ofDuration((runTimeMs) => ({ runTimeMs }))],
  ['exit-code', ofNumber('a number from 0 to 255', 255, true, (exitCode) => ({ exitCode }))],
  [
    'ignore-sigterm',
    (value) =>
      value === 'true' || value === 'false'
        ? ok({ ignoresSigterm: value === 'true' })
        : err('"true" or "false"'),
  ],
  ['log-rate', ofNumber('lines per second, at most 100', 100, false, (logRate) => ({ logRate }))],
  ['memory', ofCurve(1, (memory) => ({ memory }), sizeExample)],
  [
    'cpu',
    ofCurve(
      1e9,
      (cpu) => ({ cpu }),
      'an amount such as 250m, "100m to 1 over 60s" or "100m to 1 every 60s"',
    ),
  ],
  ['log-size', ofCurve(1, (logSize) => ({ logSize }), sizeExample)],
  ['disk', ofCurve(1, (disk) => ({ disk }), sizeExample)],
  [
    'inodes',
    ofCurve(
      1,
      (inodes) => ({ inodes }),
      'a number such as 20k, "1k to 3M over 60s" or "1k to 3M every 60s"',
    ),
  ],
  [
    'processes',
    ofCurve(
      1,
      (processes) => ({ processes }),
      'a number such as 20, "1 to 5k over 60s" or "1 to 5k every 60s"',
    ),
  ],
  ['out-of-memory', ofDuration((outOfMemoryAfterMs) => ({ outOfMemoryAfterMs }))],
  ['probes', probes],
])

/** What is wrong with a value, as a sentence; empty: nothing. */
export function behaviorProblem(name: BehaviorName, value: string): string {
  const read = readers.get(name)?.(value)
  return read?.ok === false ? `${goQuote(value)} is not ${read.error}.` : ''
}

/** What a container follows that started with `before`, now that the annotations ask for `now`. */
export function changedBehavior(
  before: SimulatedBehavior,
  now: SimulatedBehavior,
): SimulatedBehavior {
  const { listenAfterMs, runTimeMs, exitCode, ignoresSigterm, logRate } = before
  const fixed = defined({ listenAfterMs, runTimeMs, exitCode, ignoresSigterm, logRate })
  const { probes: outcome, memory, cpu, outOfMemoryAfterMs, logSize, disk, inodes, processes } = now
  const live = {
    probes: outcome,
    memory,
    cpu,
    outOfMemoryAfterMs,
    logSize,
    disk,
    inodes,
    processes,
  }
  return { ...fixed, ...defined(live) }
}

interface FoundAnnotation {
  readonly key: string
  readonly container: string | undefined
  readonly read: Result<SimulatedBehavior, string>
}

type Annotations = Readonly<Record<string, string>>

function found(annotations: Annotations): readonly FoundAnnotation[] {
  return Object.entries(annotations).flatMap(([key, value]) => {
    if (!key.startsWith(behaviorPrefix)) return []
    const [name = '', container] = key.slice(behaviorPrefix.length).split(/\.(.*)/s)
    const reader = readers.get(name)
    const known = [...readers.keys()].join(', ')
    const read: FoundAnnotation['read'] =
      reader === undefined ? err(`unknown: the annotations are ${known}`) : reader(value)
    return [{ key, container, read }]
  })
}

/** One object for most containers, to save memory. */
const noBehavior: SimulatedBehavior = {}

/** The behavior of one container. Values that are not valid have no effect. */
export function simulatedBehavior(annotations: Annotations, container: string): SimulatedBehavior {
  const all = found(annotations)
  if (all.length === 0) return noBehavior
  const behaviorOf = (name: string | undefined): SimulatedBehavior =>
    Object.assign(
      {},
      ...all.map(({ container: other, read }) => (other === name && read.ok ? read.value : {})),
    )
  return { ...behaviorOf(undefined), ...behaviorOf(container) }
}

/** Annotations that have no effect, because of their value, name or container. */
export function annotationProblems(
  annotations: Annotations,
  containers: readonly string[],
): readonly AnnotationProblem[] {
  return found(annotations).flatMap(({ key, container, read }) => {
    const field = `metadata.annotations[${key}]`
    if (!read.ok) {
      const isUnknown = read.error.startsWith('unknown')
      const value = goQuote(annotations[key] ?? '')
      return [
        {
          field,
          message: isUnknown ? `ignored: ${read.error}` : `ignored: ${value} is not ${read.error}`,
        },
      ]
    }
    if (container === undefined || containers.includes(container)) return []
    return [{ field, message: `ignored: the pod has no container ${goQuote(container)}` }]
  })
}

/** The value at an age in ms. */
export function usageAt({ from, to, overMs, isRepeated }: UsageCurve, ageMs: number): number {
  if (overMs === 0) return to
  const at = isRepeated ? ageMs % overMs : Math.min(ageMs, overMs)
  return from + ((to - from) * at) / overMs
}

/** The sum over time until that age: value times seconds, with `most` in place of any higher value. */
export function usageUntil(curve: UsageCurve, ageMs: number, most = Infinity): number {
  const { from, to, overMs, isRepeated } = curve
  const last = (ms: number): number => (Math.min(to, most) * ms) / 1000
  if (overMs === 0) return last(ageMs)
  const first = (ms: number): number =>
    sumOfRamp(from, usageAt({ from, to, overMs, isRepeated: false }, ms), ms / 1000, most)
  const rounds = Math.floor(ageMs / overMs)
  if (isRepeated) return first(overMs) * rounds + first(ageMs - rounds * overMs)
  return first(Math.min(ageMs, overMs)) + last(Math.max(0, ageMs - overMs))
}

/** The area below a straight line, without what is above `most`. */
function sumOfRamp(from: number, to: number, seconds: number, most: number): number {
  const low = Math.min(from, to)
  const high = Math.max(from, to)
  if (low >= most) return most * seconds
  const above = high <= most ? 0 : (high - most) ** 2 / (high - low) / 2
  return ((from + to) / 2 - above) * seconds
}

/** The age in ms at which the value first reaches a limit; undefined: never. */
export function usageReaches({ from, to, overMs }: UsageCurve, limit: number): number | undefined {
  if (overMs === 0) return to >= limit ? 0 : undefined
  if (from >= limit) return 0
  return to >= limit ? ((limit - from) / (to - from)) * overMs : undefined
}
