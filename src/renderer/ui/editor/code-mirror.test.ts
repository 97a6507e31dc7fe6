import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openCodeMirror } from './code-mirror.ts'
import type { CodeSurface } from './code-surface.ts'

let host: HTMLElement
let changes: string[]
let surface: CodeSurface

beforeEach(() => {
  host = document.createElement('div')
  document.body.append(host)
  changes = []
  surface = openCodeMirror({
    host,
    text: 'kind: Pod\nname: web\n',
    label: 'web.yaml',
    language: 'yaml',
    isReadOnly: false,
    onChange: (text) => changes.push(text),
    onSave: () => undefined,
    onFind: () => undefined,
    onTabIndents: () => undefined,
  })
})
afterEach(() => {
  surface.close()
  host.remove()
})

function inside(selector: string): readonly string[] {
  const root = host.firstElementChild?.shadowRoot
  return [...(root?.querySelectorAll(selector) ?? [])].map(({ textContent }) => textContent)
}

describe('CodeMirror', () => {
  it('shows a new text without reporting a change', () => {
    surface.setText('kind: Pod\nname: hello\n')
    expect(inside('.cm-line')).toEqual(['kind: Pod', 'name: hello', ''])
    expect(changes).toEqual([])
  })

  it('underlines the word at the place of a problem, even beyond the end of the text', () => {
    surface.setProblems([
      { line: 2, column: 7, message: 'Invalid value' },
      { line: 99, column: 1, message: 'beyond' },
    ])
    expect(inside('.cm-lintRange-error')).toEqual(['web'])
    surface.setProblems([])
    expect(inside('.cm-lintRange-error')).toEqual([])
  })

  it('marks the matches of a search and the current one, and none outside the text', () => {
    surface.setMatches(
      [
        { from: 0, to: 4 },
        { from: 10, to: 14 },
        { from: 900, to: 904 },
      ],
      1,
    )
    expect([inside('.cm-found'), inside('.cm-found-now')]).toEqual([['kind'], ['name']])
  })

  it('cleans up when it is closed', () => {
    surface.close()
    expect(host.childElementCount).toBe(0)
  })
})
