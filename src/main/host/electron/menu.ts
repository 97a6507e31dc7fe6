import type { MenuItemConstructorOptions } from 'electron'
import { menuItems } from '../../../shared/ipc/contract.ts'
import type { MenuItem } from '../../../shared/ipc/contract.ts'

const labels: Readonly<Record<MenuItem, string>> = {
  openScenario: 'Open Scenario…',
  saveScenario: 'Save as Scenario…',
  exportState: 'Export Sandbox…',
  importState: 'Import Sandbox…',
  resetState: 'Reset Sandbox…',
}

/** Scenarios and the state, Quit, editing keys (macOS takes them from the menu), and view. */
export function menuTemplate(
  platform: NodeJS.Platform,
  {
    isRelease,
    onChoose,
  }: { readonly isRelease: boolean; readonly onChoose: (item: MenuItem) => void },
): MenuItemConstructorOptions[] {
  const devTools: readonly MenuItemConstructorOptions[] = isRelease
    ? []
    : [{ role: 'toggleDevTools' }]
  const isMac = platform === 'darwin'
  const quit: readonly MenuItemConstructorOptions[] = [
    { type: 'separator' },
    { id: 'quit', role: 'quit' },
  ]
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      id: 'file',
      label: 'File',
      submenu: [
        ...menuItems.map((id) => ({ id, label: labels[id], click: () => onChoose(id) })),
        ...(isMac ? [] : quit),
      ],
    },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        { role: 'reload' },
        ...devTools,
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
      ],
    },
    { role: 'windowMenu' },
  ]
}
