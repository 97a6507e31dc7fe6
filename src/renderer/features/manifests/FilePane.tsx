import type { ReactNode, RefObject } from 'react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ManifestCheck, ManifestFile, ManifestText } from '../../../shared/model/manifests.ts'
import type { SourceProblem } from '../../../shared/model/cluster-view.ts'
import { isManifestChangedOnDisk } from '../../store/slices/manifests-slice.ts'
import { isCutOff } from '../../store/state.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { CodeEditor } from '../../ui/editor/CodeEditor.tsx'
import type { CodeEditorHandle } from '../../ui/editor/CodeEditor.tsx'
import { Note } from '../../ui/Note.tsx'
import { BrokenManifest, SavedAgo } from './BrokenManifest.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { FileStateWord } from './FileState.tsx'
import styles from './FilePane.module.css'
import type { ListedFile } from './listed-files.ts'
import { removalEffect } from './manifest-removal.ts'

const { file: words, invalidDialog, removeDialog } = text.manifests

const noProblems: readonly SourceProblem[] = []
const allSimulated: ManifestCheck['notSimulated'] = []

/** Why nothing can be written now; empty if it can. */
export function useRefusal(): string {
  return useAppState((state) =>
    isCutOff(state.link) ? text.common.pageLost : (state.manifests?.readOnlyBecause ?? ''),
  )
}

/** The file as it is on disk; null until it is read, and for another file. */
function useDiskText(name: string): ManifestText | null {
  return useAppState(({ manifestText }) => (manifestText?.name === name ? manifestText : null))
}

/** The problems of the text that was checked last; while the user types, they are a moment old. */
function useProblems(name: string): readonly SourceProblem[] {
  return useAppState(({ manifestChecked }) =>
    manifestChecked?.name === name ? manifestChecked.check.problems : noProblems,
  )
}

function Title({ entry }: { readonly entry: ListedFile }): ReactNode {
  const folder = useAppState((state) => state.manifests?.folder ?? '')
  const { name, state, file } = entry
  return (
    <>
      <h2>{state === 'rejected' ? words.invalid(name) : name}</h2>
      <FileStateWord state={state} />
      <span className={styles['path']} title={folder}>
        {file === null ? words.notSaved : <SavedAgo file={file} />}
      </span>
    </>
  )
}

function Conflict({ name }: { readonly name: string }): ReactNode {
  const discard = useAppState((state) => state.discardManifest)
  const keep = useAppState((state) => state.keepManifestDraft)
  return (
    <Note variant="warn" icon="warn" isAlert>
      <h3>{words.conflict(name)}</h3>
      <p>{words.conflictRule}</p>
      <div className={styles['choices']}>
        <Button isSmall onClick={() => discard(name)}>
          {words.useDisk}
        </Button>
        <Button isSmall onClick={() => keep(name)}>
          {words.keepMine}
        </Button>
      </div>
    </Note>
  )
}

/** The fields of the checked pod that the simulator does not act on. */
function NotSimulatedNote({ name }: { readonly name: string }): ReactNode {
  const entries = useAppState(({ manifestChecked }) =>
    manifestChecked?.name === name ? manifestChecked.check.notSimulated : allSimulated,
  )
  if (entries.length === 0) return null
  return (
    <Note variant="plain" icon="notSimulated">
      <h3>{words.notSimulated}</h3>
      <ul>
        {entries.map(({ id, field, message }) => (
          <li key={`${id} ${field}`}>
            <code>{field}</code>: {message}
          </li>
        ))}
      </ul>
    </Note>
  )
}

