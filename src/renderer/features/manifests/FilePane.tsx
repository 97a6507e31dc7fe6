import type { ReactNode, RefObject } from 'react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ManifestCheck, ManifestFile } from '../../../shared/model/manifests.ts'
import type { SourceProblem } from '../../../shared/model/cluster-view.ts'
import { isManifestChangedOnDisk } from '../../store/slices/manifests-slice.ts'
import { isCutOff } from '../../store/state.ts'
import { useAppState } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { CodeEditor } from '../../ui/editor/CodeEditor.tsx'
import type { CodeEditorHandle } from '../../ui/editor/CodeEditor.tsx'
import { Note } from '../../ui/Note.tsx'
import { BrokenManifest, SavedAgo } from './BrokenManifest.tsx'
import { FileStateWord } from './FileState.tsx'
import styles from './FilePane.module.css'
import type { ListedFile } from './listed-files.ts'
import { RemoveManifestDialog } from './RemoveManifestDialog.tsx'
import { SaveInvalidDialog } from './SaveInvalidDialog.tsx'

const noProblems: readonly SourceProblem[] = []
const lostSentence = 'The page lost its connection to Nodescope.'

const nothingMissed: ManifestCheck['notSimulated'] = []

/** Why nothing can be written now; empty when it can. */
function useRefusal(): string {
  return useAppState((state) =>
    isCutOff(state.link) ? lostSentence : (state.manifests?.readOnlyBecause ?? ''),
  )
}

/** What the kubelet said last of a text of this file; while one types, of the text a moment ago. */
function useProblems(name: string): readonly SourceProblem[] {
  return useAppState(({ manifestChecked }) =>
    manifestChecked?.name === name ? manifestChecked.check.problems : noProblems,
  )
}

function Title({
  entry,
  cluster,
}: {
  readonly entry: ListedFile
  readonly cluster: string
}): ReactNode {
  const folder = useAppState((state) => state.manifests?.folder ?? '')
  const { name, state, file } = entry
  return (
    <>
      <h2>{state === 'rejected' ? `${name} is not a valid Pod` : name}</h2>
      <FileStateWord state={state} />
      <span className={styles['path']} title={folder}>
        {file === null ? 'not saved yet' : <SavedAgo file={file} cluster={cluster} />}
      </span>
    </>
  )
}

function Conflict({ name }: { readonly name: string }): ReactNode {
  const discard = useAppState((state) => state.discardManifest)
  const keep = useAppState((state) => state.keepManifestDraft)
  return (
    <Note look="warn" icon="warn" isAlert>
      <h3>{name} has changed on disk since you began</h3>
      <p>It is not overwritten without your choice.</p>
      <div className={styles['choices']}>
        <Button isSmall onClick={() => discard(name)}>
          Use the file on disk
        </Button>
        <Button isSmall onClick={() => keep(name)}>
          Keep my text
        </Button>
      </div>
    </Note>
  )
}

