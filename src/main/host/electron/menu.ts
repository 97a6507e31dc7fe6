import type { MenuItemConstructorOptions } from 'electron'

/** Quit, editing keys (macOS takes them from the menu), and view. */
export function menuTemplate(
  platform: NodeJS.Platform,
  { isRelease }: { readonly isRelease: boolean },
): MenuItemConstructorOptions[] {
  const devTools: readonly MenuItemConstructorOptions[] = isRelease
    ? []
    : [{ role: 'toggleDevTools' }]
  return [
    platform === 'darwin'
      ? { role: 'appMenu' }
      : { id: 'file', label: 'File', submenu: [{ id: 'quit', role: 'quit' }] },
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
