import type { ReactNode } from 'react'
import { shownCluster, shownNode } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { MenuButton } from '../../ui/list/MenuButton.tsx'
import { nodeActs } from '../../words/node-acts.ts'

/** The acts on the shown node, and on the link from its cluster's nodes to the API server. */
export function NodeActsMenu(): ReactNode {
  const cluster = useAppState(shownCluster)
  const node = useAppState(shownNode)
  const isReadOnly = useAppState((state) => state.program?.readOnly ?? false)
  const ask = useAppState((state) => state.askNodeAct)
  const openFaults = useAppState((state) => state.openFaults)
  if (cluster === undefined || node === undefined) return null
  const acts = nodeActs(cluster, node, isReadOnly)
  if (acts.length === 0) return null
  return (
    <MenuButton
      icon="node"
      label={text.nodes.act}
      title={text.nodes.actTitle(node.name)}
      menu={text.nodes.actsOn(node.name)}
      items={[
        ...acts.map(({ icon, title, refusal, dialog }) => ({
          id: `${dialog.kind} ${dialog.act}`,
          icon,
          words: `${title}…`,
          refusal,
          onChoose: () => ask(dialog),
        })),
        ...(cluster.kind === 'sandbox'
          ? [
              {
                id: 'faults',
                icon: 'unlink' as const,
                words: text.faults.open,
                onChoose: () => openFaults(cluster.id),
              },
            ]
          : []),
      ]}
    />
  )
}
