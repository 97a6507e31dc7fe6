import type { StoreApi } from 'zustand/vanilla'
import type { State } from '../store/state.ts'
import { shownTheme } from '../store/theme.ts'

const contrastQuery = '(prefers-contrast: more)'
const lightQuery = '(prefers-color-scheme: light)'

/** Keeps `data-theme` of the root element at the chosen theme; `system` follows the desktop's. */
export function followTheme(
  state: StoreApi<State>,
  root: HTMLElement,
  media: (query: string) => MediaQueryList,
): void {
  const contrast = media(contrastQuery)
  const light = media(lightQuery)
  const apply = (): void => {
    root.dataset['theme'] = shownTheme(state.getState().theme, {
      wantsContrast: contrast.matches,
      wantsLight: light.matches,
    })
  }
  contrast.addEventListener('change', apply)
  light.addEventListener('change', apply)
  state.subscribe((now, before) => {
    if (now.theme !== before.theme) apply()
  })
  apply()
}
