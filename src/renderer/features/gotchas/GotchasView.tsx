import type { ReactNode } from 'react'
import { useState } from 'react'
import { gotchaCategories } from '../../../shared/model/scenarios/gotcha.ts'
import type { GotchaCategory, GotchaView } from '../../../shared/model/scenarios/gotcha.ts'
import { isCutOff } from '../../store/state.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterField } from '../../ui/FilterField.tsx'
import { Note } from '../../ui/Note.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { foundGotchas } from './found-gotchas.ts'
import { SectionTag } from '../../ui/signs/SectionTag.tsx'
import { RevealButton } from './RevealButton.tsx'
import styles from './GotchasView.module.css'

const words = text.gotchas

function Acts({ id }: { readonly id: string }): ReactNode {
  const open = useAppState(({ clusters }) =>
    clusters.find(({ scenario }) => scenario?.isGotcha === true && scenario.name === id),
  )
  const isOpening = useAppState((state) => state.openingScenario === id)
  const isBusy = useAppState((state) => state.openingScenario !== null || isCutOff(state.link))
  const openScenario = useAppState((state) => state.openScenario)
  const closeScenario = useAppState((state) => state.closeScenario)
  return (
    <div className={styles['acts']}>
      <Button
        variant={open === undefined ? 'plain' : 'primary'}
        icon={open === undefined ? 'labs' : 'eye'}
        isRefused={isBusy}
        onClick={() => void openScenario({ kind: 'shipped', name: id })}
      >
        {isOpening ? words.opening : open === undefined ? words.open : words.show}
      </Button>
      {open === undefined ? null : (
        <Button isRefused={isBusy} onClick={() => void closeScenario(open.id)}>
          {words.close}
        </Button>
      )}
      <RevealButton id={id} />
    </div>
  )
}

function Gotcha({ gotcha }: { readonly gotcha: GotchaView }): ReactNode {
  const isRevealed = useAppState((state) => state.revealedGotchas.has(gotcha.id))
  return (
    <li className={styles['gotcha']}>
      <article aria-label={gotcha.title}>
        <header className={styles['head']}>
          <h2>{gotcha.title}</h2>
          <span className={styles['sections']}>
            {gotcha.sections.map((section) => (
              <SectionTag key={section} section={section} />
            ))}
          </span>
        </header>
        <p className={styles['confusion']}>{gotcha.confusion}</p>
        {isRevealed ? (
          <p className={styles['truth']}>
            <b>{words.strip.truth}</b> {gotcha.truth}
          </p>
        ) : null}
      </article>
      <Acts id={gotcha.id} />
    </li>
  )
}

function List({ gotchas }: { readonly gotchas: readonly GotchaView[] }): ReactNode {
  const [search, setSearch] = useState('')
  const [category, setCategory] = useState<GotchaCategory | null>(null)
  const found = foundGotchas(gotchas, search, category)
  return (
    <>
      <div className={styles['find']}>
        <Segmented
          label={words.category}
          segments={[
            { value: null, label: words.allCategories },
            ...gotchaCategories.map((value) => ({ value, label: value })),
          ]}
          value={category}
          onChange={setCategory}
        />
        <FilterField
          label={words.search}
          placeholder={words.searchExample}
          text={search}
          shown={found.length}
          total={gotchas.length}
          onChange={setSearch}
        />
      </div>
      {found.length === 0 ? (
        <EmptyState title={words.noMatches.title}>{words.noMatches.advice}</EmptyState>
      ) : (
        <ul className={styles['list']} aria-label={words.title}>
          {found.map((gotcha) => (
            <Gotcha key={gotcha.id} gotcha={gotcha} />
          ))}
        </ul>
      )}
    </>
  )
}

/** Common kubelet surprises, each of which opens as a sandbox at the time when it is seen. */
export function GotchasView(): ReactNode {
  const gotchas = useAppState((state) => state.gotchas)
  const error = useAppState((state) => state.scenarioError)
  return (
    <div className={styles['view']}>
      <div className={styles['top']}>
        <h1>{words.title}</h1>
        <p>{gotchas === null ? words.loading : words.intro}</p>
      </div>
      {error === '' ? null : (
        <div className={styles['error']}>
          <Note variant="error" icon="error" isAlert>
            <p>{error}</p>
          </Note>
        </div>
      )}
      {gotchas?.length === 0 ? (
        <EmptyState title={words.none.title}>{words.none.why}</EmptyState>
      ) : null}
      {gotchas === null || gotchas.length === 0 ? null : <List gotchas={gotchas} />}
    </div>
  )
}
