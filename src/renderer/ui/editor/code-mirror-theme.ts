import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** By the page's own variables, which reach into the shadow tree: a change of theme needs no new editor. */
const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', background: 'var(--well)' },
  // Over the gutters, which would hide an outline.
  '&.cm-focused': { outline: 'none' },
  '&.cm-focused::after': {
    content: '""',
    position: 'absolute',
    inset: '0',
    zIndex: '300',
    border: '2px solid var(--accent)',
    pointerEvents: 'none',
  },
  '.cm-scroller': {
    font: 'var(--w-regular) 12px/18px var(--mono)',
    fontVariantLigatures: 'none',
    fontFeatureSettings: "'zero' 0",
    scrollbarWidth: 'thin',
    scrollbarColor: 'var(--line-3) transparent',
  },
  '.cm-content': { caretColor: 'var(--accent)', padding: '6px 0' },
  '.cm-line::selection, .cm-line ::selection': { background: 'var(--accent-wash)' },
  '.cm-gutters': {
    background: 'var(--well)',
    color: 'var(--text-3)',
    border: '0',
    borderRight: '1px solid var(--line)',
  },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '28px', padding: '0 4px 0 6px' },
  '.cm-foldGutter .cm-gutterElement': { cursor: 'default', padding: '0 3px' },
  '.cm-activeLine': { background: 'none' },
  '.cm-activeLineGutter': { background: 'none', color: 'var(--text)' },
  '.cm-foldPlaceholder': {
    border: '1px solid var(--line-2)',
    background: 'var(--surface-2)',
    color: 'var(--text-2)',
    padding: '0 4px',
    margin: '0 2px',
  },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    paddingBottom: '0',
    textDecoration: 'underline wavy var(--error)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintPoint-error::after': { borderBottomColor: 'var(--error)' },
  '.cm-gutter-lint': { width: '14px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0' },
  '.cm-lint-marker-error': {
    content: 'normal',
    width: '14px',
    height: '18px',
    textAlign: 'center',
  },
  '.cm-lint-marker-error::before': { content: '"!"', color: 'var(--error)', fontWeight: '700' },
  '.cm-tooltip': {
    border: '1px solid var(--line-2)',
    background: 'var(--surface-2)',
    color: 'var(--text)',
    boxShadow: 'var(--shadow-2)',
    maxWidth: '420px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    font: 'var(--w-regular) 12px/18px var(--mono)',
    maxHeight: '180px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 9px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--accent-wash)',
    color: 'var(--text)',
    outline: '1px solid var(--accent)',
    outlineOffset: '-1px',
  },
  '.cm-completionDetail': { color: 'var(--text-2)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '620' },
  '.cm-diagnostic': { padding: '5px 9px' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--error)' },
  '.cm-found': { outline: '1px solid var(--line-3)', background: 'var(--surface-3)' },
  '.cm-found-now': { outline: '2px solid var(--accent)', background: 'var(--accent-wash)' },
})

/** Shades of text only: hues stand for states and severities. */
const highlight = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: 'var(--text)' },
  { tag: [tags.content, tags.string, tags.special(tags.string)], color: 'var(--text-2)' },
  { tag: tags.comment, color: 'var(--text-3)', fontStyle: 'italic' },
  {
    tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace],
    color: 'var(--text-3)',
  },
  { tag: [tags.meta, tags.typeName, tags.labelName], color: 'var(--text-3)' },
])

export const codeTheme = [theme, syntaxHighlighting(highlight)]
