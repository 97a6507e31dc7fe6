import type { ReactNode } from 'react'
import { useId } from 'react'
import type { NodeRef } from '../../../shared/ipc/contract.ts'
import type { CallFault } from '../../../shared/model/node/node-faults.ts'
import { runtimeCallNames, runtimeCalls } from '../../../shared/model/node/node-faults.ts'
import { isInScope } from '../../store/shown-node.ts'
import { useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Segmented } from '../../ui/Segmented.tsx'
import styles from './CallFaultFields.module.css'

const words = text.nodes.callFault

/** `namespace/name`, sorted; a pod and its mirror are one. No name has a slash. */
function podNames(rows: ReturnType<typeof useStore>['rows'], node: NodeRef): readonly string[] {
  const pods = [...rows.values()].filter((row) => isInScope(row, node))
  return [...new Set(pods.map(({ namespace, name }) => `${namespace}/${name}`))].toSorted()
}

/** Which runtime call is to fail, how, and of which pod. */
export function CallFaultFields({
  node,
  value,
  onChange,
}: {
  readonly node: NodeRef
  readonly value: CallFault
  readonly onChange: (fault: CallFault) => void
}): ReactNode {
  const { rows } = useStore()
  const id = useId()
  const { ofPod } = runtimeCalls[value.call]
  const chosen = value.pod === null ? '' : `${value.pod.namespace}/${value.pod.name}`
  const pods = [...new Set([...podNames(rows, node), ...(chosen === '' ? [] : [chosen])])]
  return (
    <div className={styles['fields']}>
      <label htmlFor={`${id}-call`}>{words.call}</label>
      <select
        id={`${id}-call`}
        value={value.call}
        onChange={({ target }) => {
          const call = runtimeCallNames.find((name) => name === target.value) ?? value.call
          onChange({ ...value, call, pod: runtimeCalls[call].ofPod ? value.pod : null })
        }}
      >
        {runtimeCallNames.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <Segmented
        label={words.how}
        value={value.how}
        onChange={(how) => onChange({ ...value, how })}
        segments={[
          { value: 'fails', label: words.fails, title: words.failsTitle },
          { value: 'hangs', label: words.hangs, title: words.hangsTitle },
        ]}
      />
      <label htmlFor={`${id}-pod`}>{words.pod}</label>
      <select
        id={`${id}-pod`}
        disabled={!ofPod}
        title={ofPod ? undefined : words.noPod(value.call)}
        value={chosen}
        onChange={({ target }) => {
          const [namespace = '', name] = target.value.split('/')
          onChange({ ...value, pod: name === undefined ? null : { namespace, name } })
        }}
      >
        <option value="">{words.allPods}</option>
        {pods.map((pod) => (
          <option key={pod}>{pod}</option>
        ))}
      </select>
    </div>
  )
}
