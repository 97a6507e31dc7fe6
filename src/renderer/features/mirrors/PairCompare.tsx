import type { ReactNode } from 'react'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import type { Pair } from '../../store/rows/mirrors-order.ts'
import { isCutOff } from '../../store/state.ts'
import { useAppState, useRow } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { MirrorTag, StaticTag } from '../../ui/Tag.tsx'
import { DiffTable } from './DiffTable.tsx'
import { MirrorHistory } from './MirrorHistory.tsx'
import { pairReason } from './pair-words.ts'
import styles from './PairCompare.module.css'

function DeleteMirror({ row, pair }: { readonly row: PodRow; readonly pair: Pair }): ReactNode {
  const askAct = useAppState((state) => state.askAct)
  const isLost = useAppState((state) => isCutOff(state.link))
  const isMissing = pair.state === 'missing'
  return (
    <Button
      icon="trash"
      isSmall
      isRefused={isMissing || isLost}
      title={
        isLost
          ? 'The page lost its connection to Nodescope.'
          : isMissing
            ? 'This pod has no mirror to delete.'
            : 'The containers keep running; the kubelet recreates the mirror. Opens a forecast first.'
      }
      onClick={() => askAct({ act: 'deleteMirror', key: row.key, graceSeconds: null })}
    >
      Delete mirror…
    </Button>
  )
}

function Alone({ children }: { readonly children: ReactNode }): ReactNode {
  return <p className={styles['alone']}>{children}</p>
}

function Diff({ row, pair }: { readonly row: PodRow; readonly pair: Pair }): ReactNode {
  const { state, value } = useAppState((current) => current.pairFacts)
  if (state === 'gone') return <Alone>The kubelet no longer has this pod.</Alone>
  if (value?.key !== pair.key) return null
  const { pod, mirror } = value.objects
  if (pod === null) return <Alone>This mirror has no static pod to compare with.</Alone>
  if (mirror === null) return <Alone>This static pod has no mirror to compare with.</Alone>
  return <DiffTable staticPod={pod} mirror={mirror} label={`Differences of ${row.name}`} />
}

function History({ row, pair }: { readonly row: PodRow; readonly pair: Pair }): ReactNode {
  const { state, value } = useAppState((current) => current.pairFacts)
  if (state === 'gone' || value?.key !== pair.key) return null
  return (
    <MirrorHistory
      cluster={row.cluster}
      moments={value.history}
      label={`History of the mirror of ${row.name}`}
    />
  )
}

/** The chosen pair: why it is as it is, the two objects side by side, and what became of its mirrors. */
export function PairCompare({ pair }: { readonly pair: Pair }): ReactNode {
  const row = useRow(pair.key)
  const pane = useAppState((state) => state.pairPane)
  const setPane = useAppState((state) => state.setPairPane)
  const openDrawer = useAppState((state) => state.openDrawer)
  if (row === undefined) return null
  return (
    <section className={styles['compare']} aria-label="Comparison of the two objects">
      <header className={styles['head']}>
        <h2 title={`${row.namespace}/${row.name}`}>{row.name}</h2>
        <StaticTag />
        <span className={styles['faint']}>against</span>
        <MirrorTag />
        <p className={styles['why']}>{pairReason(row, pair.state)}</p>
        <Button isSmall icon="eye" onClick={() => openDrawer(row.key)}>
          Open the pod
        </Button>
        <DeleteMirror row={row} pair={pair} />
        <Segmented
          label="Pair details"
          value={pane}
          onChange={setPane}
          segments={[
            { value: 'diff', label: 'Diff' },
            {
              value: 'history',
              label: 'History',
              title: 'When its mirrors were created and deleted',
            },
          ]}
        />
      </header>
      {pane === 'diff' ? <Diff row={row} pair={pair} /> : <History row={row} pair={pair} />}
    </section>
  )
}
