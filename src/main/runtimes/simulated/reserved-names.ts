import type { Result } from '../../../shared/result.ts'
import { err, ok } from '../../../shared/result.ts'
import type { RuntimeError } from '../../kubelet/ports.ts'

/** Names of sandboxes and containers: each belongs to one id until that is removed, as containerd has it. */
export class ReservedNames {
  readonly #idOf = new Map<string, string>()
  readonly #nameOf = new Map<string, string>()

  reserve(
    what: 'sandbox' | 'container',
    parts: readonly (string | number)[],
    id: string,
  ): Result<undefined, RuntimeError> {
    // Joined, not written as a template: that keeps the parts beside the whole.
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

  /** Releases the names of all other ids: of what was being made when the runtime ended. */
  keepOnly(isThere: (id: string) => boolean): void {
    for (const id of this.#nameOf.keys()) if (!isThere(id)) this.release(id)
  }
}
