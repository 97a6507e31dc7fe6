import type { ReactNode } from 'react'
import { themes } from '../../store/theme.ts'
import { useAppState } from '../../store/store-context.ts'
import { MenuButton } from '../../ui/list/MenuButton.tsx'
import { themeLooks } from './theme-looks.ts'

/** Dark, light, high contrast, or as the system is set; remembered. */
export function ThemeMenu(): ReactNode {
  const theme = useAppState((state) => state.theme)
  const setTheme = useAppState((state) => state.setTheme)
  return (
    <MenuButton
      icon={themeLooks[theme].icon}
      label="Theme"
      title={`Theme: ${themeLooks[theme].word}`}
      menu="Theme"
      isAtEnd
      items={themes.map((choice) => ({
        id: choice,
        icon: themeLooks[choice].icon,
        words: themeLooks[choice].word,
        isChecked: choice === theme,
        onChoose: () => setTheme(choice),
      }))}
    />
  )
}
