import { describe, expect, it } from 'vitest'
import { menuTemplate } from './menu.ts'

describe('menuTemplate', () => {
  it('offers the developer tools only in development', () => {
    const offers = (isRelease: boolean): boolean =>
      JSON.stringify(menuTemplate('linux', { isRelease })).includes('toggleDevTools')
    expect([offers(false), offers(true)]).toEqual([true, false])
  })
})
