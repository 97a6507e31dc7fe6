import type { MenuItemConstructorOptions } from 'electron'
import { fileMenu } from '../../../shared/ipc/contract.ts'
import type { MenuItem } from '../../../shared/ipc/contract.ts'

const labels: Readonly<Record<MenuItem, string>> = {
  openScenario: 'Open Scenario…',
  saveScenario: 'Save as Scenario…',
  startRecording: 'Start Recording',
  stopRecording: 'Stop Recording',
  openRecording: 'Open Recording',
  exportState: 'Export Sandbox…',
  importState: 'Import Sandbox…',
  resetState: 'Reset Sandbox…',
}

/** Scenarios, recordings and the state, Quit, editing keys (macOS takes them from the menu), and view. */
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
  const separator: MenuItemConstructorOptions = { type: 'separator' }
  const quit: readonly MenuItemConstructorOptions[] = [separator, { id: 'quit', role: 'quit' }]
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      id: 'file',
      label: 'File',
      submenu: [
        ...fileMenu.flatMap((group, index) => [
          ...(index === 0 ? [] : [separator]),
          ...group.map((id) => ({ id, label: labels[id], click: () => onChoose(id) })),
        ]),
        ...(isMac ? [] : quit),
      ],
    },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        { role: 'reload' },
        ...devTools,
        separator,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        separator,
        { role: 'togglefullscreen' },
      ],
    },
    { role: 'windowMenu' },
  ]
}
