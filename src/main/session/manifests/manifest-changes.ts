import type { ManifestUndo } from '../../../shared/model/manifests.ts'
import type { ManifestBytes } from '../../sources/manifest-entry.ts'

/** A change of one file by a page. `undefined`: no such file. */
export interface ManifestChange {
  readonly id: number
  readonly name: string
  readonly before: ManifestBytes | undefined
  readonly after: Buffer | undefined
}

/** Changes that can be undone, at most; their previous content is in memory. */
const changesKept = 20

function textOf({ before, after, name }: ManifestChange): string {
  if (before === undefined) return `added ${name}`
  return after === undefined ? `removed ${name}` : `changed ${name}`
}

/** The changes by pages, newest last. */
export class ManifestChanges {
  #lastId = 0
  #changes: readonly ManifestChange[] = []

  push(change: Omit<ManifestChange, 'id'>): void {
    const id = ++this.#lastId
    this.#changes = [...this.#changes, { ...change, id }].slice(-changesKept)
  }

  find(id: number): ManifestChange | undefined {
    return this.#changes.find((change) => change.id === id)
  }

  forget(id: number): void {
    this.#changes = this.#changes.filter((change) => change.id !== id)
  }

  get newest(): ManifestUndo | null {
    const change = this.#changes.at(-1)
    return change === undefined ? null : { id: change.id, text: textOf(change) }
  }
}
