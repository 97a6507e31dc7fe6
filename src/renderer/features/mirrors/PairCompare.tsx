import type { ReactNode } from 'react'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import type { Pair } from '../../store/rows/mirrors-order.ts'
import { isCutOff } from '../../store/state.ts'
import { useAppState, useRow } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { MirrorTag, StaticTag } from '../../ui/Tag.tsx'
import { DiffTable } from './DiffTable.tsx'
import { MirrorHistory } from './MirrorHistory.tsx'
import styles from './PairCompare.module.css'
import { pairReason } from './pair-words.ts'

const words = text.mirrors.compare

interface PairProps {
  readonly row: PodRow
  readonly pair: Pair
}

function DeleteMirror({ row, pair }: PairProps): ReactNode {
  const askAct = useAppState((state) => state.askAct)
  const isDisconnected = useAppState((state) => isCutOff(state.link))
  const isMissing = pair.state === 'missing'
  const { label, disconnected, missing, title } = words.deleteMirror
  return (
    <Button
      icon="trash"
      isSmall
      isRefused={isMissing || isDisconnected}
      title={isDisconnected ? disconnected : isMissing ? missing : title}
      onClick={() => askAct({ act: 'deleteMirror', key: row.key, graceSeconds: null })}
    >
      {label}
    </Button>
  )
}

/** The two objects line by line, or the history of the mirror. */
function Details({ row, pair }: PairProps): ReactNode {
  const pane = useAppState((state) => state.pairPane)
  const { state, value } = useAppState((current) => current.pairFacts)
  if (pane === 'diff' && state === 'gone') return <p className={styles['alone']}>{words.gone}</p>
  if (state === 'gone' || value?.key !== pair.key) return null
  if (pane === 'history') {
    const { history } = value
    return (
      <MirrorHistory cluster={row.cluster} moments={history} label={words.historyOf(row.name)} />
    )
  }
  const { pod, mirror } = value.objects
  if (pod === null || mirror === null)
    return <p className={styles['alone']}>{pod === null ? words.noStaticPod : words.noMirror}</p>
  return <DiffTable staticPod={pod} mirror={mirror} label={words.differencesOf(row.name)} />
}

/** The chosen pair: why it is in its state, the two objects side by side, and the history of its mirrors. */
export function PairCompare({ pair }: { readonly pair: Pair }): ReactNode {
  const row = useRow(pair.key)
  const pane = useAppState((state) => state.pairPane)
  const setPane = useAppState((state) => state.setPairPane)
  const openDrawer = useAppState((state) => state.openDrawer)
  if (row === undefined) return null
  return (
    <section className={styles['compare']} aria-label={words.title}>
      <header className={styles['head']}>
        <h2 title={`${row.namespace}/${row.name}`}>{row.name}</h2>
        <StaticTag />
        <span className={styles['faint']}>{words.against}</span>
        <MirrorTag />
        <p className={styles['why']}>{pairReason(row, pair.state)}</p>
        <Button isSmall icon="eye" onClick={() => openDrawer(row.key)}>
          {words.openPod}
        </Button>
        <DeleteMirror row={row} pair={pair} />
        <Segmented
          label={words.details}
          value={pane}
          onChange={setPane}
          segments={[
            { value: 'diff', ...words.diff },
            { value: 'history', ...words.history },
          ]}
        />
      </header>
      <Details row={row} pair={pair} />
    </section>
  )
}
