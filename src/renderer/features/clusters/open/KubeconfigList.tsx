import type { ReactNode } from 'react'
import { useRef } from 'react'
import type { ListedKubeconfig } from '../../../store/slices/clusters-slice.ts'
import { sourceId } from '../../../store/slices/clusters-slice.ts'
import { useAppState } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { Button } from '../../../ui/Button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { Note } from '../../../ui/Note.tsx'
import { useWallSeconds } from '../../../store/use-wall-seconds.ts'
import styles from './ClustersView.module.css'
import { kubeconfigFacts, kubeconfigName } from './kubeconfig-words.ts'
import { useKubeconfigFiles } from './use-kubeconfig-files.ts'

const words = text.clusters.open

function Entry({
  view,
  isChosen,
  onChoose,
}: {
  readonly view: ListedKubeconfig
  readonly isChosen: boolean
  readonly onChoose: () => void
}): ReactNode {
  const forget = useAppState((state) => state.forgetKubeconfig)
  const now = useWallSeconds()
  const { source, files, contexts, problem, isRecent } = view
  const isMissing = files.length > 0 && files.every(({ changedAt }) => changedAt === null)
  return (
    <li className={styles['file']}>
      <button
        type="button"
        className={classNames(styles['chooser'], isChosen && styles['chosen'])}
        aria-pressed={isChosen}
        onClick={onChoose}
      >
        <Icon name={problem === '' ? 'folder' : 'warn'} />
        <b>{kubeconfigName(view)}</b>
        <span className={classNames(problem !== '' && styles['bad'])}>
          {isMissing ? words.notFound : words.contexts(contexts.length)}
        </span>
        <small>{problem === '' ? kubeconfigFacts(view, now) : problem}</small>
      </button>
      {source.kind === 'file' && isRecent ? (
        <Button
          variant="quiet"
          isSmall
          title={words.forgetTitle(source.path)}
          label={words.forgetTitle(source.path)}
          icon="close"
          onClick={() => void forget(source.path)}
        />
      ) : null}
    </li>
  )
}

/** Drops work on the whole window; this says so, and has the other two ways. */
function Add(): ReactNode {
  const file = useRef<HTMLInputElement>(null)
  const read = useKubeconfigFiles()
  return (
    <div className={styles['drop']}>
      <Icon name="drop" />
      <b>{words.drop}</b>
      <p>
        {words.dropMore}{' '}
        <button type="button" className={styles['link']} onClick={() => file.current?.click()}>
          {words.choose}
        </button>
      </p>
      <input
        ref={file}
        type="file"
        hidden
        aria-label={words.choose}
        onChange={({ target }) => {
          void read([...(target.files ?? [])])
          target.value = ''
        }}
      />
    </div>
  )
}

/** The kubeconfigs of this computer, and those that were dropped on this page. */
export function KubeconfigList({
  chosen,
  onChoose,
}: {
  readonly chosen: string
  readonly onChoose: (id: string) => void
}): ReactNode {
  const kubeconfigs = useAppState((state) => state.kubeconfigs)
  const problem = useAppState((state) => state.kubeconfigsProblem)
  return (
    <>
      <Add />
      {problem === '' ? null : (
        <Note variant="error" icon="error" isAlert>
          <p>{problem}</p>
        </Note>
      )}
      {kubeconfigs?.length === 0 ? null : <h2 className={styles['label']}>{words.files}</h2>}
      {kubeconfigs === null ? (
        <p className={styles['faint']}>{words.loading}</p>
      ) : (
        <ul className={styles['files']}>
          {kubeconfigs.map((view) => {
            const id = sourceId(view.source)
            return (
              <Entry key={id} view={view} isChosen={id === chosen} onChoose={() => onChoose(id)} />
            )
          })}
        </ul>
      )}
    </>
  )
}
