import type { MenuItemConstructorOptions } from 'electron'

/** What a window needs and no more: editing keys (macOS takes them from the menu), view, quit. */
export function menuTemplate(platform: NodeJS.Platform): MenuItemConstructorOptions[] {
  return [
    platform === 'darwin'
      ? { role: 'appMenu' }
      : { id: 'file', label: 'File', submenu: [{ id: 'quit', role: 'quit' }] },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        { role: 'reload' },
        { role: 'toggleDevTools' },
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