/** What the simulator would not do of the pod, known once the text was looked at. */
function NotSimulatedNote({ name }: { readonly name: string }): ReactNode {
  const entries = useAppState(({ manifestChecked }) =>
    manifestChecked?.name === name ? manifestChecked.check.notSimulated : nothingMissed,
  )
  if (entries.length === 0) return null
  return (
    <Note look="plain" icon="notSimulated">
      <h3>Not simulated</h3>
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
  const text = useAppState((state) => state.manifestText)
  const error = useAppState((state) => state.manifestError)
  const refusal = useRefusal()
  const onDisk = text?.name === name ? text : null
  return (
    <div className={styles['notes']}>
      {refusal === '' ? null : (
        <Note look="plain" icon="eye">
          {refusal} The files can only be read here.
        </Note>
      )}
      {file === null || file.note === '' ? null : (
        <Note look="warn" icon="info">
          {file.note}
        </Note>
      )}
      {isManifestChangedOnDisk(draft, onDisk) ? <Conflict name={name} /> : null}
      <NotSimulatedNote name={name} />
      {error === '' ? null : (
        <Note look="error" icon="error" isAlert>
          {error}
        </Note>
      )}
    </div>
  )
}

/** What saving would do, said by the kubelet before it is done. */
function Effect({ name }: { readonly name: string }): ReactNode {
  const draft = useAppState((state) => state.manifestDrafts[name])
  const checked = useAppState((state) => state.manifestChecked)
  if (draft === undefined) return <span className={styles['effect']}>No changes to save.</span>
  const isCurrent = checked?.name === name && checked.text === draft.text
  return (
    <span className={styles['effect']} aria-live="polite">
      {isCurrent ? (
        <>
          <b>Saving: </b>
          {checked.check.effect === '' ? 'no pod changes.' : checked.check.effect}
        </>
      ) : (
        'Checking the manifest.'
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
  const text = useAppState((state) => state.manifestText)
  const discard = useAppState((state) => state.discardManifest)
  const refusal = useRefusal()
  const isConflict = isManifestChangedOnDisk(draft, text?.name === name ? text : null)
  const cannot = refusal !== '' || isConflict || isWriting || draft === undefined
  return (
    <div className={styles['foot']}>
      <Effect name={name} />
      <Button isRefused={draft === undefined} onClick={() => discard(name)}>
        Discard
      </Button>
      <Button
        look="primary"
        title={
          isConflict
            ? 'Choose first which text to keep.'
            : refusal === ''
              ? 'Save (Ctrl or Cmd S)'
              : refusal
        }
        isRefused={cannot}
        onClick={onSave}
      >
        {draft !== undefined && isBroken ? 'Save anyway' : 'Save'}
      </Button>
    </div>
  )
}

/**
 * What the save key does: an invalid manifest is asked about, and a text that the kubelet has not judged yet waits
 * for that.
 */
function useSaveKey(
  name: string,
  save: () => void,
): { readonly press: () => void; readonly isAsking: boolean; readonly cancel: () => void } {
  const [pressed, setPressed] = useState<{ readonly text: string } | null>(null)
  const text = useAppState(({ manifestDrafts }) => manifestDrafts[name]?.text)
  const isOk = useAppState(({ manifestChecked: checked }) =>
    checked?.name === name && checked.text === text ? checked.check.ok : undefined,
  )
  const isMeant = pressed !== null && pressed.text === text
  const isReady = isMeant && isOk === true
  const saveNow = useEffectEvent(save)
  useEffect(() => {
    if (isReady) saveNow()
  }, [pressed, isReady])
  return {
    press: () => setPressed(text === undefined ? null : { text }),
    isAsking: isMeant && isOk === false,
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
  /** Called before each save: the editor stays, even where the saved text is invalid. */
  readonly onSaving: () => void
}): ReactNode {
  const draft = useAppState((state) => state.manifestDrafts[name])
  const edit = useAppState((state) => state.editManifest)
  const save = useAppState((state) => state.saveManifest)
  const onDisk = useAppState((state) => state.manifestText)
  const problems = useProblems(name)
  const refusal = useRefusal()
  const isConflict = isManifestChangedOnDisk(draft, onDisk?.name === name ? onDisk : null)
  const handleSave = (): void => {
    onSaving()
    void save(name)
    // From the button: else the next letter would be a shortcut of the page.
    editor.current?.focus()
  }
  const saveKey = useSaveKey(name, handleSave)
  return (
    <>
      {saveKey.isAsking ? (
        <SaveInvalidDialog name={name} onSave={handleSave} onClose={saveKey.cancel} />
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
  /** Broken, and shown as that rather than in the editor. */
  readonly isExplained: boolean
  readonly onEdit: () => void
}): ReactNode {
  const restore = useAppState((state) => state.restoreManifest)
  const refusal = useRefusal()
  const [removing, setRemoving] = useState<ManifestFile | null>(null)
  const { file, name, state } = entry
  const why = refusal === '' ? {} : { isRefused: true, title: refusal }
  return (
    <div className={styles['buttons']}>
      {file === null || state === 'skipped' ? null : (
        <Button look="danger" icon="trash" {...why} onClick={() => setRemoving(file)}>
          Remove…
        </Button>
      )}
      {isExplained ? (
        <Button icon="edit" {...why} onClick={onEdit}>
          Edit here
        </Button>
      ) : null}
      {state === 'rejected' && file !== null && file.hasGoodVersion ? (
        <Button
          look={isExplained ? 'primary' : 'plain'}
          icon="undo"
          {...why}
          onClick={() => void restore(name)}
        >
          Restore last valid version
        </Button>
      ) : null}
      {removing === null ? null : (
        <RemoveManifestDialog file={removing} onClose={() => setRemoving(null)} />
      )}
    </div>
  )
}

/** One file: its text to edit, or, where it is broken, where and with what consequence. */
export function FilePane({
  entry,
  cluster,
}: {
  readonly entry: ListedFile
  readonly cluster: string
}): ReactNode {
  const [editing, setEditing] = useState<string | null>(null)
  const editor = useRef<CodeEditorHandle>(null)
  const draft = useAppState((state) => state.manifestDrafts[entry.name])
  const onDisk = useAppState((state) => state.manifestText)
  const checked = useProblems(entry.name)
  const { name, state, file } = entry
  const text = onDisk?.name === name ? onDisk : null
  const isExplained =
    state === 'rejected' && draft === undefined && editing !== name && text !== null
  const listed = file?.problem ?? null
  const known = checked.length > 0 || listed === null ? checked : [listed]
  const shown = draft?.text ?? text?.text
  const handleEdit = (): void => {
    flushSync(() => setEditing(name))
    editor.current?.focus()
  }
  return (
    <section className={styles['pane']} aria-label={name}>
      <header className={styles['head']}>
        <Title entry={entry} cluster={cluster} />
        <Buttons entry={entry} isExplained={isExplained} onEdit={handleEdit} />
      </header>
      <Notes entry={entry} />
      {isExplained && file !== null ? (
        <BrokenManifest file={file} text={text} problems={known} cluster={cluster} />
      ) : shown === undefined ? null : (
        <Editor name={name} text={shown} editor={editor} onSaving={() => setEditing(name)} />
      )}
    </section>
  )
}
