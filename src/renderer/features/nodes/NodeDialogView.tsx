import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import { usualShutdownGrace } from '../../../shared/model/node-act.ts'
import type { CallFault } from '../../../shared/model/node/node-faults.ts'
import type { NodeDialog, ShutdownGrace } from '../../store/slices/node-acts-slice.ts'
import { isCutOff } from '../../store/state.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Note } from '../../ui/Note.tsx'
import { nodeDialogWords, safeActs, usualCallFault } from '../../words/node-acts.ts'
import { ActDialogHead } from '../../ui/act-dialog/ActDialogHead.tsx'
import styles from '../../ui/ActDialog.module.css'
import own from './NodeDialogView.module.css'
import { CallFaultFields } from './CallFaultFields.tsx'
import { ShutdownPlan } from './ShutdownPlan.tsx'
import { graceProblem } from './shutdown-plan.ts'

/** The grace periods of the node's KubeletConfiguration. */
function configuredGrace(
  clusters: readonly ClusterView[],
  dialog: NodeDialog,
): ShutdownGrace | null {
  if (dialog.kind !== 'node') return null
  const { cluster, node } = dialog.node
  const nodes = clusters.find(({ id }) => id === cluster)?.nodes ?? []
  return nodes.find(({ name }) => name === node)?.shutdownGrace ?? null
}

/** The forecast of an act on a node, with the button that does it. */
export function NodeDialogView({ dialog }: { readonly dialog: NodeDialog }): ReactNode {
  const clusters = useAppState((state) => state.clusters)
  const isReadOnly = useAppState((state) => state.program?.readOnly ?? false)
  const isLost = useAppState((state) => isCutOff(state.link))
  const error = useAppState((state) => state.nodeActError)
  const isActing = useAppState((state) => state.isNodeActing)
  const cancel = useAppState((state) => state.cancelNodeAct)
  const confirm = useAppState((state) => state.confirmNodeAct)
  const [grace, setGrace] = useState<ShutdownGrace>(
    () => configuredGrace(clusters, dialog) ?? usualShutdownGrace,
  )
  const [call, setCall] = useState<CallFault>(usualCallFault)
  const reasonId = useId()
  const words = nodeDialogWords(clusters, dialog, isReadOnly, call)
  const isSafe = safeActs.has(dialog.act)
  const isShutdown = dialog.act === 'shutDown'
  const problem = isShutdown ? graceProblem(grace) : ''
  const refusal = isLost ? text.acts.lost : (words?.refusal ?? text.nodes.gone)
  const isRefused = refusal !== '' || problem !== ''
  return (
    <Dialog title={words?.title ?? text.nodes.gone} onClose={cancel}>
      {words === undefined ? null : (
        <ActDialogHead icon={words.icon} title={words.title} label={words.label} isCalm={isSafe}>
          <p className={styles['pod']}>{words.names}</p>
        </ActDialogHead>
      )}
      <div className={styles['body']}>
        {refusal === '' && words !== undefined ? (
          <>
            {dialog.kind === 'node' && dialog.act === 'failCall' ? (
              <CallFaultFields node={dialog.node} value={call} onChange={setCall} />
            ) : null}
            <p className={styles['summary']}>{words.summary}</p>
            {isShutdown && dialog.kind === 'node' ? (
              <ShutdownPlan node={dialog.node} grace={grace} problem={problem} onGrace={setGrace} />
            ) : null}
            <section className={own['think']} aria-label={text.nodes.controlPlane}>
              <h3>
                <Icon name="eye" />
                {text.nodes.controlPlane}
              </h3>
              <p>{words.cluster}</p>
            </section>
          </>
        ) : (
          <Note variant="error" icon="shield" id={reasonId}>
            <h3>{text.common.refused}</h3>
            <p>{refusal}</p>
          </Note>
        )}
        {error === null ? null : (
          <Note variant="error" icon="error" isAlert>
            <p>{error.message}</p>
          </Note>
        )}
      </div>
      <div className={styles['foot']}>
        <span className={styles['last']} />
        <span data-autofocus={isSafe ? undefined : true}>
          <Button onClick={cancel}>{text.common.cancel}</Button>
        </span>
        <span data-autofocus={isSafe ? true : undefined}>
          <Button
            variant={isSafe ? 'primary' : 'dangerFill'}
            {...(isRefused ? { icon: 'shield' as const } : {})}
            isRefused={isRefused || isActing}
            refusedBecause={refusal === '' ? undefined : reasonId}
            onClick={() => void confirm({ grace, call })}
          >
            {words?.title ?? text.nodes.goneButton}
          </Button>
        </span>
      </div>
    </Dialog>
  )
}
