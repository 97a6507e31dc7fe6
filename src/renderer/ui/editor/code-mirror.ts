import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { autocompletion, startCompletion } from '@codemirror/autocomplete'
import {
  defaultKeymap,
  history,
  historyKeymap,
  indentWithTab,
  toggleTabFocusMode,
} from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import {
  codeFolding,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
} from '@codemirror/language'
import type { Diagnostic } from '@codemirror/lint'
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import type { Extension, Text } from '@codemirror/state'
import { EditorState, StateEffect, StateField } from '@codemirror/state'
import type { DecorationSet } from '@codemirror/view'
import {
  Decoration,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { codeTheme } from './code-mirror-theme.ts'
import type { CodeProblem, CodeSurface, CodeSurfaceOptions } from './code-surface.ts'
import { offsetAt, textChanges } from './code-text.ts'
import { yamlOptions } from './yaml-completion.ts'

const setFound = StateEffect.define<DecorationSet>()

const found = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (before, transaction) => {
    for (const effect of transaction.effects) if (effect.is(setFound)) return effect.value
    return before.map(transaction.changes)
  },
  provide: (field) => EditorView.decorations.from(field),
})

const foundMark = Decoration.mark({ class: 'cm-found' })
const foundNowMark = Decoration.mark({ class: 'cm-found-now' })

/** Marks the whole word at the problem's place. */
function diagnosticOf(doc: Text, { line, column, message }: CodeProblem): Diagnostic {
  const at = doc.line(Math.min(Math.max(1, line ?? 1), doc.lines))
  const from = at.from + Math.min(Math.max(0, (column ?? 1) - 1), at.length)
  const word = /^[^\s:,[\]{}]+/.exec(doc.sliceString(from, at.to))?.[0] ?? ''
  return { from, to: Math.min(at.to, from + word.length), severity: 'error', message }
}

function tabExtension(onTabIndents: (does: boolean) => void): Extension {
  let indents = false
  return keymap.of([
    {
      key: 'Ctrl-m',
      mac: 'Shift-Alt-m',
      run: (view) => {
        indents = !indents
        onTabIndents(indents)
        return toggleTabFocusMode(view)
      },
    },
    indentWithTab,
  ])
}

/** Opens by itself once a letter is typed, or with Ctrl+Space. */
function completed({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  const found = yamlOptions(state.doc.toString(), pos)
  if (found === undefined || (!explicit && found.from === pos)) return null
  return {
    from: found.from,
    validFor: /^[\w./-]*$/,
    options: found.options.map(({ label, insert, detail, isRequired }) => ({
      label,
      detail,
      // What must be set comes first.
      boost: isRequired ? 1 : 0,
      apply: (view, _completion, from, to) => {
        const anchor = from + insert.length
        view.dispatch({
          changes: { from, to, insert },
          selection: { anchor },
          userEvent: 'input.complete',
        })
        // The next word is known, too: an enum, or a field of the new object.
        if (/\s$/.test(insert)) startCompletion(view)
      },
    })),
  }
}

function writing({ onChange, onTabIndents }: CodeSurfaceOptions): Extension {
  return [
    history(),
    indentOnInput(),
    autocompletion({ override: [completed], icons: false, interactionDelay: 0 }),
    tabExtension(onTabIndents),
    keymap.of(historyKeymap),
    EditorView.updateListener.of((update) => {
      const isOwn = update.transactions.some((transaction) => transaction.isUserEvent('filled'))
      if (update.docChanged && !isOwn) onChange(update.state.doc.toString())
    }),
  ]
}

function extensions(options: CodeSurfaceOptions): readonly Extension[] {
  const run = (act: () => void) => () => {
    act()
    return true
  }
  return [
    keymap.of([
      { key: 'Mod-s', run: run(options.onSave), preventDefault: true },
      { key: 'Mod-f', run: run(options.onFind), preventDefault: true },
    ]),
    // A read-only text wraps; an edited text keeps its lines.
    options.isReadOnly
      ? [EditorState.readOnly.of(true), EditorView.lineWrapping]
      : writing(options),
    lineNumbers(),
    codeFolding({ placeholderText: '…' }),
    foldGutter({ openText: '⌄', closedText: '›' }),
    // A read-only text has no problem marks, so it needs no gutter for them.
    options.isReadOnly ? [] : lintGutter(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    keymap.of([...foldKeymap, ...lintKeymap, ...defaultKeymap]),
    yaml(),
    indentUnit.of('  '),
    found,
    // Editable text is focusable without tabindex; accessibility checkers do not know that.
    EditorView.contentAttributes.of({ 'aria-label': options.label, tabindex: '0' }),
    codeTheme,
  ]
}

/**
 * Stops the page's keys while the user types: from outside, the shadow root hides the field. Esc in a read-only text
 * passes, since it closes the panel.
 */
function stopPageKeys(host: HTMLElement, isReadOnly: boolean): () => void {
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && isReadOnly) return
    if (event.defaultPrevented || !(event.ctrlKey || event.metaKey)) event.stopPropagation()
  }
  host.addEventListener('keydown', handleKeyDown)
  return () => host.removeEventListener('keydown', handleKeyDown)
}

/** In a shadow root CodeMirror uses adopted style sheets; elsewhere it needs a `style` element, which the page's content security policy refuses. */
export function openCodeMirror(options: CodeSurfaceOptions): CodeSurface {
  const frame = document.createElement('div')
  frame.style.height = '100%'
  const root = frame.attachShadow({ mode: 'open' })
  options.host.append(frame)
  const view = new EditorView({
    state: EditorState.create({ doc: options.text, extensions: extensions(options) }),
    parent: root,
    root,
  })
  view.dom.style.height = '100%'
  // Tab moves the focus, as everywhere on the page, until the user makes it indent.
  if (!options.isReadOnly) view.setTabFocusMode(true)
  const restorePageKeys = stopPageKeys(frame, options.isReadOnly)
  return {
    setText: (text) => {
      const changes = view.state.changes([...textChanges(view.state.doc.toString(), text)])
      if (changes.empty) return
      const scroll = view.scrollSnapshot().map(changes)
      view.dispatch({
        changes,
        userEvent: 'filled',
        ...(scroll === undefined ? {} : { effects: scroll }),
      })
    },
    setProblems: (problems) => {
      const { doc } = view.state
      view.dispatch(
        setDiagnostics(
          view.state,
          problems.map((problem) => diagnosticOf(doc, problem)),
        ),
      )
    },
    setMatches: (matches, current) => {
      const { length } = view.state.doc
      const inside = matches.filter(({ to }) => to <= length)
      const marks = inside.map(({ from, to }, index) =>
        (index === current ? foundNowMark : foundMark).range(from, to),
      )
      const now = inside[current]
      view.dispatch({
        effects: [
          setFound.of(Decoration.set(marks, true)),
          ...(now === undefined
            ? []
            : [EditorView.scrollIntoView(now.from, { y: 'center', xMargin: 80 })]),
        ],
      })
    },
    reveal: (line, column) => {
      const at = offsetAt(view.state.doc.toString(), line, column)
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at) })
      view.focus()
    },
    focus: () => view.focus(),
    hasFocus: () => view.hasFocus,
    close: () => {
      restorePageKeys()
      view.destroy()
      frame.remove()
    },
  }
}
