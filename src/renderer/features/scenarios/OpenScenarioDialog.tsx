import type { ReactNode } from 'react'
import { useState } from 'react'
import type { Bridge } from '../../../shared/ipc/contract.ts'
import type {
  ScenarioListing,
  ScenarioLists,
  ScenarioSource,
} from '../../../shared/model/scenarios/scenario.ts'
import { useAnswer } from '../../store/requests/use-answer.ts'
import { isCutOff } from '../../store/state.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FilterField } from '../../ui/FilterField.tsx'
import { Note } from '../../ui/Note.tsx'
import { FileField } from './FileField.tsx'
import { fileKind, takeFile } from './scenario-files.ts'
import styles from './ScenarioDialogs.module.css'

const words = text.scenarios.open

function listScenarios(bridge: Bridge): Promise<ScenarioLists> {
  return bridge.request('scenarios.list', {})
}

function matches({ title, sentence, category }: ScenarioListing, filter: string): boolean {
  const all = `${title} ${sentence} ${category ?? ''}`.toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}

function Entry({
  scenario,
  kind,
}: {
  readonly scenario: ScenarioListing
  readonly kind: 'shipped' | 'recent'
}): ReactNode {
  const open = useAppState((state) => state.openScenario)
  const isBusy = useAppState((state) => state.openingScenario !== null || isCutOff(state.link))
  const { name, title, sentence, category } = scenario
  const source: ScenarioSource = { kind, name }
  return (
    <li className={styles['entry']}>
      <div>
        <h4>{title}</h4>
        <p>{sentence}</p>
        {category === null ? null : <small>{category}</small>}
      </div>
      <Button
        isSmall
        isRefused={isBusy}
        label={`${text.gotchas.open} ${title}`}
        icon="labs"
        title={`${text.gotchas.open} ${title}`}
        onClick={() => void open(source)}
      />
    </li>
  )
}

function List({
  title,
  kind,
  scenarios,
}: {
  readonly title: string
  readonly kind: 'shipped' | 'recent'
  readonly scenarios: readonly ScenarioListing[]
}): ReactNode {
  return scenarios.length === 0 ? null : (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul className={styles['list']}>
        {scenarios.map((scenario) => (
          <Entry key={scenario.name} scenario={scenario} kind={kind} />
        ))}
      </ul>
    </section>
  )
}

function Lists(): ReactNode {
  const { value } = useAnswer(text.frame.requests.scenarios, 'all', listScenarios)
  const [filter, setFilter] = useState('')
  if (value === null) return <p>{words.loading}</p>
  const shown = (all: readonly ScenarioListing[]): readonly ScenarioListing[] =>
    all.filter((scenario) => matches(scenario, filter))
  const [shipped, recent] = [shown(value.shipped), shown(value.recent)]
  return (
    <>
      <FilterField
        label={words.filter}
        placeholder={words.filterExample}
        text={filter}
        shown={shipped.length + recent.length}
        total={value.shipped.length + value.recent.length}
        onChange={setFilter}
      />
      <List title={words.recent} kind="recent" scenarios={recent} />
      <List title={words.shipped} kind="shipped" scenarios={shipped} />
      {shipped.length + recent.length === 0 ? <p>{words.noMatches}</p> : null}
    </>
  )
}

/** Opens a scenario: a file, one of the last ones, or one that comes with the program. */
export function OpenScenarioDialog(): ReactNode {
  const { state } = useStore()
  const ask = useAppState((it) => it.askScenario)
  const opening = useAppState((it) => it.openingScenario)
  const error = useAppState((it) => it.scenarioError)
  const close = (): void => ask(null)
  const take = async (file: File): Promise<void> =>
    takeFile(file, state.getState(), (await fileKind(file)) ?? 'Scenario')
  return (
    <Dialog title={words.title} place="top" onClose={close}>
      <div className={styles['body']}>
        <h2>{words.title}</h2>
        <p>{words.rule}</p>
        <FileField label={words.choose} onChoose={(file) => void take(file)} />
        <p className={styles['rule']}>{words.drop}</p>
        {error === '' ? null : (
          <Note variant="error" icon="error" isAlert>
            <p>{error}</p>
          </Note>
        )}
        <output>{opening === null ? '' : words.opening(opening)}</output>
        <Lists />
      </div>
      <div className={styles['foot']}>
        <Button onClick={close}>{text.common.close}</Button>
      </div>
    </Dialog>
  )
}
