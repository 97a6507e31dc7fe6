import type { ReactNode, Ref } from 'react'
import {
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { CodeProblem } from './code-surface.ts'
import { findMatches } from './code-text.ts'
import { CodeFind } from './CodeFind.tsx'
import { classNames } from '../class-names.ts'
import { text } from '../../text/text.ts'
import { Icon } from '../Icon.tsx'
import styles from './CodeEditor.module.css'
import { useCodeSurface } from './use-code-surface.ts'

export interface CodeEditorHandle {
  /** Immediately, or as soon as the editor is loaded. */
  readonly focus: () => void
}

export interface CodeEditorProps {
  readonly ref?: Ref<CodeEditorHandle>
  readonly value: string
  readonly onChange?: (text: string) => void
  readonly readOnly: boolean
  readonly language: 'yaml'
  /** The accessible name: `web.yaml`. */
  readonly label: string
  readonly problems?: readonly CodeProblem[]
  /** Ctrl or Cmd with S. */
  readonly onSave?: () => void
}

const editorText = text.common.editor

const noProblems: readonly CodeProblem[] = []

function Problems({
  id,
  problems,
  onShow,
}: {
  readonly id: string
  readonly problems: readonly CodeProblem[]
  readonly onShow: (line: number, column: number) => void
}): ReactNode {
  return (
    <ul id={id} className={styles['problems']} aria-label={editorText.problems}>
      {problems.map((problem) => (
        <li key={`${problem.line} ${problem.column} ${problem.message}`}>
          <Icon name="error" />
          <span>
            <button
              type="button"
              className={styles['place']}
              title={editorText.goTo}
              onClick={() => onShow(problem.line ?? 1, problem.column ?? 1)}
            >
              {editorText.place(problem.line, problem.column)}
            </button>
            {': '}
            {problem.message}
          </span>
        </li>
      ))}
    </ul>
  )
}

/**
 * A text with line numbers, folds, search and marked problems, to read or to edit. Fills its container.
 * Tab moves the focus; Ctrl+M switches whether it indents; Esc, then Tab always leaves.
 */
export function CodeEditor({ problems = noProblems, ...props }: CodeEditorProps): ReactNode {
  const { value, readOnly, label } = props
  const [isFinding, setFinding] = useState(false)
  const [words, setWords] = useState('')
  const [current, setCurrent] = useState(0)
  const [tabIndents, setTabIndents] = useState(false)
  const problemsId = useId()
  const { host, surface } = useCodeSurface({
    text: value,
    label,
    language: props.language,
    isReadOnly: readOnly,
    onChange: (text) => props.onChange?.(text),
    onSave: () => props.onSave?.(),
    onFind: () => setFinding(true),
    onTabIndents: setTabIndents,
  })
  const matches = useMemo(
    () => (isFinding ? findMatches(value, words) : []),
    [isFinding, value, words],
  )
  const at = Math.min(current, Math.max(0, matches.length - 1))
  // Before the next key: a late text would undo what was typed since.
  useLayoutEffect(() => surface?.setText(value), [surface, value])
  const wantsFocus = useRef(false)
  useImperativeHandle(
    props.ref,
    () => ({
      focus: () => {
        wantsFocus.current = surface === null
        surface?.focus()
      },
    }),
    [surface],
  )
  useEffect(() => {
    if (wantsFocus.current && surface !== null) {
      wantsFocus.current = false
      surface.focus()
    }
  }, [surface])
  useEffect(() => surface?.setProblems(problems), [surface, problems])
  useEffect(() => surface?.setMatches(matches, at), [surface, matches, at])
  return (
    <div className={styles['editor']}>
      {isFinding ? (
        <CodeFind
          label={label}
          words={words}
          count={matches.length}
          current={at}
          onWords={(next) => {
            setWords(next)
            setCurrent(0)
          }}
          onMove={(by) =>
            setCurrent(matches.length === 0 ? 0 : (at + by + matches.length) % matches.length)
          }
          onClose={() => {
            setFinding(false)
            surface?.focus()
          }}
        />
      ) : null}
      <div
        ref={host}
        className={classNames(styles['host'], problems.length > 0 && styles['hasProblems'])}
      />
      {problems.length === 0 ? null : (
        <Problems
          id={problemsId}
          problems={problems}
          onShow={(line, column) => surface?.reveal(line, column)}
        />
      )}
      {readOnly ? null : (
        <output className={styles['hint']}>
          {tabIndents ? editorText.tabIndents : editorText.tabMoves}
        </output>
      )}
    </div>
  )
}
