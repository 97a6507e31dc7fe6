import type { DrawerTab } from '../../store/slices/detail-slice.ts'

/** Ids of what keys lead to; there is one drawer. */
export const drawerPanelId = 'drawer-panel'
export const drawerWhyId = 'drawer-why'

export function drawerTabId(tab: DrawerTab): string {
  return `drawer-tab-${tab}`
}
