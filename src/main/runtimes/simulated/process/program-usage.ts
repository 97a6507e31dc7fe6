import { parseDuration } from '../../../../shared/go/duration.ts'
import { parseQuantity, quantityMilliValue } from '../../../../shared/kubernetes/quantity.ts'
import type { SimulatedBehavior, UsageCurve } from '../../../../shared/simulated-behavior.ts'
import { isVishStress, stressOptions } from '../programs/stress.ts'

type Usage = Pick<SimulatedBehavior, 'memory' | 'cpu'>

/** Memory that a program touches in a second, and the CPU of a worker that touches it once a second: rough, for a usual machine. */
const touchedPerSecond = 2 ** 31
const touchingShare = 0.05
const nanoCores = 1e9

function constant(to: number): UsageCurve {
  return { from: to, to, overMs: 0, isRepeated: false }
}

function rising(to: number, overMs: number): UsageCurve {
  return { from: 0, to, overMs: Math.max(1, Math.round(overMs)), isRepeated: false }
}

/** What the main process of a container takes, as far as its command says so; empty for most. */
export function usageOfCommand(
  image: string,
  command: readonly string[],
  args: readonly string[],
): Usage {
  if (command.length === 0 && isVishStress(image)) return usageOfVishStress(args)
  const [program = '', ...operands] = wordsOf([...command, ...args])
  return program.replace(/^.*\//, '') === 'stress' ? usageOfStress(operands) : {}
}

/** Also of `sh -c 'stress …'`. */
function wordsOf(words: readonly string[]): readonly string[] {
  const [, option, script = ''] = words
  const isPlain = option === '-c' && /^\s*(exec\s+)?\/?[\w/]*stress[\w\s.-]*$/.test(script)
  return isPlain
    ? script
        .trim()
        .replace(/^exec\s+/, '')
        .split(/\s+/)
    : words
}

function usageOfStress(operands: readonly string[]): Usage {
  const options = stressOptions(operands)
  if (options === undefined) return {}
  const { cpu, vm, vmBytes, vmHangMs } = options
  const cores = cpu + vm * (vmHangMs > 0 ? touchingShare : 1)
  const bytes = vm * vmBytes
  return {
    ...(cores > 0 ? { cpu: constant(cores * nanoCores) } : {}),
    ...(bytes > 0 ? { memory: rising(bytes, (bytes / touchedPerSecond) * 1000) } : {}),
  }
}

/** Flags of Go: `-cpus 2`, `--cpus=2`. */
function goFlag(args: readonly string[], name: string): string | undefined {
  const at = args.findIndex((arg) => arg.replace(/^--?/, '').split('=', 1)[0] === name)
  const [, value] = (args[at] ?? '').split(/=(.*)/s)
  return at < 0 ? undefined : (value ?? args[at + 1])
}

function bytesOf(text: string): number {
  const quantity = parseQuantity(text)
  return quantity === undefined ? 0 : Number(quantityMilliValue(quantity)) / 1000
}

/** github.com/vishh/stress: it allocates piece by piece, and its threads do nothing but work. */
function usageOfVishStress(args: readonly string[]): Usage {
  const cores = Number(goFlag(args, 'cpus') ?? 0)
  const total = bytesOf(goFlag(args, 'mem-total') ?? '0')
  const piece = bytesOf(goFlag(args, 'mem-alloc-size') ?? '4Ki')
  const pauseMs = parseDuration(goFlag(args, 'mem-alloc-sleep') ?? '1ms') ?? 0
  return {
    ...(cores > 0 ? { cpu: constant(cores * nanoCores) } : {}),
    ...(total > 0 && piece > 0 ? { memory: rising(total, (total / piece) * pauseMs) } : {}),
  }
}
