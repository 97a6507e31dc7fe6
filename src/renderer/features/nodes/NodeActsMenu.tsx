import type { ReactNode } from 'react'
import { shownCluster, shownNode } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { MenuButton } from '../../ui/list/MenuButton.tsx'
import { nodeActs } from '../../words/node-acts.ts'

/** What can be done to the shown node, and to the way from its cluster's nodes to the API server. */
export function NodeActsMenu(): ReactNode {
  const cluster = useAppState(shownCluster)
  const node = useAppState(shownNode)
  const isReadOnly = useAppState((state) => state.program?.readOnly ?? false)
  const ask = useAppState((state) => state.askNodeAct)
  if (cluster === undefined || node === undefined) return null
  const acts = nodeActs(cluster, node, isReadOnly)
  if (acts.length === 0) return null
  return (
    <MenuButton
      icon="node"
      label="Act on the node"
      title={`Restart, stop or shut down ${node.name}…`}
      menu={`Acts on ${node.name}`}
      items={acts.map(({ icon, title, refusal, dialog }) => ({
        id: `${dialog.kind} ${dialog.act}`,
        icon,
        words: `${title}…`,
        refusal,
        onChoose: () => ask(dialog),
      }))}
    />
  )
}
