import type { ReactNode } from 'react'
import { callFaultWords } from '../../../shared/model/node/call-fault-words.ts'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { NodeAct } from '../../../shared/model/node-act.ts'
import type { CallFault, NodeFaults } from '../../../shared/model/node/node-faults.ts'
import { text } from '../../text/text.ts'
import { Banner } from './Banner.tsx'

const words = text.attention.faults

/** The act that takes each fault back. */
const endedBy = {
  down: 'runtimeAnswers',
  hangs: 'runtimeAnswers',
  diskFull: 'freeDisk',
  slowMounts: 'usualMounts',
} as const satisfies Readonly<Record<keyof typeof words, NodeAct>>

interface ShownFault {
  readonly title: string
  readonly meaning: string
  readonly label: string
  readonly act: NodeAct
}

function plainFault(fault: keyof typeof words, node: string): ShownFault {
  const { title, meaning, act: label } = words[fault]
  return { title: title(node), meaning, label, act: endedBy[fault] }
}

function callFault(fault: CallFault, node: string): ShownFault {
  const { title, act: label } = text.attention.callFault
  const { summary } = callFaultWords(fault)
  return { title: title(node, fault), meaning: summary, label, act: 'callsAnswer' }
}

function faultsOf(
  { runtime, call, isDiskFull, hasSlowMounts }: NodeFaults,
  node: string,
): readonly ShownFault[] {
  return [
    ...(runtime === 'answers' ? [] : [plainFault(runtime, node)]),
    ...(call === null ? [] : [callFault(call, node)]),
    ...(isDiskFull === true ? [plainFault('diskFull', node)] : []),
    ...(hasSlowMounts ? [plainFault('slowMounts', node)] : []),
  ]
}

/** What a user has made to fail on the nodes of a cluster, until it is taken back. */
export function FaultBanners({ cluster }: { readonly cluster: ClusterView }): ReactNode {
  return cluster.nodes.flatMap(({ name, faults }) =>
    faultsOf(faults, name).map(({ title, meaning, label, act }) => {
      const node = { cluster: cluster.id, node: name }
      return (
        <Banner key={title} title={title} act={{ label, dialog: { kind: 'node', act, node } }}>
          {meaning}
        </Banner>
      )
    }),
  )
}
