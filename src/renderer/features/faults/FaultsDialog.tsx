import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import type { Bridge } from '../../../shared/ipc/contract.ts'
import { faultText } from '../../../shared/model/node/fault.ts'
import type { Fault, FaultType } from '../../../shared/model/node/fault.ts'
import { quoted } from '../../../shared/shell-words.ts'
import { useLastAnswer } from '../../store/requests/use-kept-answer.ts'
import { useAppState } from '../../store/store-context.ts'
import { useWriteRefusal } from '../../store/use-write-refusal.ts'
import { text } from '../../text/text.ts'
import { ActDialogHead } from '../../ui/act-dialog/ActDialogHead.tsx'
import { ActDialogNotes } from '../../ui/act-dialog/ActDialogNotes.tsx'
import dialog from '../../ui/ActDialog.module.css'
import { Button } from '../../ui/Button.tsx'
import { CommandLine } from '../../ui/CommandLine.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { faultOf, firstDraft } from './fault-draft.ts'
import { FaultForm } from './FaultForm.tsx'
import styles from './FaultsDialog.module.css'

const words = text.faults

function list(bridge: Bridge, cluster: string): Promise<readonly Fault[] | null> {
  return bridge.request('faults.list', { cluster })
}

const none: readonly Fault[] = []

function InEffect({
  faults,
  isRefused,
  reason,
  onTakeBack,
}: {
  readonly faults: readonly Fault[]
  readonly isRefused: boolean
  readonly reason: string
  readonly onTakeBack: (index: number) => void
}): ReactNode {
  return (
    <section className={styles['effects']} aria-label={words.inEffect}>
      <h3>{words.inEffect}</h3>
      {faults.length === 0 ? <p className={styles['effect']}>{words.none}</p> : null}
      <ul>
        {faults.map((fault, index) => (
          <li key={faultText(fault)}>
            <code>{faultText(fault)}</code>
            <Button
              isSmall
              label={words.takeBackOf(faultText(fault))}
              isRefused={isRefused}
              refusedBecause={isRefused ? reason : undefined}
              onClick={() => onTakeBack(index)}
            >
              {words.takeBack}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** All that is made to fail in a sandbox: added and taken back in one place. */
export function FaultsDialog({ cluster }: { readonly cluster: string }): ReactNode {
  const view = useAppState((state) => state.clusters.find(({ id }) => id === cluster))
  const changes = useAppState((state) => state.faultsChanges)
  const problem = useAppState((state) => state.faultsProblem)
  const close = useAppState((state) => state.closeFaults)
  const set = useAppState((state) => state.setFaults)
  const nodes = (view?.nodes ?? []).map(({ name }) => name)
  const [type, setType] = useState<FaultType>('Latency')
  const [draft, setDraft] = useState(() => firstDraft('Latency', nodes))
  const reason = useId()
  const refusal = useWriteRefusal(cluster)
  // The view changes when a fault is switched elsewhere.
  const faults = useLastAnswer(words.request, cluster, list, `${changes} ${view?.clock.now ?? 0}`)
  const shown = faults ?? none
  const next = [...shown, faultOf(type, draft)]
  const plan = JSON.stringify({ spec: { faults: next } })
  return (
    <Dialog title={words.title} onClose={close}>
      <ActDialogHead icon="unlink" title={words.title} label={view?.label ?? cluster}>
        <p className={styles['effect']}>{words.meaning}</p>
      </ActDialogHead>
      <div className={dialog['body']}>
        <InEffect
          faults={shown}
          isRefused={refusal !== ''}
          reason={reason}
          onTakeBack={(index) => void set(shown.filter((_, at) => at !== index))}
        />
        <FaultForm
          type={type}
          draft={draft}
          nodes={nodes}
          onType={(chosen) => {
            setType(chosen)
            setDraft(firstDraft(chosen, nodes))
          }}
          onDraft={setDraft}
        />
        <CommandLine
          line={`kubectl patch faults sandbox --type=merge -p ${quoted(plan)}`}
          isWrapped
        />
        <ActDialogNotes refusal={refusal} reason={reason} problem={problem} />
      </div>
      <div className={dialog['foot']}>
        <span className={dialog['last']} />
        <span data-autofocus>
          <Button onClick={close}>{text.common.close}</Button>
        </span>
        <Button
          isRefused={refusal !== '' || shown.length === 0}
          refusedBecause={refusal === '' ? undefined : reason}
          onClick={() => void set([])}
        >
          {words.takeAllBack}
        </Button>
        <Button
          variant="dangerFill"
          isRefused={refusal !== '' || faults === null}
          refusedBecause={refusal === '' ? undefined : reason}
          onClick={() => void set(next)}
        >
          {words.add}
        </Button>
      </div>
    </Dialog>
  )
}
