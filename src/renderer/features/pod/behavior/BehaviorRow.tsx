import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import { forecastBehavior } from '../../../../shared/model/behavior-act.ts'
import type { BehaviorChange, BehaviorFacts } from '../../../../shared/model/behavior-act.ts'
import { behaviorKey } from '../../../../shared/simulated-behavior.ts'
import type { BehaviorName } from '../../../../shared/simulated-behavior.ts'
import { text } from '../../../text/text.ts'
import { Button } from '../../../ui/Button.tsx'
import styles from './BehaviorDialog.module.css'

const words = text.behavior

/** One annotation: its present value, another one to set, and the way back. */
export function BehaviorRow({
  facts,
  container,
  name,
  isBusy,
  onShow,
  onChange,
}: {
  readonly facts: BehaviorFacts
  readonly container: string
  readonly name: BehaviorName
  readonly isBusy: boolean
  /** The change that the fields stand for. */
  readonly onShow: (change: BehaviorChange) => void
  readonly onChange: (change: BehaviorChange) => void
}): ReactNode {
  const id = useId()
  const rule = useId()
  const [typed, setTyped] = useState('')
  const own = facts.behavior?.[behaviorKey(name, container)]
  const ofAll = facts.behavior?.[behaviorKey(name, '')]
  const { label, example, does } = words.names[name]
  const setting: BehaviorChange = { name, container, value: typed.trim() }
  const takingBack: BehaviorChange = {
    name,
    container: own === undefined && ofAll !== undefined ? '' : container,
    value: null,
  }
  const firstExample: BehaviorChange = { ...setting, value: example.split(', ')[0] ?? '' }
  const isTyped = typed.trim() !== ''
  const { refusal } = forecastBehavior(facts, setting)
  const isWrong = isTyped && refusal !== ''
  const isSet = own !== undefined || ofAll !== undefined
  const apply = (): void => {
    if (!isTyped || refusal !== '' || isBusy) return
    onChange(setting)
    setTyped('')
  }
  return (
    <li className={styles['row']}>
      <label htmlFor={id} className={styles['name']}>
        {label}
      </label>
      <span className={isSet ? styles['now'] : styles['quiet']}>
        {own !== undefined
          ? words.isSet(own)
          : ofAll !== undefined
            ? words.isSetForAll(ofAll)
            : words.notSet}
      </span>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          apply()
        }}
      >
        <input
          id={id}
          className={styles['input']}
          autoComplete="off"
          spellCheck={false}
          placeholder={example}
          aria-invalid={isWrong || undefined}
          aria-describedby={rule}
          value={typed}
          onFocus={() => onShow(isTyped ? setting : isSet ? takingBack : firstExample)}
          onChange={(event) => {
            setTyped(event.target.value)
            onShow({ ...setting, value: event.target.value.trim() })
          }}
        />
        <Button
          label={words.setOf(label)}
          isRefused={!isTyped || isWrong || isBusy}
          refusedBecause={rule}
          onClick={apply}
        >
          {words.set}
        </Button>
        <Button
          variant="quiet"
          label={words.takeBackOf(label)}
          isRefused={!isSet || isBusy || forecastBehavior(facts, takingBack).refusal !== ''}
          onClick={() => {
            onShow(takingBack)
            onChange(takingBack)
          }}
        >
          {words.takeBack}
        </Button>
      </form>
      <span
        id={rule}
        role={isWrong ? 'alert' : undefined}
        className={isWrong ? styles['wrong'] : styles['rule']}
      >
        {isWrong ? refusal : does}
      </span>
    </li>
  )
}
