import { flushSync } from 'react-dom'
import type { DrawerTab } from '../../store/slices/detail-slice.ts'
import { useAppState } from '../../store/store-context.ts'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import { drawerPanelId, drawerTabId, drawerWhyId } from './drawer-ids.ts'

/** `Y` shows the YAML, `W` why the pod is where it is, in every view. The window handles Esc. */
export function useDrawerKeys(): void {
  const setDrawerTab = useAppState((state) => state.setDrawerTab)
  const show = (tab: DrawerTab, ...ids: readonly string[]): true => {
    flushSync(() => setDrawerTab(tab))
    const found = ids.map((id) => document.getElementById(id)).find((element) => element !== null)
    found?.focus()
    return true
  }
  usePageKeys(({ key }) => {
    if (key.toLowerCase() === 'y') return show('yaml', drawerTabId('yaml'))
    return key.toLowerCase() === 'w' && show('summary', drawerWhyId, drawerPanelId)
  })
}
