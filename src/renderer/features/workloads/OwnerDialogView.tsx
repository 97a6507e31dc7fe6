import type { ReactNode } from 'react'
import { useId } from 'react'
import { cascades } from '../../../shared/model/workloads/owner-act.ts'
import type { OwnerForecast } from '../../../shared/model/workloads/owner-act.ts'
import type { OwnerDialog } from '../../store/slices/owner-act-slice.ts'
import { isCutOff } from '../../store/state.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { ActDialogHead } from '../../ui/act-dialog/ActDialogHead.tsx'
import { ActDialogNotes } from '../../ui/act-dialog/ActDialogNotes.tsx'
import styles from '../../ui/ActDialog.module.css'
import { Button } from '../../ui/Button.tsx'
import { CommandLine } from '../../ui/CommandLine.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Diff } from '../../ui/editor/Diff.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import own from './OwnerDialog.module.css'

const words = text.workloads.acts

/** The revisions that an owner has had; the forecast is about the chosen one. */
function Revisions({ dialog }: { readonly dialog: OwnerDialog }): ReactNode {
  const ask = useAppState((state) => state.askOwnerAct)
  const forecast = useAppState((state) => state.ownerForecast)
  const { args, owner } = dialog
  if (forecast === null || forecast.revisions.length === 0) return null
  return (
    <label className={own['field']}>
      {words.revision}
      <select
        value={args.revision === 0 ? forecast.revision : args.revision}
        onChange={({ target }) => ask({ owner, args: { ...args, revision: Number(target.value) } })}
      >
        {forecast.revisions.map(({ revision, changeCause, isCurrent }) => (
          <option key={revision} value={revision}>
            {words.revisionName(revision, changeCause, isCurrent)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** What the act needs to know: how many replicas, or what happens to the objects that it owns. */
function Choice({ dialog }: { readonly dialog: OwnerDialog }): ReactNode {
  const ask = useAppState((state) => state.askOwnerAct)
  const { args, owner } = dialog
  if (args.act === 'scale')
    return (
      <label className={own['field']}>
        {words.replicas}
        <input
          type="number"
          min={0}
          step={1}
          data-autofocus
          defaultValue={args.replicas}
          onChange={({ target }) => {
            const replicas = target.valueAsNumber
            if (Number.isInteger(replicas) && replicas >= 0)
              ask({ owner, args: { ...args, replicas } })
          }}
        />
      </label>
    )
  if (args.act === 'undo') return <Revisions dialog={dialog} />
  if (args.act !== 'delete') return null
  return (
    <Segmented
      label={words.cascade}
      value={args.cascade}
      onChange={(cascade) => ask({ owner, args: { ...args, cascade } })}
      segments={cascades.map((value) => ({ value, label: value }))}
    />
  )
}

function Forecast({ forecast }: { readonly forecast: OwnerForecast }): ReactNode {
  return (
    <>
      {forecast.summary === '' ? null : <p className={styles['summary']}>{forecast.summary}</p>}
      {forecast.steps.length === 0 ? null : (
        <ul className={own['steps']}>
          {forecast.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ul>
      )}
      {forecast.diff.length === 0 ? null : <Diff label={words.diff} lines={forecast.diff} />}
      <CommandLine line={forecast.kubectl} isWrapped />
    </>
  )
}

/** What an act on an owner of pods will do, with the button that does it. */
export function OwnerDialogView({ dialog }: { readonly dialog: OwnerDialog }): ReactNode {
  const { args, owner } = dialog
  const label = useAppState(
    (state) => state.clusters.find(({ id }) => id === args.cluster)?.label ?? args.cluster,
  )
  const forecast = useAppState((state) => state.ownerForecast)
  const problem = useAppState((state) => state.ownerProblem)
  const isActing = useAppState((state) => state.isOwnerActing)
  const isLost = useAppState((state) => isCutOff(state.link))
  const cancel = useAppState((state) => state.cancelOwnerAct)
  const confirm = useAppState((state) => state.confirmOwnerAct)
  const reason = useId()
  const refusal = isLost ? text.acts.lost : forecast?.isAllowed === false ? forecast.refusal : ''
  const title = words.title(args.act, owner)
  const isDeletion = args.act === 'delete'
  return (
    <Dialog title={title} place="top" onClose={cancel}>
      <ActDialogHead
        icon={isDeletion ? 'trash' : 'layers'}
        title={title}
        label={label}
        isCalm={!isDeletion}
      >
        <p className={styles['pod']}>
          {owner.kind} {owner.namespace}/{owner.name}
        </p>
      </ActDialogHead>
      <div className={styles['body']}>
        <Choice dialog={dialog} />
        {forecast === null && problem === '' ? (
          <p className={styles['wait']}>{words.loading}</p>
        ) : null}
        {forecast === null ? null : <Forecast forecast={forecast} />}
        <ActDialogNotes refusal={refusal} reason={reason} problem={problem} />
      </div>
      <div className={styles['foot']}>
        <span className={styles['last']} />
        <span data-autofocus={args.act === 'scale' ? undefined : true}>
          <Button onClick={cancel}>{text.common.cancel}</Button>
        </span>
        <Button
          variant={isDeletion ? 'dangerFill' : 'primary'}
          isRefused={refusal !== '' || forecast === null || isActing}
          refusedBecause={refusal === '' ? undefined : reason}
          onClick={() => void confirm()}
        >
          {forecast?.confirm ?? title}
        </Button>
      </div>
    </Dialog>
  )
}
