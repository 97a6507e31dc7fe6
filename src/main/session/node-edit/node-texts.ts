import type { Node, Taint } from '../../../shared/kubernetes/objects.ts'
import type { NodeTexts } from '../../../shared/model/node/node-edit.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'

type Labels = ReadonlyMap<string, string>

/** Taints by key and effect: a node has one of each. */
type Taints = ReadonlyMap<string, Taint>

const effects: readonly Taint['effect'][] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** `key=value:Effect`, as kubectl describe writes it. */
export function taintText({ key, value = '', effect }: Taint): string {
  return `${key}${value === '' ? '' : `=${value}`}:${effect}`
}

export function nodeTexts({ metadata, spec }: Node): NodeTexts {
  const labels = Object.entries(metadata.labels ?? {}).map(([key, value]) => `${key}=${value}`)
  return {
    labels: labels.toSorted().join('\n'),
    taints: (spec?.taints ?? []).map(taintText).join('\n'),
  }
}

function linesOf(text: string): readonly (readonly [line: string, number: number])[] {
  return text
    .split('\n')
    .map((line, index) => [line.trim(), index + 1] as const)
    .filter(([line]) => line !== '')
}

/** Error: a sentence with the line. */
export function readLabels(text: string): Result<Labels, string> {
  const labels = new Map<string, string>()
  for (const [line, number] of linesOf(text)) {
    const at = line.indexOf('=')
    const key = at === -1 ? '' : line.slice(0, at)
    if (key === '') return err(`Line ${number} of the labels needs key=value, not ${line}.`)
    if (labels.has(key)) return err(`Line ${number} of the labels repeats ${key}.`)
    labels.set(key, line.slice(at + 1))
  }
  return ok(labels)
}

/** Error: a sentence with the line. */
export function readTaints(text: string): Result<Taints, string> {
  const taints = new Map<string, Taint>()
  for (const [line, number] of linesOf(text)) {
    const [, key = '', value = '', word = ''] = /^([^=:]+)(?:=([^:]*))?:(\w+)$/.exec(line) ?? []
    const effect = effects.find((one) => one === word)
    if (key === '' || effect === undefined)
      return err(
        `Line ${number} of the taints needs key=value:Effect with the effect ${effects.join(', ')}, not ${line}.`,
      )
    const id = `${key}:${effect}`
    if (taints.has(id)) return err(`Line ${number} of the taints repeats ${id}.`)
    taints.set(id, { key, effect, ...(value === '' ? {} : { value }) })
  }
  return ok(taints)
}

/** What is in `after` and not the same in `before`, and the keys that are only in `before`. */
export interface Changed<T> {
  readonly set: ReadonlyMap<string, T>
  readonly removed: ReadonlySet<string>
}

export function changed<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  isSame: (one: T, other: T) => boolean,
): Changed<T> {
  const set = [...after].filter(([key, value]) => {
    const old = before.get(key)
    return old === undefined || !isSame(old, value)
  })
  return {
    set: new Map(set),
    removed: new Set([...before.keys()].filter((key) => !after.has(key))),
  }
}
