import { describe, expect, it } from 'vitest'
import { isTheme, shownTheme } from './theme.ts'

describe('the theme', () => {
  it.each([
    ['dark', true, true, 'dark'],
    ['light', false, false, 'light'],
    ['contrast', false, true, 'contrast'],
    ['system', false, false, 'dark'],
    ['system', false, true, 'light'],
    ['system', true, true, 'contrast'],
  ] as const)(
    '%s, where the system wants contrast %s and light %s, is %s',
    (theme, wantsContrast, wantsLight, shown) => {
      expect(shownTheme(theme, { wantsContrast, wantsLight })).toBe(shown)
    },
  )

  it('accepts only known themes', () => {
    expect(['system', 'dark', 'plaid', null, 3].map(isTheme)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})
