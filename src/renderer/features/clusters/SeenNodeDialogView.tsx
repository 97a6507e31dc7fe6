import type { ReactNode } from 'react'
import { useId } from 'react'
import type { SeenNodeForecast } from '../../../shared/model/seen/drain.ts'
import type { SeenNodeDialog } from '../../store/slices/seen-node-slice.ts'
import { useAppState } from '../../store/store-context.ts'
import { useWriteRefusal } from '../../store/use-write-refusal.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { CommandLine } from '../../ui/CommandLine.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Note } from '../../ui/Note.tsx'
import { ActDialogHead } from '../../ui/act-dialog/ActDialogHead.tsx'
import { ActDialogNotes } from '../../ui/act-dialog/ActDialogNotes.tsx'
import styles from '../../ui/ActDialog.module.css'
import { DrainSwitches } from '../../ui/table/DrainSwitches.tsx'
import { DrainedPods } from './DrainedPods.tsx'
import own from './drain.module.css'

const words = text.clusters.seenActs
function Forecast({ forecast }: { readonly forecast: SeenNodeForecast }): ReactNode {
  const { act, summary, pods, isRehearsed, note, unknown, kubectl } = forecast
  return (
    <>
      <p className={styles['summary']}>{summary}</p>
      {act === 'drain' ? <DrainedPods pods={pods} /> : null}
      {act === 'drain' ? (
        <p className={own['rehearsal']}>
          {isRehearsed ? words.rehearsed : words.notRehearsed} {note}
        </p>
      ) : null}
      {unknown.length === 0 ? null : (
        <Note variant="plain" icon="info">
          <h3>{words.unknown}</h3>
          {unknown.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </Note>
      )}
      <CommandLine line={kubectl} isWrapped />
    </>
  )
}

/** What an act on a node of a real cluster will do, with the button that does it. */
export function SeenNodeDialogView({ dialog }: { readonly dialog: SeenNodeDialog }): ReactNode {
  const { act, node } = dialog
  const label = useAppState(
    (state) => state.clusters.find(({ id }) => id === node.cluster)?.label ?? node.cluster,
  )
  const forecast = useAppState((state) => state.seenNodeForecast)
  const problem = useAppState((state) => state.seenNodeProblem)
  const isActing = useAppState((state) => state.isSeenNodeActing)
  const cancel = useAppState((state) => state.cancelSeenNodeAct)
  const confirm = useAppState((state) => state.confirmSeenNodeAct)
  const reason = useId()
  const locked = useWriteRefusal(node.cluster)
  const refusal = locked === '' && forecast?.isAllowed === false ? forecast.refusal : locked
  const title = `${words.names[act]} ${node.node}`
  return (
    <Dialog title={title} place="top" onClose={cancel}>
      <ActDialogHead
        icon={act === 'drain' ? 'evict' : 'node'}
        title={title}
        label={label}
        isCalm={act !== 'drain'}
      >
        <p className={styles['pod']}>{node.node}</p>
      </ActDialogHead>
      <div className={styles['body']}>
        {act === 'drain' ? <DrainSwitches /> : null}
        {forecast === null && problem === '' ? (
          <p className={styles['wait']}>{words.loading}</p>
        ) : null}
        {forecast === null ? null : <Forecast forecast={forecast} />}
        <ActDialogNotes refusal={refusal} reason={reason} problem={problem} />
      </div>
      <div className={styles['foot']}>
        <span className={styles['last']} />
        <span data-autofocus>
          <Button onClick={cancel}>{text.common.cancel}</Button>
        </span>
        <Button
          variant={act === 'uncordon' ? 'primary' : 'dangerFill'}
          isRefused={refusal !== '' || forecast === null || isActing}
          refusedBecause={refusal === '' ? undefined : reason}
          onClick={() => void confirm()}
        >
          {forecast?.confirm ?? text.clusters.allow.on(words.names[act], label)}
        </Button>
      </div>
    </Dialog>
  )
}
