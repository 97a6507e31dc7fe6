import type { DrawerTab } from '../../store/slices/detail-slice.ts'

/** Ids of the elements that keys move the focus to; there is only one drawer. */
export const drawerPanelId = 'drawer-panel'
export const drawerWhyId = 'drawer-why'

export function drawerTabId(tab: DrawerTab): string {
  return `drawer-tab-${tab}`
}
