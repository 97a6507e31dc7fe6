import type { ReactNode } from 'react'
import type { ContainerView } from '../../../../shared/model/pod-detail.ts'
import type {
  ContainerUse,
  PodUse,
  UseSample,
} from '../../../../shared/model/inside-pod/pod-use.ts'
import type { Answer } from '../../../store/requests/keyed-request.ts'
import { text } from '../../../text/text.ts'
import styles from './ContainerResources.module.css'
import { cpuText, memoryLimitText, memoryText, throttledPercent } from './figures.ts'
import { Fold } from './Fold.tsx'
import { UseChart } from './UseChart.tsx'

const words = text.pod.resources

/** What the container uses now, in words. */
interface Figures {
  readonly memory: string
  readonly cpu: string
  readonly throttled: string
}

/** Undefined: it does not run, or was not measured yet. */
function figuresOf(container: ContainerView, use: ContainerUse): Figures | undefined {
  const run = use.runs.at(-1)
  const last: UseSample | undefined = run?.samples.at(-1)
  if (run === undefined || last === undefined || container.state !== 'running') return undefined
  const memory = memoryText(last.memoryBytes)
  const { limit } = use.memory
  const percent = throttledPercent(run.samples) ?? 0
  return {
    memory: limit === null ? memory : words.of(memory, memoryLimitText(limit)),
    cpu: last.cpuMillis === null ? '' : cpuText(last.cpuMillis),
    throttled: percent === 0 ? '' : words.throttled(percent),
  }
}

function listed(...texts: readonly string[]): string {
  return texts.filter((one) => one !== '').join(', ')
}

function Charts({
  use,
  now,
  figures,
}: {
  readonly use: ContainerUse
  readonly now: number
  readonly figures: Figures | undefined
}): ReactNode {
  if (use.runs.length === 0) return <p className={styles['note']}>{words.none}</p>
  const head = figures ?? { memory: words.notRunning, cpu: words.notRunning, throttled: '' }
  return (
    <div className={styles['charts']}>
      <UseChart kind="memory" runs={use.runs} amounts={use.memory} now={now} head={head.memory} />
      <UseChart
        kind="cpu"
        runs={use.runs}
        amounts={use.cpu}
        now={now}
        head={listed(head.cpu, head.throttled)}
      />
    </div>
  )
}

/** What a container uses against what it requests and what limits it; folded, only the numbers of this moment. */
export function ContainerResources({
  container,
  answer: { state, value },
  isOpenAtFirst,
}: {
  readonly container: ContainerView
  readonly answer: Answer<PodUse>
  readonly isOpenAtFirst: boolean
}): ReactNode {
  const use = value?.containers.find((one) => one.container === container.name)
  if (state === 'none' || state === 'loading') return null
  const figures = use === undefined ? undefined : figuresOf(container, use)
  return (
    <Fold
      title={words.fold}
      label={words.label(container.name)}
      summary={figures === undefined ? '' : listed(figures.memory, figures.cpu)}
      isOpenAtFirst={isOpenAtFirst}
    >
      {value === null || use === undefined || state === 'gone' ? (
        <p className={styles['note']}>{words.unknown}</p>
      ) : (
        <>
          {value.error === '' ? null : (
            <p className={styles['note']}>{words.failed(value.error)}</p>
          )}
          <Charts use={use} now={value.to} figures={figures} />
        </>
      )}
    </Fold>
  )
}
