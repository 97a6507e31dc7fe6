import type { ReactNode } from 'react'
import { forecastAct } from '../../../../shared/model/forecast/forecast.ts'
import type { PodDetail } from '../../../../shared/model/pod-detail.ts'
import type { PodKey } from '../../../../shared/model/pod-row.ts'
import { isCutOff } from '../../../store/state.ts'
import { useAppState } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { MenuButton } from '../../../ui/list/MenuButton.tsx'

const words = text.containerActs

/** What can be done to one container. */
export function ContainerMenu({
  podKey,
  detail: { facts, behavior },
  container,
}: {
  readonly podKey: PodKey
  readonly detail: Pick<PodDetail, 'facts' | 'behavior'>
  readonly container: string
}): ReactNode {
  const askAct = useAppState((state) => state.askAct)
  const showBehavior = useAppState((state) => state.showBehavior)
  const isLost = useAppState((state) => isCutOff(state.link))
  const { refusal } = forecastAct('restartContainer', facts, null, container)
  return (
    <MenuButton
      icon="more"
      label={words.menu(container)}
      title={words.title(container)}
      menu={words.menu(container)}
      isAtEnd
      items={[
        {
          id: 'restart',
          icon: 'restart',
          words: words.restart,
          refusal: isLost ? text.common.pageLost : refusal,
          onChoose: () =>
            askAct({ act: 'restartContainer', key: podKey, container, graceSeconds: null }),
        },
        // Only simulated containers follow annotations.
        ...(behavior === null
          ? []
          : [
              {
                id: 'behavior',
                icon: 'labs' as const,
                words: words.behavior,
                onChoose: () => showBehavior({ key: podKey, container }),
              },
            ]),
      ]}
    />
  )
}
