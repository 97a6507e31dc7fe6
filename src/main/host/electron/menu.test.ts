import { describe, expect, it } from 'vitest'
import { menuTemplate } from './menu.ts'

describe('menuTemplate', () => {
  it('offers the developer tools only in development', () => {
    const offers = (isRelease: boolean): boolean =>
      JSON.stringify(menuTemplate('linux', { isRelease, onChoose: () => undefined })).includes(
        'toggleDevTools',
      )
    expect([offers(false), offers(true)]).toEqual([true, false])
  })

  it('tells what was chosen of scenarios, recordings and the state', () => {
    const chosen: string[] = []
    const options = { isRelease: true, onChoose: (item: string) => chosen.push(item) }
    const file = menuTemplate('darwin', options).find(({ id }) => id === 'file')
    const items = Array.isArray(file?.submenu) ? file.submenu : []
    for (const { click } of items) Reflect.apply(click ?? (() => undefined), undefined, [])
    expect(chosen).toEqual([
      'openScenario',
      'saveScenario',
      'startRecording',
      'stopRecording',
      'openRecording',
      'exportState',
      'importState',
      'resetState',
    ])
  })
})
