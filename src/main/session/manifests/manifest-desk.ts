import type { ActError } from '../../../shared/ipc/contract.ts'
import type {
  ManifestCheck,
  ManifestReceipt,
  ManifestText,
  ManifestsView,
} from '../../../shared/model/manifests.ts'
import type { Result } from '../../../shared/result.ts'

/** What a page may do with the manifest folder of one node; see the contract's `manifests.*`. */
export interface ManifestDesk {
  readonly list: () => Promise<ManifestsView>
  readonly read: (name: string) => Promise<Result<ManifestText, ActError>>
  readonly check: (name: string, text: string) => Promise<Result<ManifestCheck, ActError>>
  readonly write: (
    name: string,
    text: string,
    options: { readonly create: boolean },
  ) => Promise<Result<ManifestReceipt, ActError>>
  readonly remove: (name: string) => Promise<Result<ManifestReceipt, ActError>>
  readonly undo: (id: number) => Promise<Result<ManifestReceipt, ActError>>
  readonly restore: (name: string) => Promise<Result<ManifestReceipt, ActError>>
}
