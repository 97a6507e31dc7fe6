import type { ReactNode } from 'react'
import { useEffect, useId, useRef, useState } from 'react'
import type { Bridge } from '../../../shared/ipc/contract.ts'
import type { ApplyCheck, ApplyProblem } from '../../../shared/model/apply/apply-yaml.ts'
import { quoted } from '../../../shared/shell-words.ts'
import { useLastAnswer } from '../../store/requests/use-kept-answer.ts'
import { useAppState } from '../../store/store-context.ts'
import { useWriteRefusal } from '../../store/use-write-refusal.ts'
import { text } from '../../text/text.ts'
import { ActDialogHead } from '../../ui/act-dialog/ActDialogHead.tsx'
import dialog from '../../ui/ActDialog.module.css'
import { Button } from '../../ui/Button.tsx'
import { CommandLine } from '../../ui/CommandLine.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { CodeEditor } from '../../ui/editor/CodeEditor.tsx'
import type { CodeEditorHandle } from '../../ui/editor/CodeEditor.tsx'
import { Note } from '../../ui/Note.tsx'
import styles from './ApplyDialog.module.css'
import { ApplyResult } from './ApplyResult.tsx'
import example from './example.yaml?raw'

const words = text.apply

interface Asked {
  readonly cluster: string
  readonly text: string
}

function check(bridge: Bridge, asked: Asked): Promise<ApplyCheck | null> {
  return bridge.request('yaml.check', asked)
}

/** What the dialog knows of its text. */
function useText(cluster: string) {
  const typed = useAppState((state) => state.applyTexts[cluster] ?? '')
  const applied = useAppState((state) => state.appliedText)
  const checked = useLastAnswer(words.request, { cluster, text: typed }, check)
  const isOld = applied !== null && applied.text !== typed
  const local = checked?.problems ?? []
  const answered = applied === null || isOld ? [] : applied.report.problems
  const problems: readonly ApplyProblem[] = local.length > 0 ? local : answered
  return { typed, applied, isOld, problems, found: checked?.objects ?? [] }
}

/** Why Apply does nothing yet; empty if it acts. */
function missing(
  { applied, isOld, problems, found }: ReturnType<typeof useText>,
  force: boolean,
): string {
  if (problems.length > 0) return words.needsMending
  if (found.length === 0) return words.needsText
  const isRehearsed = applied?.dryRun === true && !isOld && applied.force === force
  return isRehearsed ? '' : words.needsDryRun
}

function useContext(cluster: string): { readonly label: string; readonly context: string } {
  const view = useAppState((state) => state.clusters.find(({ id }) => id === cluster))
  return { label: view?.label ?? cluster, context: view?.seen?.context ?? '' }
}

/** An editor for YAML that is applied to a cluster: first as a dry run with its diff, then in earnest. */
export function ApplyDialog({ cluster }: { readonly cluster: string }): ReactNode {
  const [force, setForce] = useState(false)
  const editor = useRef<CodeEditorHandle>(null)
  const reason = useId()
  const own = useText(cluster)
  const { typed, applied, isOld, problems, found } = own
  const { label, context } = useContext(cluster)
  const refusal = useWriteRefusal(cluster)
  const problem = useAppState((state) => state.applyProblem)
  const isApplying = useAppState((state) => state.isApplying)
  const setText = useAppState((state) => state.setApplyText)
  const close = useAppState((state) => state.closeApply)
  const apply = useAppState((state) => state.applyText)
  useEffect(() => editor.current?.focus(), [])
  const hasConflict = force || problems.some(({ isConflict }) => isConflict)
  const isConflictOnly = problems.length > 0 && problems.every(({ isConflict }) => isConflict)
  const cannotAsk =
    found.length === 0 || (problems.length > 0 && applied?.report.problems !== problems)
  const why = refusal === '' ? missing(own, force) : refusal
  const rehearse = (): void => {
    // Its answer has the text's own mistakes too, so a key pressed before the text was read is not lost.
    if (refusal === '' && typed.trim() !== '') void apply({ dryRun: true, force })
  }
  const at = context === '' ? '' : ` --context ${quoted(context)}`
  const flags = force ? ' --force-conflicts' : ''
  return (
    <Dialog title={words.title} place="wide" onClose={close}>
      <ActDialogHead icon="edit" title={words.title} label={label} isCalm>
        <p className={styles['how']}>{words.how}</p>
      </ActDialogHead>
      <div className={styles['body']}>
        <div className={styles['text']}>
          <CodeEditor
            ref={editor}
            value={typed}
            onChange={setText}
            readOnly={false}
            language="yaml"
            label={words.editor}
            problems={problems}
            onSave={rehearse}
          />
          {typed === '' ? (
            <div className={styles['start']}>
              {words.empty}
              <Button
                isSmall
                onClick={() => {
                  setText(example)
                  editor.current?.focus()
                }}
              >
                {words.example}
              </Button>
            </div>
          ) : null}
        </div>
        <ApplyResult found={found} applied={applied} isOld={isOld} />
      </div>
      {problem === '' ? null : (
        <div className={styles['problem']}>
          <Note variant="error" icon="error" isAlert>
            <p>{problem}</p>
          </Note>
        </div>
      )}
      <div className={styles['command']}>
        <CommandLine
          line={`kubectl${at} apply --server-side --field-manager=nodescope${flags} -f FILE`}
        />
      </div>
      <div className={dialog['foot']}>
        {hasConflict ? (
          <label className={styles['force']}>
            <input
              type="checkbox"
              checked={force}
              onChange={({ target }) => {
                setForce(target.checked)
                if (isConflictOnly || !target.checked)
                  void apply({ dryRun: true, force: target.checked })
              }}
            />
            {words.force}
          </label>
        ) : null}
        <span id={reason} className={dialog['last']}>
          {why}
        </span>
        <Button onClick={close}>{text.common.close}</Button>
        <Button
          isRefused={refusal !== '' || cannotAsk || isApplying}
          refusedBecause={why === '' ? undefined : reason}
          title={words.keys.dryRun}
          onClick={rehearse}
        >
          {words.dryRun}
        </Button>
        <Button
          variant="primary"
          isRefused={why !== '' || isApplying}
          refusedBecause={why === '' ? undefined : reason}
          onClick={() => void apply({ dryRun: false, force })}
        >
          {context === '' ? words.apply : words.applyOn(label)}
        </Button>
      </div>
    </Dialog>
  )
}
