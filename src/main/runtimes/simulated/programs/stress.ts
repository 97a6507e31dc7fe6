import { known, Unreadable } from '../shell/unreadable.ts'
import type { Program } from './program.ts'
import { programOf } from './program.ts'

// `stress` of Amos Waterland, which polinux/stress has, and vish/stress. What they take of CPU and memory is in the statistics
// of the container whose command they are.

export interface StressOptions {
  /** Workers of each kind. */
  readonly cpu: number
  readonly io: number
  readonly vm: number
  readonly hdd: number
  /** Of each worker. */
  readonly vmBytes: number
  /** How long a worker holds its memory before it takes it again; 0: not at all. */
  readonly vmHangMs: number
  readonly timeoutMs: number | undefined
  readonly isQuiet: boolean
}

const longNames: Readonly<Record<string, string>> = {
  c: 'cpu',
  i: 'io',
  m: 'vm',
  d: 'hdd',
  t: 'timeout',
  q: 'quiet',
  v: 'verbose',
}

const withValue = [
  'cpu',
  'io',
  'vm',
  'hdd',
  'timeout',
  'vm-bytes',
  'vm-hang',
  'vm-stride',
  'hdd-bytes',
  'backoff',
]
const withoutValue = ['quiet', 'verbose', 'vm-keep']

/** `-m 1`, `-m1`, `--vm 1` and `--vm=1` are the same; undefined for others. */
function settingsOf(operands: readonly string[]): ReadonlyMap<string, string> | undefined {
  const settings = new Map<string, string>()
  const left = [...operands]
  for (let operand = left.shift(); operand !== undefined; operand = left.shift()) {
    const [, letter = '', attached] = /^-(\w)(.+)?$/.exec(operand) ?? []
    const [, word = '', given] = /^--([a-z-]+)(?:=(.*))?$/.exec(operand) ?? []
    const name = longNames[letter] ?? word
    if (withoutValue.includes(name)) settings.set(name, '')
    else if (withValue.includes(name)) settings.set(name, attached ?? given ?? left.shift() ?? '')
    else return undefined
  }
  return settings
}

function scaled(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,15})([a-z]?)$/i.exec(text) ?? []
  const factor = unit === '' ? 1 : units[unit.toLowerCase()]
  return digits === '' || factor === undefined ? undefined : Number(digits) * factor
}

const sizes = { b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 }
const times = { s: 1, m: 60, h: 3600, d: 86_400, y: 31_556_926 }

/** Undefined if it refuses them, or has none of them to do. */
export function stressOptions(operands: readonly string[]): StressOptions | undefined {
  const settings = settingsOf(operands)
  if (settings === undefined) return undefined
  const count = (name: string): number | undefined => scaled(settings.get(name) ?? '0', {})
  const [cpu, io, vm, hdd] = [count('cpu'), count('io'), count('vm'), count('hdd')]
  const vmBytes = scaled(settings.get('vm-bytes') ?? '256m', sizes)
  const hang = scaled(settings.get('vm-hang') ?? '0', times)
  const timeout = scaled(settings.get('timeout') ?? '0', times)
  if (cpu === undefined || io === undefined || vm === undefined || hdd === undefined)
    return undefined
  if (vmBytes === undefined || hang === undefined || timeout === undefined) return undefined
  if (cpu + io + vm + hdd === 0) return undefined
  // --vm-hang 0 is for ever.
  const holds = settings.has('vm-keep') || (settings.has('vm-hang') && hang === 0)
  return {
    cpu,
    io,
    vm,
    hdd,
    vmBytes,
    vmHangMs: holds ? Number.POSITIVE_INFINITY : hang * 1000,
    timeoutMs: timeout === 0 ? undefined : timeout * 1000,
    isQuiet: settings.has('quiet'),
  }
}

/** It works until it is stopped, or for its --timeout. */
export const stress: Program = programOf((operands) => {
  const options = stressOptions(operands.map((operand) => known(operand, 'stress')))
  if (options === undefined) throw new Unreadable(`stress ${operands.join(' ')}`)
  const { cpu, io, vm, hdd, timeoutMs, isQuiet } = options
  return function* run(io_) {
    const say = (text: string): string => (isQuiet ? '' : `stress: info: [1] ${text}\n`)
    yield* io_.write(say(`dispatching hogs: ${cpu} cpu, ${io} io, ${vm} vm, ${hdd} hdd`))
    yield { until: timeoutMs === undefined ? Number.POSITIVE_INFINITY : io_.now() + timeoutMs }
    yield* io_.write(say(`successful run completed in ${(timeoutMs ?? 0) / 1000}s`))
    return 0
  }
})

export function isVishStress(image: string): boolean {
  return /(^|\/)vish\/stress(:[^/]*)?(@.*)?$/.test(image)
}

/** A program in Go that does not handle SIGTERM ends with 2. */
export const vishStressScript = "trap 'exit 2' TERM; sleep infinity & wait"
