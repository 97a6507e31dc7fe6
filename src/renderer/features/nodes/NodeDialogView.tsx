import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import { usualShutdownGrace } from '../../../shared/model/node-act.ts'
import type { NodeDialog } from '../../store/slices/node-acts-slice.ts'
import { isCutOff } from '../../store/state.ts'
import { useAppState } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Note } from '../../ui/Note.tsx'
import type { NodeDialogWords } from '../../words/node-acts.ts'
import { isSafeAct, nodeDialogWords } from '../../words/node-acts.ts'
import styles from '../../ui/ActDialog.module.css'
import own from './NodeDialogView.module.css'
import { ShutdownPlan } from './ShutdownPlan.tsx'
import { graceProblem } from './shutdown-plan.ts'

function Head({
  known,
  isSafe,
}: {
  readonly known: NodeDialogWords
  readonly isSafe: boolean
}): ReactNode {
  return (
    <div className={styles['head']}>
      <span className={classNames(styles['sign'], isSafe && styles['calm'])}>
        <Icon name={known.icon} />
      </span>
      <div className={styles['names']}>
        <h2>{known.title}</h2>
        <p className={styles['pod']}>{known.who}</p>
      </div>
      <span className={styles['where']}>{known.label}</span>
    </div>
  )
}

const lostRefusal =
  'The page lost its connection to Nodescope; actions are unavailable until it reconnects.'
const goneRefusal = 'This node no longer exists.'

/** What an act on a node will do, before the click. */
export function NodeDialogView({ dialog }: { readonly dialog: NodeDialog }): ReactNode {
  const clusters = useAppState((whole) => whole.clusters)
  const isReadOnly = useAppState((whole) => whole.program?.readOnly ?? false)
  const isLost = useAppState((whole) => isCutOff(whole.link))
  const error = useAppState((whole) => whole.nodeActError)
  const isActing = useAppState((whole) => whole.isNodeActing)
  const cancel = useAppState((whole) => whole.cancelNodeAct)
  const confirm = useAppState((whole) => whole.confirmNodeAct)
  const [grace, setGrace] = useState<{ readonly total: number; readonly critical: number }>(
    usualShutdownGrace,
  )
  const reasonId = useId()
  const known = nodeDialogWords(clusters, dialog, isReadOnly)
  const isSafe = isSafeAct(dialog.act)
  const isShutdown = dialog.act === 'shutDown'
  const problem = isShutdown ? graceProblem(grace) : ''
  const refusal = isLost ? lostRefusal : (known?.refusal ?? goneRefusal)
  const isRefused = refusal !== '' || problem !== ''
  return (
    <Dialog title={known?.title ?? goneRefusal} onClose={cancel}>
      {known === undefined ? null : <Head known={known} isSafe={isSafe} />}
      <div className={styles['body']}>
        {refusal === '' && known !== undefined ? (
          <>
            <p className={styles['summary']}>{known.summary}</p>
            {isShutdown && dialog.kind === 'node' ? (
              <ShutdownPlan node={dialog.node} grace={grace} problem={problem} onGrace={setGrace} />
            ) : null}
            <section className={own['think']} aria-label="What the control plane sees">
              <h3>
                <Icon name="eye" />
                What the control plane sees
              </h3>
              <p>{known.cluster}</p>
            </section>
          </>
        ) : (
          <Note look="error" icon="shield" id={reasonId}>
            <h3>Refused</h3>
            <p>{refusal}</p>
          </Note>
        )}
        {error === null ? null : (
          <Note look="error" icon="error" isAlert>
            <p>{error.message}</p>
          </Note>
        )}
      </div>
      <div className={styles['foot']}>
        <span className={styles['last']} />
        <span data-autofocus={isSafe ? undefined : true}>
          <Button onClick={cancel}>Cancel</Button>
        </span>
        <span data-autofocus={isSafe ? true : undefined}>
          <Button
            look={isSafe ? 'primary' : 'dangerFill'}
            {...(isRefused ? { icon: 'shield' as const } : {})}
            isRefused={isRefused || isActing}
            refusedBecause={refusal === '' ? undefined : reasonId}
            onClick={() => void confirm(isShutdown ? grace : null)}
          >
            {known?.title ?? 'Not here'}
          </Button>
        </span>
      </div>
    </Dialog>
  )
}
