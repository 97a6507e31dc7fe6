import type { KubeObject, KubeStatus } from '../../../shared/kubernetes/objects.ts'

/** A write whose object is complete and valid. */
export interface StoredWrite {
  readonly next: KubeObject
  readonly old: KubeObject | undefined
  readonly subresource: string
}

/** What validating admission says of a write. */
export interface Validation {
  readonly refusal: KubeStatus | undefined
  /** For the client; also of a write that is refused. */
  readonly warnings: readonly string[]
}
