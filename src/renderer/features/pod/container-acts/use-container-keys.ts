import type { PodDetail } from '../../../../shared/model/pod-detail.ts'
import { useAppState } from '../../../store/store-context.ts'
import { usePageKeys } from '../../../ui/use-page-keys.ts'
import { keyedContainer } from './keyed-container.ts'

/** `R` asks to restart the container that has the focus, else the first one that runs; `B` shows its behavior. */
export function useContainerKeys(detail: PodDetail | null): void {
  const askAct = useAppState((state) => state.askAct)
  const showBehavior = useAppState((state) => state.showBehavior)
  usePageKeys(({ key: pressed, target }) => {
    const letter = pressed.toLowerCase()
    if ((letter !== 'r' && letter !== 'b') || detail === null) return false
    const card = target instanceof Element ? target.closest('[data-container]') : null
    const container = keyedContainer(detail.facts, card?.getAttribute('data-container') ?? '')
    if (container === undefined) return false
    const { key } = detail.row
    if (letter === 'r') askAct({ act: 'restartContainer', key, container, graceSeconds: null })
    else if (detail.behavior !== null) showBehavior({ key, container })
    return true
  })
}
