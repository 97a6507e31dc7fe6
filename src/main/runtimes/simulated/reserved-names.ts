import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { RuntimeError } from '../../kubelet/ports.ts'

/**
 * The names of sandboxes and containers that are being made. Those that are there hold theirs by themselves (containerd
 * internal/registrar).
 */
export class ReservedNames {
  /** By name: the id of what is being made. */
  readonly #idOf = new Map<string, string>()

  /** `existing`: the id of what is there and has the name. */
  reserve(
    what: 'sandbox' | 'container',
    parts: readonly (string | number)[],
    id: string,
    existing: string | undefined,
  ): Result<undefined, RuntimeError> {
    const name = parts.join('_')
    const holder = existing ?? this.#idOf.get(name)
    if (holder !== undefined) {
      const reserved = `name "${name}" is reserved for "${holder}"`
      return err({
        kind: 'failed',
        message: `failed to reserve ${what} name "${name}": ${reserved}`,
      })
    }
    this.#idOf.set(name, id)
    return ok(undefined)
  }

  /** It is there, or will never be. */
  release(id: string): void {
    for (const [name, holder] of this.#idOf) if (holder === id) this.#idOf.delete(name)
  }

  /** Nothing is being made any more. */
  clear(): void {
    this.#idOf.clear()
  }
}
