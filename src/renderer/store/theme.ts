/** `system` follows the desktop: more contrast first, then light or dark. */
export type Theme = 'dark' | 'light' | 'contrast' | 'system'

export const themes: readonly Theme[] = ['system', 'dark', 'light', 'contrast']

export function isTheme(value: unknown): value is Theme {
  return themes.some((theme) => theme === value)
}

/** The desktop's settings, from two media queries. */
export interface SystemTheme {
  readonly wantsContrast: boolean
  readonly wantsLight: boolean
}

/** The value of `data-theme` on the root element. */
export function shownTheme(theme: Theme, system: SystemTheme): 'dark' | 'light' | 'contrast' {
  if (theme !== 'system') return theme
  if (system.wantsContrast) return 'contrast'
  return system.wantsLight ? 'light' : 'dark'
}
