import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import { forecastBehavior } from '../../../../shared/model/behavior-act.ts'
import type { BehaviorChange, BehaviorFacts } from '../../../../shared/model/behavior-act.ts'
import { behaviorNames } from '../../../../shared/simulated-behavior.ts'
import type { BehaviorSubject } from '../../../store/slices/behavior-slice.ts'
import { isCutOff } from '../../../store/state.ts'
import { useAppState } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { Button } from '../../../ui/Button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { CommandLine } from '../../../ui/CommandLine.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Note } from '../../../ui/Note.tsx'
import dialogStyles from '../../../ui/ActDialog.module.css'
import styles from './BehaviorDialog.module.css'
import { BehaviorRow } from './BehaviorRow.tsx'

const words = text.behavior
const groups = ['atOnce', 'atNextStart', 'inAnotherPod'] as const

/** What a change does, and the line that does the same. */
function ChangeForecast({
  facts,
  change,
}: {
  readonly facts: BehaviorFacts
  readonly change: BehaviorChange
}): ReactNode {
  const { summary, line } = forecastBehavior(facts, change)
  const isStatic = facts.pod.kind === 'static'
  return (
    <div className={styles['same']}>
      <p aria-live="polite">{summary}</p>
      <span className={dialogStyles['label']}>{isStatic ? words.sameInManifest : words.same}</span>
      <CommandLine line={line} prompt={isStatic ? '' : '$'} isWrapped />
    </div>
  )
}

/** What annotations make a simulated container do now, with a form for each. */
export function BehaviorDialog({ of }: { readonly of: BehaviorSubject }): ReactNode {
  const detail = useAppState((state) => state.detail)
  const close = useAppState((state) => state.closeBehavior)
  const setBehavior = useAppState((state) => state.setBehavior)
  const isSetting = useAppState((state) => state.isSettingBehavior)
  const error = useAppState((state) => state.behaviorError)
  const isLost = useAppState((state) => isCutOff(state.link))
  const reasonId = useId()
  const { container } = of
  const [shown, setShown] = useState<BehaviorChange>({ name: 'probes', container, value: 'fail' })
  const known = detail?.row.key === of.key ? detail : null
  const facts: BehaviorFacts | null =
    known === null ? null : { pod: known.facts, source: known.row.source, behavior: known.behavior }
  // What refuses a valid change refuses each.
  const refusal =
    facts === null
      ? ''
      : forecastBehavior(facts, { name: 'probes', container, value: 'fail' }).refusal
  return (
    <Dialog title={words.title} onClose={close}>
      <div className={dialogStyles['head']}>
        <span className={classNames(dialogStyles['sign'], dialogStyles['calm'])}>
          <Icon name="labs" />
        </span>
        <div className={dialogStyles['names']}>
          <h2>{words.title}</h2>
          <p className={dialogStyles['pod']}>
            {words.of(
              container,
              known === null ? '' : `${known.row.namespace} / ${known.row.name}`,
            )}
          </p>
        </div>
      </div>
      <div className={dialogStyles['body']}>
        {facts === null ? (
          <p className={dialogStyles['wait']}>{text.acts.podGone}</p>
        ) : (
          <>
            <p className={dialogStyles['summary']}>{words.what}</p>
            {refusal === '' && !isLost ? null : (
              <Note variant="error" icon="shield" id={reasonId}>
                <h3>{text.common.refused}</h3>
                <p>{isLost ? text.acts.lost : refusal}</p>
              </Note>
            )}
            {groups.map((group) => (
              <Group
                key={group}
                group={group}
                facts={facts}
                container={container}
                isBusy={isSetting || isLost || refusal !== ''}
                onShow={setShown}
                onChange={(change) => void setBehavior(change)}
              />
            ))}
          </>
        )}
      </div>
      {facts === null ? null : <ChangeForecast facts={facts} change={shown} />}
      {error === null ? null : (
        <Note variant="error" icon="error" isAlert>
          <p>{error.message}</p>
        </Note>
      )}
      <div className={dialogStyles['foot']}>
        <span className={dialogStyles['last']} />
        <span data-autofocus>
          <Button onClick={close}>{words.done}</Button>
        </span>
      </div>
    </Dialog>
  )
}

interface GroupProps {
  readonly group: (typeof groups)[number]
  readonly facts: BehaviorFacts
  readonly container: string
  readonly isBusy: boolean
  readonly onShow: (change: BehaviorChange) => void
  readonly onChange: (change: BehaviorChange) => void
}

/** The annotations that take effect at the same time. */
function Group({ group, ...props }: GroupProps): ReactNode {
  const { facts, container } = props
  const own = behaviorNames.filter(
    (name) => forecastBehavior(facts, { name, container, value: null }).takesEffect === group,
  )
  if (own.length === 0) return null
  return (
    <section aria-label={words.groups[group]}>
      <h3 className={styles['group']}>{words.groups[group]}</h3>
      <ul>
        {own.map((name) => (
          <BehaviorRow key={name} name={name} {...props} />
        ))}
      </ul>
    </section>
  )
}
