import type { ReactNode } from 'react'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import { useAppState, useRow } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { StatusWord } from '../../ui/signs/StatusWord.tsx'
import { WorkerState } from '../../ui/signs/WorkerState.tsx'
import styles from './WorkloadsView.module.css'

/** A pod under its owner: the state of its worker, its name, STATUS and node. */
export function PodLine({ podKey }: { readonly podKey: PodKey }): ReactNode {
  const row = useRow(podKey)
  const isOpen = useAppState((state) => state.isDrawerOpen && state.cursor === podKey)
  const showPod = useAppState((state) => state.showPod)
  if (row === undefined) return null
  const { name, status, tone, node, worker, readyContainers, totalContainers } = row
  const isPartly = status === 'Running' && readyContainers < totalContainers
  return (
    <li className={classNames(styles['pod'], isOpen && styles['selected'])}>
      <WorkerState state={worker} isSign />
      <button
        type="button"
        className={styles['name']}
        data-pod={podKey}
        title={`${row.namespace}/${name}`}
        onClick={() => showPod(podKey)}
      >
        {name}
      </button>
      <StatusWord
        word={isPartly ? `${status}, ${readyContainers}/${totalContainers}` : status}
        tone={isPartly ? 'wait' : tone}
      />
      <span className={styles['node']}>{node === '' ? text.workloads.noNode : node}</span>
    </li>
  )
}
