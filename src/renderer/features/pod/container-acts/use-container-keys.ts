import type { PodDetail } from '../../../../shared/model/pod-detail.ts'
import { useAppState } from '../../../store/store-context.ts'
import { usePageKeys } from '../../../ui/use-page-keys.ts'
import { keyedContainer } from './keyed-container.ts'

/** `R` asks to restart the container that has the focus, else the first one that runs. */
export function useContainerKeys(detail: PodDetail | null): void {
  const askAct = useAppState((state) => state.askAct)
  usePageKeys(({ key, target }) => {
    if (key.toLowerCase() !== 'r' || detail === null) return false
    const card = target instanceof Element ? target.closest('[data-container]') : null
    const container = keyedContainer(detail.facts, card?.getAttribute('data-container') ?? '')
    if (container === undefined) return false
    askAct({ act: 'restartContainer', key: detail.row.key, container, graceSeconds: null })
    return true
  })
}
