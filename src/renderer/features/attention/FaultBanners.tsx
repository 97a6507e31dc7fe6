import type { ReactNode } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { NodeAct } from '../../../shared/model/node-act.ts'
import type { NodeFaults } from '../../../shared/model/node-faults.ts'
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

function faultsOf({
  runtime,
  isDiskFull,
  hasSlowMounts,
}: NodeFaults): readonly (keyof typeof endedBy)[] {
  return [
    ...(runtime === 'answers' ? [] : [runtime]),
    ...(isDiskFull === true ? (['diskFull'] as const) : []),
    ...(hasSlowMounts ? (['slowMounts'] as const) : []),
  ]
}

/** What a user has made to fail on the nodes of a cluster, until it is taken back. */
export function FaultBanners({ cluster }: { readonly cluster: ClusterView }): ReactNode {
  return cluster.nodes.flatMap(({ name, faults }) =>
    faultsOf(faults).map((fault) => {
      const { title, meaning, act } = words[fault]
      const node = { cluster: cluster.id, node: name }
      return (
        <Banner
          key={`${name} ${fault}`}
          title={title(name)}
          act={{ label: act, dialog: { kind: 'node', act: endedBy[fault], node } }}
        >
          {meaning}
        </Banner>
      )
    }),
  )
}
