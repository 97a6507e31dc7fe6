import type { ReactNode } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { ExhibitView } from '../../../shared/model/museum.ts'
import { isCutOff } from '../../store/state.ts'
import { useAppState } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Note } from '../../ui/Note.tsx'
import styles from './MuseumView.module.css'

/** The cluster in which an exhibit stands open. */
function openCluster(clusters: readonly ClusterView[], id: string): ClusterView | undefined {
  return clusters.find(({ exhibit }) => exhibit?.id === id)
}

function Exhibit({ exhibit }: { readonly exhibit: ExhibitView }): ReactNode {
  const open = useAppState((state) => openCluster(state.clusters, exhibit.id))
  const isOpening = useAppState((state) => state.openingExhibit === exhibit.id)
  const isBusy = useAppState((state) => state.openingExhibit !== null || isCutOff(state.link))
  const openExhibit = useAppState((state) => state.openExhibit)
  const closeExhibit = useAppState((state) => state.closeExhibit)
  return (
    <li className={styles['exhibit']}>
      <article aria-label={exhibit.title}>
        <header className={styles['head']}>
          <h2>{exhibit.title}</h2>
          <span className={styles['sections']}>
            {exhibit.sections.map((section) => (
              <span key={section} title={`Section ${section} of the kubelet’s semantics`}>
                §{section}
              </span>
            ))}
          </span>
        </header>
        <p className={styles['confusion']}>{exhibit.confusion}</p>
        <p className={styles['truth']}>
          <b>The right end</b> {exhibit.truth}
        </p>
      </article>
      <div className={styles['acts']}>
        <Button
          look={open === undefined ? 'plain' : 'primary'}
          icon={open === undefined ? 'labs' : 'eye'}
          isRefused={isBusy}
          onClick={() => void openExhibit(exhibit.id)}
        >
          {isOpening ? 'Opening' : open === undefined ? 'Open' : 'Show'}
        </Button>
        {open === undefined ? null : (
          <Button isRefused={isBusy} onClick={() => void closeExhibit(open.id)}>
            Close
          </Button>
        )}
      </div>
    </li>
  )
}

/** Confusions that kubelets are known for, each to be opened as a running sandbox at its moment. */
export function MuseumView(): ReactNode {
  const exhibits = useAppState((state) => state.exhibits)
  const error = useAppState((state) => state.museumError)
  return (
    <div className={styles['view']}>
      <div className={styles['top']}>
        <h1>Museum</h1>
        <p>
          {exhibits === null
            ? 'Asking Nodescope what it keeps'
            : 'What people take for a fault of their cluster, and what a kubelet does'}
        </p>
      </div>
      {error === '' ? null : (
        <div className={styles['error']}>
          <Note look="error" icon="error" isAlert>
            <p>{error}</p>
          </Note>
        </div>
      )}
      {exhibits?.length === 0 ? (
        <EmptyState title="The museum is empty">
          Exhibits are sandboxes of their own; this Nodescope has none.
        </EmptyState>
      ) : null}
      <ul className={styles['list']} aria-label="Exhibits">
        {exhibits?.map((exhibit) => (
          <Exhibit key={exhibit.id} exhibit={exhibit} />
        ))}
      </ul>
    </div>
  )
}
