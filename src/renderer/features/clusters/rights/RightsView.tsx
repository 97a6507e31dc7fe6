import type { ReactNode } from 'react'
import { useEffect } from 'react'
import type { ClusterView } from '../../../../shared/model/cluster-view.ts'
import type { SeenView } from '../../../../shared/model/seen-cluster.ts'
import type { Right, RightsView as Rights } from '../../../../shared/model/seen/rights.ts'
import { shownCluster } from '../../../store/shown-node.ts'
import { useAppState } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { Button } from '../../../ui/Button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import type { IconName } from '../../../ui/Icon.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Note } from '../../../ui/Note.tsx'
import textStyles from '../../../ui/text.module.css'
import tone from '../../../ui/tone.module.css'
import { clockText } from '../../../words/time.ts'
import { AllowSwitch } from '../AllowSwitch.tsx'
import styles from './RightsView.module.css'

const words = text.clusters.rights

const signs: Readonly<
  Record<Right['allowed'], readonly [icon: IconName, tone: 'ok' | 'warn' | 'none']>
> = { yes: ['check', 'ok'], no: ['minus', 'warn'], unknown: ['help', 'none'] }

function RightRow({ right }: { readonly right: Right }): ReactNode {
  const { title, verbs, resources, namespace, allowed, note, warning, rule } = right
  const [icon, color] = signs[allowed]
  return (
    <li>
      <span className={classNames(styles['sign'], tone[color])}>
        <Icon name={icon} />
        <span className={textStyles['hidden']}>{words.allowed[allowed]}:</span>
      </span>
      <span>{title}</span>
      <code>
        {verbs.join(' ')} {resources.join(', ')}
        {namespace === '' ? '' : ` in ${namespace}`}
      </code>
      {[note, warning]
        .filter((line) => line !== '')
        .map((line) => (
          <p key={line}>{line}</p>
        ))}
      {rule === '' ? null : (
        <div className={styles['rule']}>
          <p>{words.rule}</p>
          <pre>{rule}</pre>
          <CopyButton value={rule} label={words.copyRule} />
        </div>
      )}
    </li>
  )
}

function Impossible({ rights }: { readonly rights: Rights }): ReactNode {
  return rights.impossible.map(({ title, why }) => (
    <li key={title}>
      <span className={classNames(styles['sign'], tone['none'])}>
        <Icon name="minus" />
      </span>
      <span>{title}</span>
      <span />
      <p>{why}</p>
    </li>
  ))
}

function CopyAll({
  rules,
  isKnown,
}: {
  readonly rules: string
  readonly isKnown: boolean
}): ReactNode {
  if (rules === '') return isKnown ? <p className={styles['faint']}>{words.none}</p> : null
  return <CopyButton value={rules} label={words.copyAll} words={words.copyAll} />
}

function Lists({ rights, seen }: { readonly rights: Rights; readonly seen: SeenView }): ReactNode {
  const { changes } = seen
  const isAllowed = changes.kind === 'allowed'
  return (
    <>
      {rights.incomplete === '' ? null : (
        <Note variant="warn" icon="warn">
          <p>{rights.incomplete}</p>
        </Note>
      )}
      <div className={styles['columns']}>
        <section aria-label={words.look}>
          <h2>{words.look}</h2>
          <ul>
            {rights.look.map((right) => (
              <RightRow key={right.id} right={right} />
            ))}
          </ul>
        </section>
        <section aria-label={words.change}>
          <h2>
            {words.change}
            <span className={styles['tag']}>
              <Icon name={isAllowed ? 'unlock' : 'eye'} />
              {isAllowed ? words.allowedUntil(clockText(changes.endsAt)) : words.readOnlyNow}
            </span>
          </h2>
          <ul>
            {rights.change.map((right) => (
              <RightRow key={right.id} right={right} />
            ))}
            <Impossible rights={rights} />
          </ul>
        </section>
      </div>
      <CopyAll
        rules={rights.missingRules}
        isKnown={[...rights.look, ...rights.change].every(({ allowed }) => allowed !== 'unknown')}
      />
    </>
  )
}

function View({ cluster, seen }: { readonly cluster: ClusterView; readonly seen: SeenView }) {
  const rights = useAppState((state) =>
    state.rights?.cluster === cluster.id ? state.rights : null,
  )
  const ask = useAppState((state) => state.askRights)
  useEffect(() => void ask(cluster.id), [ask, cluster.id])
  const view = rights?.view ?? null
  return (
    <div className={styles['view']}>
      <div className={styles['head']}>
        <h1>{words.title(cluster.label)}</h1>
        {view === null ? null : (
          <p>
            {words.as(view.user, view.groups.join(', '))} {words.askedAt}{' '}
            <code>{clockText(view.askedAt)}</code>
          </p>
        )}
        <span className={styles['grow']} />
        <Button
          icon="restart"
          isRefused={rights?.isAsking === true}
          onClick={() => void ask(cluster.id)}
        >
          {words.ask}
        </Button>
        <AllowSwitch cluster={cluster} seen={seen} />
      </div>
      <div className={styles['body']}>
        {rights === null || rights.problem === '' ? null : (
          <Note variant="error" icon="error" isAlert>
            <p>{rights.problem}</p>
          </Note>
        )}
        {view === null ? (
          <p className={styles['faint']}>{rights?.isAsking === false ? '' : words.asking}</p>
        ) : (
          <Lists rights={view} seen={seen} />
        )}
      </div>
    </div>
  )
}

/** What the API server lets the user do, and the rule that allows what is missing. */
export function RightsView(): ReactNode {
  const cluster = useAppState(shownCluster)
  if (cluster === undefined || cluster.seen === null) return null
  return <View cluster={cluster} seen={cluster.seen} />
}
