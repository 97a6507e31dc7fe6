import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { filesToSend } from './files-to-send.ts'
import styles from './KubeletLogView.module.css'

const words = text.log.opener

function OpenLogList(): ReactNode {
  const logs = useAppState((state) => state.logs)
  const showLog = useAppState((state) => state.showLog)
  if (logs.length === 0) return null
  return (
    <section aria-label={words.logs}>
      <h2>{words.logs}</h2>
      <ul className={styles['logs']}>
        {logs.map(({ id, name }) => (
          <li key={id}>
            <Button icon="timeline" onClick={() => showLog(id)}>
              {name}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function PathForm(): ReactNode {
  const openLogPaths = useAppState((state) => state.openLogPaths)
  const [path, setPath] = useState('')
  const id = useId()
  const submit = (): void => {
    if (path.trim() !== '') void openLogPaths([path.trim()])
  }
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <label htmlFor={id}>{words.path}</label>
      <span className={styles['line']}>
        <input
          id={id}
          type="text"
          spellCheck={false}
          autoComplete="off"
          placeholder={words.pathExample}
          value={path}
          onChange={(event) => setPath(event.target.value)}
        />
        <Button isRefused={path.trim() === ''} onClick={submit}>
          {words.openPath}
        </Button>
      </span>
    </form>
  )
}

function PasteForm(): ReactNode {
  const uploadLog = useAppState((state) => state.uploadLog)
  const [pasted, setPasted] = useState('')
  const id = useId()
  return (
    <div className={styles['form']}>
      <label htmlFor={id}>{words.paste}</label>
      <textarea
        id={id}
        rows={5}
        spellCheck={false}
        value={pasted}
        onChange={(event) => setPasted(event.target.value)}
      />
      <Button
        isRefused={pasted === ''}
        onClick={() => void uploadLog([new File([pasted], words.pasted)])}
      >
        {words.openPaste}
      </Button>
    </div>
  )
}

/** The system's own dialog in Electron, which gives paths that can be followed; the browser's input elsewhere. */
function ChooseForm(): ReactNode {
  const isElectron = useAppState((state) => state.program?.host === 'electron')
  const chooseLogs = useAppState((state) => state.chooseLogs)
  const uploadLog = useAppState((state) => state.uploadLog)
  const id = useId()
  return (
    <div className={styles['form']}>
      {isElectron ? null : <label htmlFor={id}>{words.choose}</label>}
      <span className={styles['line']}>
        {isElectron ? (
          <Button icon="folder" onClick={() => void chooseLogs()}>
            {words.chooseButton}
          </Button>
        ) : (
          <input
            id={id}
            type="file"
            multiple
            onChange={({ target }) => {
              const files = filesToSend(target.files)
              if (files.length > 0) void uploadLog(files)
            }}
          />
        )}
        <span>{words.drop}</span>
      </span>
    </div>
  )
}

/** The ways to open a log. */
export function LogOpener(): ReactNode {
  const isOpening = useAppState((state) => state.isOpeningLog)
  const error = useAppState((state) => state.logError)
  const openJournal = useAppState((state) => state.openJournal)
  return (
    <div className={styles['opener']}>
      <h1>{words.title}</h1>
      <p>{words.intro}</p>
      {error === '' ? null : (
        <Note variant="error" icon="error" isAlert>
          <p>{error}</p>
        </Note>
      )}
      {isOpening ? <output>{words.opening}</output> : null}
      <OpenLogList />
      <ChooseForm />
      <PathForm />
      <PasteForm />
      <div>
        <Button icon="play" title={words.journalTitle} onClick={() => void openJournal()}>
          {words.journal}
        </Button>
      </div>
    </div>
  )
}
