import type { Bridge } from '../../../shared/ipc/contract.ts'
import type { ApplyReport } from '../../../shared/model/apply/apply-yaml.ts'
import { requestResult } from '../request-result.ts'

/** What the server has answered about a text. */
export interface AppliedText {
  readonly text: string
  readonly force: boolean
  readonly dryRun: boolean
  readonly report: ApplyReport
}

export interface ApplySlice {
  /** The cluster whose dialog is open. */
  readonly applyCluster: string | null
  /** By cluster; kept while the dialog is closed. */
  readonly applyTexts: Readonly<Record<string, string>>
  /** Of the open dialog; null before the first dry run. */
  readonly appliedText: AppliedText | null
  readonly isApplying: boolean
  /** Why the server was not asked, or its answer is not known; else empty. */
  readonly applyProblem: string
  readonly openApply: (cluster: string) => void
  readonly closeApply: () => void
  readonly setApplyText: (text: string) => void
  /** Sends the text; what is applied without a problem closes the dialog. */
  readonly applyText: (options: {
    readonly dryRun: boolean
    readonly force: boolean
  }) => Promise<void>
}

interface ApplyState extends ApplySlice {
  readonly addToast: (message: string) => void
}

export function applySlice(
  set: (part: Partial<ApplySlice>) => void,
  get: () => ApplyState,
  bridge: Bridge,
): ApplySlice {
  const closed = { applyCluster: null, appliedText: null, isApplying: false, applyProblem: '' }
  const setText = (cluster: string, text: string): void =>
    set({ applyTexts: { ...get().applyTexts, [cluster]: text } })
  return {
    ...closed,
    applyTexts: {},
    openApply: (applyCluster) => set({ ...closed, applyCluster }),
    closeApply: () => set(closed),
    setApplyText: (text) => {
      const { applyCluster } = get()
      if (applyCluster !== null) setText(applyCluster, text)
    },
    applyText: async (options) => {
      const { applyCluster: cluster, applyTexts, isApplying } = get()
      if (cluster === null || isApplying) return
      const text = applyTexts[cluster] ?? ''
      set({ isApplying: true, applyProblem: '' })
      const result = await requestResult(
        bridge.request('yaml.apply', { cluster, text, ...options }),
      )
      const isDone = result.ok && !options.dryRun && result.value.problems.length === 0
      if (isDone) {
        get().addToast(result.value.message)
        // What was typed since stays.
        if (get().applyTexts[cluster] === text) setText(cluster, '')
      }
      if (get().applyCluster !== cluster) return
      if (!result.ok) set({ isApplying: false, applyProblem: result.error.message })
      else if (isDone) set(closed)
      else set({ isApplying: false, appliedText: { text, ...options, report: result.value } })
    },
  }
}
