import type { ReactNode } from 'react'
import type { KubeconfigContext } from '../../../../shared/model/seen/kubeconfigs.ts'
import { text } from '../../../text/text.ts'
import { Button } from '../../../ui/Button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import type { IconName } from '../../../ui/Icon.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { clusterStyle } from '../cluster-color.ts'
import styles from './ClustersView.module.css'

const words = text.clusters.open

function Line({ icon, children }: { readonly icon: IconName; readonly children: ReactNode }) {
  return (
    <li>
      <Icon name={icon} />
      <span>{children}</span>
    </li>
  )
}

function OnThisComputer({ context }: { readonly context: KubeconfigContext }): ReactNode {
  const { signIn, impersonates, proxy } = context
  return (
    <ul>
      <Line icon="term">
        {signIn.kind === 'plugin' ? (
          <>
            {words.runsIt} <code>{signIn.commandLine}</code> {words.runsProgram}
          </>
        ) : (
          words.runsNothing
        )}
      </Line>
      {impersonates === '' ? null : <Line icon="eye">{words.impersonates(impersonates)}</Line>}
      {proxy === '' ? null : <Line icon="swap">{words.proxy(proxy)}</Line>}
      <Line icon="lock">{words.ca}</Line>
      <Line icon="info">{words.stored}</Line>
    </ul>
  )
}

/** Six colors as radio buttons. */
function Colors({
  color,
  onColor,
}: {
  readonly color: number
  readonly onColor: (color: number) => void
}): ReactNode {
  return (
    <fieldset className={styles['colors']} aria-label={words.color}>
      {words.colors.map((name, index) => (
        <label
          key={name}
          className={classNames(styles['big'], index === color && styles['picked'])}
          style={clusterStyle(index)}
          title={name}
        >
          <input
            type="radio"
            name="cluster-color"
            aria-label={name}
            checked={index === color}
            onChange={() => onColor(index)}
          />
          {index === color ? <Icon name="check" /> : null}
        </label>
      ))}
    </fieldset>
  )
}

/** Before a context is opened: what opening reads, which program runs here, and the color of its frame. */
export function OpeningFacts({
  context,
  color,
  isOpening,
  onColor,
  onOpen,
}: {
  readonly context: KubeconfigContext
  readonly color: number
  readonly isOpening: boolean
  readonly onColor: (color: number) => void
  readonly onOpen: () => void
}): ReactNode {
  return (
    <section className={styles['what']} aria-label={words.reads(context.name)}>
      <div>
        <h3>{words.reads(context.name)}</h3>
        <ul>
          {words.readList.map((line, index) => (
            <Line key={line} icon={index === words.readList.length - 1 ? 'check' : 'eye'}>
              {line}
            </Line>
          ))}
        </ul>
      </div>
      <div>
        <h3>{words.computer}</h3>
        <OnThisComputer context={context} />
      </div>
      <div>
        <h3>{words.color}</h3>
        <Colors color={color} onColor={onColor} />
        <Button
          variant="primary"
          isRefused={isOpening || context.problem !== ''}
          title={context.problem === '' ? undefined : context.problem}
          onClick={onOpen}
        >
          {isOpening ? words.opening : words.openReadOnly}
        </Button>
      </div>
    </section>
  )
}
