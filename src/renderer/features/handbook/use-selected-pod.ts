import { useMemo } from 'react'
import type { PodDetail } from '../../../shared/model/pod-detail.ts'
import { useAppState } from '../../store/store-context.ts'
import { currentSections } from './current-sections.ts'

/** The detail of the selected pod; null before it arrives and without a selected pod. */
export function useSelectedPod(): PodDetail | null {
  return useAppState(({ cursor, detail }) => (detail?.row.key === cursor ? detail : null))
}

/** The selected pod's name and its current sections. */
export function useCurrentSections(): {
  readonly pod: string
  readonly sections: ReadonlySet<string>
} {
  const detail = useSelectedPod()
  return useMemo(
    () => ({
      pod: detail?.row.name ?? '',
      sections: detail === null ? new Set() : currentSections(detail),
    }),
    [detail],
  )
}
