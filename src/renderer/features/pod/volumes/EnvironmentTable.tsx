import type { ReactNode } from 'react'
import { useState } from 'react'
import type {
  ContainerEnvironment,
  VariableView,
} from '../../../../shared/model/inside-pod/pod-volumes.ts'
import { text } from '../../../text/text.ts'
import { Button } from '../../../ui/Button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { AsOf } from './Referred.tsx'
import type { ShownValue, VariableRef } from './use-shown-value.ts'
import { variableTone } from './variable-tone.ts'
import { orderedVariables } from './volume-order.ts'
import styles from './VolumesTab.module.css'

const words = text.pod.volumes

/** Of the container of a variable. */
interface RowState {
  readonly isRunning: boolean
  /** It waits because its environment cannot be made. */
  readonly isFailing: boolean
}

interface Showing {
  readonly shown: ShownValue | null
  readonly onToggle: (of: VariableRef) => void
}

function Source({ variable: { source } }: { readonly variable: VariableView }): ReactNode {
  const says = words.variableSource(source)
  if (source.kind !== 'key' && source.kind !== 'envFrom') return says
  return (
    <>
      {source.of} <b>{source.name}</b>, {says}
    </>
  )
}

/** What the state leads to: the start of the container fails. */
function Leads({
  variable: { state },
  isRunning,
  isFailing,
}: RowState & {
  readonly variable: VariableView
}): ReactNode {
  const { found, fails, nextStart, error, ...states } = words.variable
  if (state === 'found') return found
  if (state === 'absent' || state === 'unread' || state === 'pending') return states[state]
  return (
    <>
      {states[state]}
      {isFailing ? ': ' : isRunning ? nextStart : fails}
      <b>{error}</b>
    </>
  )
}

function outdatedText({ source, value, isHidden }: VariableView): string {
  if (source.kind === 'former') return words.variable.former
  return value === '' && !isHidden ? words.variable.added : words.variable.outdated
}

function State({
  variable,
  ...container
}: RowState & {
  readonly variable: VariableView
}): ReactNode {
  const isPlain = variable.state === 'found' && (variable.isHidden || variable.isOutdated)
  return (
    <>
      {isPlain ? null : (
        <span className={styles['main']} title={variable.message}>
          <Leads variable={variable} {...container} /> <AsOf at={variable.asOf} />
        </span>
      )}
      {variable.isOutdated ? (
        <span className={styles['main']}>{outdatedText(variable)}</span>
      ) : null}
    </>
  )
}

function ShowButton({
  of,
  isShown,
  secondsLeft,
  onToggle,
}: {
  readonly of: VariableRef
  readonly isShown: boolean
  readonly secondsLeft: number
  readonly onToggle: Showing['onToggle']
}): ReactNode {
  return (
    <span className={styles['showing']}>
      <button
        type="button"
        className={styles['show']}
        data-shows={`${of.container} ${of.variable}`}
        aria-label={(isShown ? words.hideLabel : words.showLabel)(of.variable)}
        onClick={() => onToggle(of)}
      >
        {isShown ? words.hide : words.show}
      </button>{' '}
      <span className={styles['quiet']}>
        {isShown ? words.shownFor(secondsLeft) : words.showFor}
      </span>
    </span>
  )
}

function VariableRow({
  variable,
  container,
  shown,
  onToggle,
  ...rest
}: Showing &
  RowState & {
    readonly variable: VariableView
    readonly container: string
  }): ReactNode {
  const of = { container, variable: variable.name }
  const isShown = shown?.container === of.container && shown.variable === of.variable
  const tone = variableTone(variable, rest.isFailing)
  return (
    <tr
      className={styles[tone]}
      data-missing={tone === 'quiet' ? undefined : true}
      tabIndex={tone === 'quiet' ? undefined : -1}
    >
      <th scope="row" className={styles['name']} title={variable.name}>
        {variable.name === '' ? words.allOf : variable.name}
      </th>
      <td>
        <Source variable={variable} />
      </td>
      <td className={classNames(styles['value'], isShown && styles['whole'])}>
        <output aria-live="polite">
          {isShown ? (
            shown.failure || shown.value
          ) : variable.isHidden ? (
            <span className={styles['quiet']}>{words.hidden}</span>
          ) : (
            <span title={variable.value}>{variable.value}</span>
          )}
        </output>
      </td>
      <td>
        <State variable={variable} {...rest} />
        {variable.isHidden ? (
          <ShowButton
            of={of}
            isShown={isShown}
            secondsLeft={isShown ? shown.secondsLeft : 0}
            onToggle={onToggle}
          />
        ) : null}
      </td>
    </tr>
  )
}

/** The environment of one container; the variables of Services only on request. */
export function EnvironmentTable({
  environment,
  running,
  failing,
  ...showing
}: Showing & {
  readonly environment: ContainerEnvironment
  readonly running: ReadonlySet<string>
  /** The containers that wait because their environment cannot be made. */
  readonly failing: ReadonlySet<string>
}): ReactNode {
  const [hasServices, setHasServices] = useState(false)
  const { container, variables, isGiven, refusal, left } = environment
  const own = variables.filter(({ source }) => source.kind !== 'service')
  const services = variables.filter(({ source }) => source.kind === 'service')
  const listed = [...orderedVariables(own), ...(hasServices ? services : [])]
  const { name, from, value, state } = words.variableColumns
  return (
    <section aria-label={`${words.environment}, ${words.ofContainer(container, own.length)}`}>
      <h3 className={styles['title']}>
        {words.environment}
        <span className={styles['label']} title={isGiven ? words.given : words.notGiven}>
          {words.ofContainer(container, own.length)}
        </span>
      </h3>
      {running.has(container) && !isGiven ? (
        <p className={styles['empty']}>{words.runtimeSilent}</p>
      ) : null}
      {refusal === '' ? null : <p className={styles['refusal']}>{refusal}</p>}
      {own.length === 0 ? <p className={styles['empty']}>{words.noVariables}</p> : null}
      {listed.length === 0 ? null : (
        <table
          className={classNames(styles['table'], styles['variables'])}
          aria-label={words.ofContainer(container, own.length)}
        >
          <thead>
            <tr>
              {[name, from, value, state].map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {listed.map((variable) => (
              <VariableRow
                key={variable.name || JSON.stringify(variable.source)}
                variable={variable}
                container={container}
                isRunning={running.has(container)}
                isFailing={failing.has(container)}
                {...showing}
              />
            ))}
          </tbody>
        </table>
      )}
      {services.length === 0 ? null : (
        <p className={styles['services']}>
          <Button variant="quiet" isSmall onClick={() => setHasServices(!hasServices)}>
            {(hasServices ? words.hideServices : words.services)(services.length)}
          </Button>
        </p>
      )}
      {left === 0 ? null : <p className={styles['empty']}>{words.left(left)}</p>}
    </section>
  )
}
