import type { CodeSurface, CodeSurfaceOptions } from './code-surface.ts'
import { offsetAt } from './code-text.ts'
import styles from './CodeEditor.module.css'

/** A text area: shown until the editor is loaded, and if it cannot be loaded. */
export function openPlainText(options: CodeSurfaceOptions): CodeSurface {
  const area = document.createElement('textarea')
  area.className = styles['plain'] ?? ''
  area.setAttribute('aria-label', options.label)
  area.spellcheck = false
  area.wrap = options.isReadOnly ? 'soft' : 'off'
  area.readOnly = options.isReadOnly
  area.value = options.text
  area.addEventListener('input', () => options.onChange(area.value))
  area.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return
    const act = { s: options.onSave, f: options.onFind }[event.key.toLowerCase()]
    if (act === undefined) return
    event.preventDefault()
    act()
  })
  options.host.append(area)
  return {
    setText: (text) => {
      if (text === area.value) return
      const { scrollTop, selectionStart, selectionEnd } = area
      area.value = text
      area.setSelectionRange(selectionStart, selectionEnd)
      area.scrollTop = scrollTop
    },
    // A text area cannot mark ranges; the list below it has the problems.
    setProblems: () => undefined,
    setMatches: (matches, current) => {
      const match = matches[current]
      if (match !== undefined) area.setSelectionRange(match.from, match.to)
    },
    reveal: (line, column) => {
      const at = offsetAt(area.value, line, column)
      area.focus()
      area.setSelectionRange(at, at)
    },
    focus: () => area.focus(),
    hasFocus: () => document.activeElement === area,
    close: () => area.remove(),
  }
}
