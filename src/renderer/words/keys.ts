/** The word for the command key as this machine's keyboard has it. */
export const paletteKey = navigator.platform.startsWith('Mac') ? '⌘ K' : 'Ctrl K'