function Notes({ entry }: { readonly entry: ListedFile }): ReactNode {
  const { name, file } = entry
  const draft = useAppState((state) => state.manifestDrafts[name])
  const onDisk = useDiskText(name)
  const error = useAppState((state) => state.manifestError)
  const refusal = useRefusal()
  return (
    <div className={styles['notes']}>
      {refusal === '' ? null : (
        <Note variant="plain" icon="eye">
          {words.readOnly(refusal)}
        </Note>
      )}
      {file === null || file.note === '' ? null : (
        <Note variant="warn" icon="info">
          {file.note}
        </Note>
      )}
      {isManifestChangedOnDisk(draft, onDisk) ? <Conflict name={name} /> : null}
      <NotSimulatedNote name={name} />
      {error === '' ? null : (
        <Note variant="error" icon="error" isAlert>
          {error}
        </Note>
      )}
    </div>
  )
}

/** What saving would do, as the check of the text says. */
function Effect({ name }: { readonly name: string }): ReactNode {
  const draft = useAppState((state) => state.manifestDrafts[name])
  const checked = useAppState((state) => state.manifestChecked)
  if (draft === undefined) return <span className={styles['effect']}>{words.noChanges}</span>
  const isCurrent = checked?.name === name && checked.text === draft.text
  return (
    <span className={styles['effect']} aria-live="polite">
      {isCurrent ? (
        <>
          <b>{words.saving}</b>
          {checked.check.effect === '' ? words.noEffect : checked.check.effect}
        </>
      ) : (
        words.checking
      )}
    </span>
  )
}

function EditorFoot({
  name,
  onSave,
}: {
  readonly name: string
  readonly onSave: () => void
}): ReactNode {
  const draft = useAppState((state) => state.manifestDrafts[name])
  const isBroken = useAppState(
    ({ manifestChecked }) => manifestChecked?.name === name && !manifestChecked.check.ok,
  )
  const isWriting = useAppState((state) => state.isWritingManifest)
  const discard = useAppState((state) => state.discardManifest)
  const refusal = useRefusal()
  const isConflict = isManifestChangedOnDisk(draft, useDiskText(name))
  const cannot = refusal !== '' || isConflict || isWriting || draft === undefined
  return (
    <div className={styles['foot']}>
      <Effect name={name} />
      <Button isRefused={draft === undefined} onClick={() => discard(name)}>
        {words.discard}
      </Button>
      <Button
        variant="primary"
        title={isConflict ? words.chooseFirst : refusal === '' ? words.saveTitle : refusal}
        isRefused={cannot}
        onClick={onSave}
      >
        {draft !== undefined && isBroken ? words.saveAnyway : words.save}
      </Button>
    </div>
  )
}

/** The save key: it asks before it saves an invalid manifest, and waits for the check of a text. */
function useSaveKey(
  name: string,
  save: () => void,
): { readonly press: () => void; readonly isAsking: boolean; readonly cancel: () => void } {
  const [pressed, setPressed] = useState<{ readonly text: string } | null>(null)
  const text = useAppState(({ manifestDrafts }) => manifestDrafts[name]?.text)
  const isOk = useAppState(({ manifestChecked: checked }) =>
    checked?.name === name && checked.text === text ? checked.check.ok : undefined,
  )
  const isCurrent = pressed !== null && pressed.text === text
  const isReady = isCurrent && isOk === true
  const saveNow = useEffectEvent(save)
  useEffect(() => {
    if (isReady) saveNow()
  }, [pressed, isReady])
  return {
    press: () => setPressed(text === undefined ? null : { text }),
    isAsking: isCurrent && isOk === false,
    cancel: () => setPressed(null),
  }
}

