/** The keys that open the palette, as this machine's keyboard names them. */
export const paletteKey = navigator.platform.startsWith('Mac') ? '⌘ K' : 'Ctrl K'
