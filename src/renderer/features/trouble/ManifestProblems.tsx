import type { ReactNode } from 'react'
import type { NodeRef } from '../../../shared/ipc/contract.ts'
import type { SourceProblem, SourceView } from '../../../shared/model/cluster-view.ts'
import { shownCluster } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import text from '../../ui/text.module.css'
import styles from './ManifestProblems.module.css'

function baseName(where: string): string {
  return where.split(/[/\\]/).findLast((part) => part !== '') ?? where
}

function place({ line, column }: SourceProblem): string {
  if (line === null) return ''
  return column === null ? `:${line}` : `:${line}:${column}`
}

function Problem({
  node,
  isNamed,
  source,
  problem,
}: {
  readonly node: NodeRef
  /** There are several nodes. */
  readonly isNamed: boolean
  readonly source: SourceView
  readonly problem: SourceProblem
}): ReactNode {
  const showManifest = useAppState((state) => state.showManifest)
  const name = source.source === 'file' ? baseName(problem.where) : null
  return (
    <li className={styles['problem']}>
      <Icon name="error" />
      <p className={styles['words']}>
        <b className={styles['file']} title={problem.where}>
          {name ?? problem.where}
          <span className={styles['place']}>{place(problem)}</span>
        </b>
        {isNamed ? <span className={styles['node']}>on {node.node}</span> : null}
        <span className={styles['message']}>{problem.message}</span>
      </p>
      <Button
        isSmall
        title="Explanation, with what happens to the running pod"
        onClick={() => showManifest(name, node)}
      >
        Open in Manifests
      </Button>
    </li>
  )
}

/** What is wrong with manifests, beside the pods that they would make: where it stands, and the way there. */
export function ManifestProblems(): ReactNode {
  const cluster = useAppState(shownCluster)
  const nodes = cluster?.nodes ?? []
  const problems = nodes.flatMap(({ name, sources }) =>
    sources.flatMap((source) =>
      source.problems.map((problem) => ({
        key: `${name} ${problem.where} ${problem.message}`,
        node: { cluster: cluster?.id ?? '', node: name },
        source,
        problem,
      })),
    ),
  )
  if (problems.length === 0) return null
  return (
    <section className={styles['section']} aria-label="Manifest problems">
      <h2 className={text['hidden']}>Manifest problems</h2>
      <div role="alert">
        <ul>
          {problems.map(({ key, ...found }) => (
            <Problem key={key} isNamed={nodes.length > 1} {...found} />
          ))}
        </ul>
      </div>
    </section>
  )
}
