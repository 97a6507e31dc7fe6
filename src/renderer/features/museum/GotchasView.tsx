import type { ReactNode } from 'react'
import { useState } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import { exhibitCategories } from '../../../shared/model/museum.ts'
import type { ExhibitCategory, ExhibitView } from '../../../shared/model/museum.ts'
import { isCutOff } from '../../store/state.ts'
import { useAppState } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterField } from '../../ui/FilterField.tsx'
import { Note } from '../../ui/Note.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { foundExhibits } from './found-exhibits.ts'
import { SectionTag } from '../../ui/signs/SectionTag.tsx'
import { RevealButton } from './RevealButton.tsx'
import styles from './GotchasView.module.css'

/** The cluster of an open exhibit. */
function openCluster(clusters: readonly ClusterView[], id: string): ClusterView | undefined {
  return clusters.find(({ exhibit }) => exhibit?.id === id)
}

function Acts({ exhibit }: { readonly exhibit: ExhibitView }): ReactNode {
  const open = useAppState((state) => openCluster(state.clusters, exhibit.id))
  const isOpening = useAppState((state) => state.openingExhibit === exhibit.id)
  const isBusy = useAppState((state) => state.openingExhibit !== null || isCutOff(state.link))
  const openExhibit = useAppState((state) => state.openExhibit)
  const closeExhibit = useAppState((state) => state.closeExhibit)
  return (
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
      <RevealButton id={exhibit.id} />
    </div>
  )
}

function Gotcha({ exhibit }: { readonly exhibit: ExhibitView }): ReactNode {
  const isRevealed = useAppState((state) => state.revealedExhibits.has(exhibit.id))
  return (
    <li className={styles['exhibit']}>
      <article aria-label={exhibit.title}>
        <header className={styles['head']}>
          <h2>{exhibit.title}</h2>
          <span className={styles['sections']}>
            {exhibit.sections.map((section) => (
              <SectionTag key={section} section={section} />
            ))}
          </span>
        </header>
        <p className={styles['confusion']}>{exhibit.confusion}</p>
        {isRevealed ? (
          <p className={styles['truth']}>
            <b>What really happens</b> {exhibit.truth}
          </p>
        ) : null}
      </article>
      <Acts exhibit={exhibit} />
    </li>
  )
}

function List({ exhibits }: { readonly exhibits: readonly ExhibitView[] }): ReactNode {
  const [text, setText] = useState('')
  const [category, setCategory] = useState<ExhibitCategory | null>(null)
  const found = foundExhibits(exhibits, text, category)
  return (
    <>
      <div className={styles['find']}>
        <Segmented
          label="Category"
          segments={[
            { value: null, label: 'All' },
            ...exhibitCategories.map((value) => ({ value, label: value })),
          ]}
          value={category}
          onChange={setCategory}
        />
        <FilterField
          label="Search gotchas"
          placeholder="words, or a section such as PLEG"
          text={text}
          shown={found.length}
          total={exhibits.length}
          onChange={setText}
        />
      </div>
      {found.length === 0 ? (
        <EmptyState title="No matches">
          Search for other words, or choose another category.
        </EmptyState>
      ) : (
        <ul className={styles['list']} aria-label="Gotchas">
          {found.map((exhibit) => (
            <Gotcha key={exhibit.id} exhibit={exhibit} />
          ))}
        </ul>
      )}
    </>
  )
}

/** Common kubelet surprises, each of which opens as a running sandbox at its moment. */
export function GotchasView(): ReactNode {
  const exhibits = useAppState((state) => state.exhibits)
  const error = useAppState((state) => state.museumError)
  return (
    <div className={styles['view']}>
      <div className={styles['top']}>
        <h1>Gotchas</h1>
        <p>
          {exhibits === null
            ? 'Loading gotchas'
            : 'Common kubelet surprises, each as a running sandbox. Guess first, then reveal the answer.'}
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
        <EmptyState title="No gotchas">
          Each gotcha runs in its own sandbox; this Nodescope has none.
        </EmptyState>
      ) : null}
      {exhibits === null || exhibits.length === 0 ? null : <List exhibits={exhibits} />}
    </div>
  )
}
