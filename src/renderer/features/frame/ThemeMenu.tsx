import type { ReactNode } from 'react'
import type { Theme } from '../../store/theme.ts'
import { themes } from '../../store/theme.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import type { IconName } from '../../ui/Icon.tsx'
import { MenuButton } from '../../ui/list/MenuButton.tsx'

const icons: Readonly<Record<Theme, IconName>> = {
  system: 'screen',
  dark: 'moon',
  light: 'sun',
  contrast: 'contrast',
}

/** Dark, light, high contrast, or as the desktop is set; the browser remembers it. */
export function ThemeMenu(): ReactNode {
  const theme = useAppState((state) => state.theme)
  const setTheme = useAppState((state) => state.setTheme)
  const { settings } = text.frame
  return (
    <MenuButton
      icon={icons[theme]}
      label={settings.theme}
      title={settings.themeTitle(text.common.themes[theme])}
      menu={settings.theme}
      isAtEnd
      items={themes.map((choice) => ({
        id: choice,
        icon: icons[choice],
        words: text.common.themes[choice],
        isChecked: choice === theme,
        onChoose: () => setTheme(choice),
      }))}
    />
  )
}
