import type { ReactNode } from 'react'
import type { ActFacts } from '../../../../shared/model/act.ts'
import { forecastAct } from '../../../../shared/model/forecast/forecast.ts'
import type { PodKey } from '../../../../shared/model/pod-row.ts'
import { isCutOff } from '../../../store/state.ts'
import { useAppState } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { MenuButton } from '../../../ui/list/MenuButton.tsx'

const words = text.containerActs

/** What can be done to one container. */
export function ContainerMenu({
  podKey,
  facts,
  container,
}: {
  readonly podKey: PodKey
  readonly facts: ActFacts
  readonly container: string
}): ReactNode {
  const askAct = useAppState((state) => state.askAct)
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
      ]}
    />
  )
}
