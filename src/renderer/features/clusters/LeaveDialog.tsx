import type { ReactNode } from 'react'
import { useState } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import allow from './allow.module.css'

const words = text.clusters.nodes.leave

/** Before a node ends that the page has joined. The focus is on the button that changes nothing. */
export function LeaveDialog({ cluster }: { readonly cluster: ClusterView }): ReactNode {
  const [deleteNode, setDeleteNode] = useState(false)
  const ask = useAppState((state) => state.askLeave)
  const leave = useAppState((state) => state.leaveCluster)
  const node = cluster.nodes[0]?.name ?? ''
  const close = (): void => ask(null)
  const title = words.title(node, cluster.label)
  return (
    <Dialog title={title} onClose={close}>
      <div className={allow['head']}>
        <span className={allow['sign']}>
          <Icon name="node" />
        </span>
        <h2>{title}</h2>
      </div>
      <div className={allow['body']}>
        <p className={allow['rule']}>{words.meaning}</p>
        <label className={allow['check']}>
          <input
            type="checkbox"
            checked={deleteNode}
            onChange={({ target }) => setDeleteNode(target.checked)}
          />
          {words.deleteNode}
        </label>
      </div>
      <div className={allow['foot']}>
        <span data-autofocus>
          <Button onClick={close}>{text.common.cancel}</Button>
        </span>
        <Button variant="dangerFill" onClick={() => void leave(cluster.id, deleteNode)}>
          {words.confirm(node)}
        </Button>
      </div>
    </Dialog>
  )
}
