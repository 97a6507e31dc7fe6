import type { ReactNode } from 'react'
import { actsFor } from '../../../shared/model/workloads/owner-act.ts'
import type { OwnerView } from '../../../shared/model/workloads/workloads.ts'
import { isLive } from '../../store/offered-views.ts'
import { shownCluster } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { MenuButton } from '../../ui/list/MenuButton.tsx'

const words = text.workloads.acts

/** What can be done with an owner; each opens its dialog. */
export function OwnerActs({ owner }: { readonly owner: OwnerView }): ReactNode {
  const shown = useAppState(shownCluster)
  const ask = useAppState((state) => state.askOwnerAct)
  if (!isLive(shown)) return null
  const cluster = shown.id
  const menu = words.of(owner.name)
  return (
    <MenuButton
      icon="more"
      label={menu}
      title={menu}
      menu={menu}
      isAtEnd
      items={actsFor(owner.kind, owner.isPaused).map((act) => ({
        id: act,
        words: `${words.name(act, owner.kind)}…`,
        onChoose: () =>
          ask({
            owner,
            args: {
              cluster,
              owner: owner.uid,
              act,
              replicas: owner.wanted ?? 0,
              cascade: 'background',
              revision: 0,
            },
          }),
      }))}
    />
  )
}
