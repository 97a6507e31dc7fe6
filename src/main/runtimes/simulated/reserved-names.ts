import type { Result } from '../../../shared/result.ts'
import { err, ok } from '../../../shared/result.ts'
import type { RuntimeError } from '../../kubelet/ports.ts'

/** Names of sandboxes and containers, as in containerd: a name belongs to one id until that id is removed. */
export class ReservedNames {
  readonly #idOf = new Map<string, string>()
  readonly #nameOf = new Map<string, string>()

  reserve(
    what: 'sandbox' | 'container',
    parts: readonly (string | number)[],
    id: string,
  ): Result<undefined, RuntimeError> {
    // A joined text is flat; a template would keep its parts in memory too.
    const name = parts.join('_')
    const holder = this.#idOf.get(name)
    if (holder !== undefined) {
      const reserved = `name "${name}" is reserved for "${holder}"`
      return err({
        kind: 'failed',
        message: `failed to reserve ${what} name "${name}": ${reserved}`,
      })
    }
    this.#idOf.set(name, id)
    this.#nameOf.set(id, name)
    return ok(undefined)
  }

  release(id: string): void {
    const name = this.#nameOf.get(id)
    if (name === undefined) return
    this.#nameOf.delete(id)
    this.#idOf.delete(name)
  }

  /** Releases the names of all other ids, whose sandbox or container was never finished. */
  keepOnly(isThere: (id: string) => boolean): void {
    for (const id of this.#nameOf.keys()) if (!isThere(id)) this.release(id)
  }
}
