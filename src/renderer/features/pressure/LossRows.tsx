import type { ReactNode } from 'react'
import { lossDifferences } from '../../../shared/model/loss/loss-differences.ts'
import type {
  LossEnd,
  LossField,
  LossForecast,
  LossResult,
  LossWrite,
} from '../../../shared/model/loss/loss.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/Icon.tsx'
import styles from './Losses.module.css'
import type { LossOutcome } from './use-losses.ts'

const words = text.pressure.losses

function endText({ phase, reason }: LossEnd): string {
  return reason === '' ? phase : `${phase}, ${reason}`
}

function Cell({
  field,
  differences,
  children,
}: {
  readonly field: readonly LossField[]
  readonly differences: readonly LossField[]
  readonly children: ReactNode
}): ReactNode {
  const differs = field.some((one) => differences.includes(one))
  return (
    <td className={classNames(differs && styles['differs'])}>
      {children}
      {differs ? (
        <p className={styles['mark']}>
          <Icon name="warn" /> {words.differs}
        </p>
      ) : null}
    </td>
  )
}

function Condition({ condition }: Pick<LossResult, 'condition'>): ReactNode {
  if (condition === null) return '–'
  return (
    <>
      <b>{condition.reason}</b>
      <p>{condition.message}</p>
      <p>{words.by(condition.writer)}</p>
    </>
  )
}

function ObjectFate({
  object,
  deletedBy,
  removedBy,
}: Pick<LossResult, 'object' | 'deletedBy' | 'removedBy'>): ReactNode {
  return (
    <>
      {words.object[object]}
      {deletedBy === null ? null : <p>{words.deletedBy(deletedBy)}</p>}
      {removedBy === null ? null : <p>{words.removedBy(removedBy)}</p>}
    </>
  )
}

function graceText(seconds: number | null): string {
  return seconds === null ? words.noGrace : words.seconds(seconds)
}

function Forecast({ of }: { readonly of: LossForecast }): ReactNode {
  if (of.kept !== '') return <td colSpan={6}>{words.kept(of.kept)}</td>
  const [first, second] = of.ends
  return (
    <>
      <td>
        {graceText(of.graceSeconds)}
        {of.delaySeconds === 0 ? null : <p>{words.after(of.delaySeconds)}</p>}
      </td>
      <td>
        <b>{first === undefined ? words.unknownEnd : endText(first)}</b>
        {of.message === '' ? null : <p>{of.message}</p>}
        {second === undefined ? null : <p>{words.orZero(endText(second), of.isSure)}</p>}
      </td>
      <td>
        <Condition condition={of.condition} />
      </td>
      <td>
        <ObjectFate {...of} />
      </td>
      <td>{words.budget[of.budget]}</td>
      <td>{words.replacement[of.replacement]}</td>
    </>
  )
}

function writesText(writes: readonly LossWrite[]): string {
  return words.writes(
    writes.map(({ atSeconds, writer, what }) => words.write(atSeconds, writer, what)).join('; '),
  )
}

function Happened({ result }: { readonly result: LossResult }): ReactNode {
  const differences = lossDifferences(result.forecast, result)
  const shared = { differences }
  if (!result.isLost)
    return (
      <td colSpan={6} className={classNames(differences.length > 0 && styles['differs'])}>
        {words.isKept} {result.refusal}
        {differences.length > 0 ? ` (${words.differs})` : ''}
      </td>
    )
  return (
    <>
      <Cell field={['lost', 'grace']} {...shared}>
        {graceText(result.graceSeconds)}
      </Cell>
      <Cell field={['end', 'message']} {...shared}>
        <b>{endText(result.end)}</b>
        {result.message === '' ? null : <p>{result.message}</p>}
      </Cell>
      <Cell field={['condition']} {...shared}>
        <Condition condition={result.condition} />
      </Cell>
      <Cell field={['object', 'writers']} {...shared}>
        <ObjectFate {...result} />
        <details>
          <summary>{words.seconds(result.seconds)}</summary>
          <p>{writesText(result.writes)}</p>
        </details>
      </Cell>
      <Cell field={['budget']} {...shared}>
        {words.budgetSeen[result.budget]}
      </Cell>
      <Cell field={['replacement']} {...shared}>
        {result.replacement === '' ? words.noReplacement : result.replacement}
      </Cell>
    </>
  )
}

/** One way: its forecast, and what it did to the copy. */
export function LossRows({
  forecast,
  outcome,
  isRefused,
  onRun,
}: {
  readonly forecast: LossForecast
  readonly outcome: LossOutcome | undefined
  readonly isRefused: boolean
  readonly onRun: () => void
}): ReactNode {
  const { way } = forecast
  const name = words.ways[way]
  return (
    <tbody data-way={way}>
      <tr>
        <th scope="rowgroup" rowSpan={outcome === undefined ? 1 : 2}>
          {name}
          <p>{words.how[way]}</p>
        </th>
        <th scope="row">{words.forecast}</th>
        <Forecast of={outcome?.kind === 'done' ? outcome.result.forecast : forecast} />
        <td rowSpan={outcome === undefined ? 1 : 2}>
          <Button isSmall title={words.runWay(name)} isRefused={isRefused} onClick={onRun}>
            {outcome?.kind === 'running' ? words.running : words.run}
          </Button>
        </td>
      </tr>
      {outcome === undefined ? null : (
        <tr className={styles['happened']}>
          <th scope="row">{words.happened}</th>
          {outcome.kind === 'done' ? (
            <Happened result={outcome.result} />
          ) : (
            <td colSpan={6}>
              {outcome.kind === 'running' ? words.running : words.failed(outcome.problem)}
            </td>
          )}
        </tr>
      )}
    </tbody>
  )
}
