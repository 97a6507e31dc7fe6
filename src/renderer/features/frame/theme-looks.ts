import type { Theme } from '../../store/theme.ts'
import type { IconName } from '../../ui/Icon.tsx'

/** The themes as menus name them. */
export const themeLooks: Readonly<
  Record<Theme, { readonly icon: IconName; readonly word: string }>
> = {
  system: { icon: 'screen', word: 'System' },
  dark: { icon: 'moon', word: 'Dark' },
  light: { icon: 'sun', word: 'Light' },
  contrast: { icon: 'contrast', word: 'High contrast' },
}