function Editor({
  name,
  text,
  editor,
  onSaving,
}: {
  readonly name: string
  readonly text: string
  readonly editor: RefObject<CodeEditorHandle | null>
  /** Called before each save: the editor stays open even if the saved text is invalid. */
  readonly onSaving: () => void
}): ReactNode {
  const draft = useAppState((state) => state.manifestDrafts[name])
  const edit = useAppState((state) => state.editManifest)
  const save = useAppState((state) => state.saveManifest)
  const problems = useProblems(name)
  const refusal = useRefusal()
  const isConflict = isManifestChangedOnDisk(draft, useDiskText(name))
  const handleSave = (): void => {
    onSaving()
    void save(name)
    // Not on the button, where the next letter would be a shortcut of the page.
    editor.current?.focus()
  }
  const saveKey = useSaveKey(name, handleSave)
  const effect = useAppState((state) => state.manifestChecked?.check.effect ?? '')
  return (
    <>
      {saveKey.isAsking ? (
        <ConfirmDialog
          title={invalidDialog.title(name)}
          effect={effect}
          note={invalidDialog.rule}
          confirm={words.saveAnyway}
          onConfirm={handleSave}
          onClose={saveKey.cancel}
        />
      ) : null}
      <div className={styles['editor']}>
        <CodeEditor
          ref={editor}
          key={name}
          value={draft?.text ?? text}
          onChange={(next) => edit(name, next)}
          readOnly={refusal !== ''}
          language="yaml"
          label={name}
          problems={problems}
          onSave={() => {
            if (refusal === '' && !isConflict) saveKey.press()
          }}
        />
      </div>
      <EditorFoot name={name} onSave={handleSave} />
    </>
  )
}

function Buttons({
  entry,
  isExplained,
  onEdit,
}: {
  readonly entry: ListedFile
  /** Invalid, and shown with an explanation instead of the editor. */
  readonly isExplained: boolean
  readonly onEdit: () => void
}): ReactNode {
  const restore = useAppState((state) => state.restoreManifest)
  const remove = useAppState((state) => state.removeManifest)
  const refusal = useRefusal()
  const [removing, setRemoving] = useState<ManifestFile | null>(null)
  const { file, name, state } = entry
  const why = refusal === '' ? {} : { isRefused: true, title: refusal }
  return (
    <div className={styles['buttons']}>
      {file === null || state === 'skipped' ? null : (
        <Button variant="danger" icon="trash" {...why} onClick={() => setRemoving(file)}>
          {words.remove}
        </Button>
      )}
      {isExplained ? (
        <Button icon="edit" {...why} onClick={onEdit}>
          {words.edit}
        </Button>
      ) : null}
      {state === 'rejected' && file !== null && file.hasGoodVersion ? (
        <Button
          variant={isExplained ? 'primary' : 'plain'}
          icon="undo"
          {...why}
          onClick={() => void restore(name)}
        >
          {words.restore}
        </Button>
      ) : null}
      {removing === null ? null : (
        <ConfirmDialog
          title={removeDialog.title(name)}
          effect={removalEffect(removing)}
          hint={removeDialog.rule}
          note={removeDialog.undo}
          confirm={removeDialog.confirm}
          isDanger
          onConfirm={() => void remove(name)}
          onClose={() => setRemoving(null)}
        />
      )}
    </div>
  )
}

/** One file: its text in the editor, or, if it is invalid, its problems and their effect. */
export function FilePane({ entry }: { readonly entry: ListedFile }): ReactNode {
  const [editing, setEditing] = useState<string | null>(null)
  const editor = useRef<CodeEditorHandle>(null)
  const draft = useAppState((state) => state.manifestDrafts[entry.name])
  const onDisk = useDiskText(entry.name)
  const checked = useProblems(entry.name)
  const { name, state, file } = entry
  const isExplained =
    state === 'rejected' && draft === undefined && editing !== name && onDisk !== null
  const listed = file?.problem ?? null
  const known = checked.length > 0 || listed === null ? checked : [listed]
  const shown = draft?.text ?? onDisk?.text
  const handleEdit = (): void => {
    flushSync(() => setEditing(name))
    editor.current?.focus()
  }
  return (
    <section className={styles['pane']} aria-label={name}>
      <header className={styles['head']}>
        <Title entry={entry} />
        <Buttons entry={entry} isExplained={isExplained} onEdit={handleEdit} />
      </header>
      <Notes entry={entry} />
      {isExplained && file !== null ? (
        <BrokenManifest file={file} onDisk={onDisk} problems={known} />
      ) : shown === undefined ? null : (
        <Editor name={name} text={shown} editor={editor} onSaving={() => setEditing(name)} />
      )}
    </section>
  )
}
