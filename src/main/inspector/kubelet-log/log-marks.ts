import type { TimelineMark, TimelineMarkKind } from '../../../shared/model/timeline/timeline.ts'
import { timelineMarkKinds } from '../../../shared/model/timeline/timeline.ts'
import { float64, uint32, uint8 } from './growing-columns.ts'

/** More than a log of 1 GB at -v=4 has; 21 bytes each. */
const maxMarks = 4_000_000
/** Different texts; more of a kind share one. */
const maxTexts = 50_000

/** The marks of all pods, in columns. The marks of a pod are a chain from its last one. */
export class LogMarks {
  readonly #at = float64()
  readonly #line = uint32()
  readonly #kind = uint8()
  readonly #text = uint32()
  /** The index + 1 of the mark before it in its chain. */
  readonly #before = uint32()
  readonly #texts = new Map<string, number>()
  readonly #textList: string[] = []
  leftOut = 0

  /** Returns the new end of the chain; 0: an empty one. */
  add(chain: number, mark: Pick<TimelineMark, 'kind' | 'at' | 'line' | 'text'>): number {
    if (this.#at.length >= maxMarks) {
      this.leftOut++
      return chain
    }
    this.#at.push(mark.at)
    this.#line.push(mark.line)
    this.#kind.push(timelineMarkKinds.indexOf(mark.kind))
    this.#text.push(this.#textId(mark.text, mark.kind))
    this.#before.push(chain)
    return this.#at.length
  }

  /** From `from` to `to`, in order; of a kind at most one in each `stepMs`, which says how many it hides. */
  of(chains: readonly number[], from: number, to: number, stepMs: number): readonly TimelineMark[] {
    const found: TimelineMark[] = []
    for (const chain of chains) {
      const slots = new Map<string, TimelineMark & { hidden: number }>()
      const own: TimelineMark[] = []
      for (let index = chain; index > 0; index = this.#before.at(index - 1)) {
        const at = this.#at.at(index - 1)
        if (at < from || at > to) continue
        const kind = timelineMarkKinds[this.#kind.at(index - 1)] ?? 'error'
        const slot = stepMs > 0 ? `${kind} ${Math.floor((at - from) / stepMs)}` : ''
        const shown = slot === '' ? undefined : slots.get(slot)
        if (shown !== undefined) {
          shown.hidden++
          continue
        }
        const mark = {
          kind,
          at,
          line: this.#line.at(index - 1),
          text: this.#textList[this.#text.at(index - 1)] ?? '',
          hidden: 0,
        }
        if (slot !== '') slots.set(slot, mark)
        own.push(mark)
      }
      found.push(...own.toReversed())
    }
    return found.toSorted((one, other) => one.line - other.line)
  }

  #textId(text: string, kind: TimelineMarkKind): number {
    const known = this.#texts.get(text)
    if (known !== undefined) return known
    if (this.#textList.length >= maxTexts && text !== kind) return this.#textId(kind, kind)
    this.#textList.push(text)
    this.#texts.set(text, this.#textList.length - 1)
    return this.#textList.length - 1
  }
}
