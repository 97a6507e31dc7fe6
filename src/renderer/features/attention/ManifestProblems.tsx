import type { ReactNode } from 'react'
import type { NodeRef } from '../../../shared/ipc/contract.ts'
import type { SourceProblem, SourceView } from '../../../shared/model/cluster-view.ts'
import { shownCluster } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import textStyles from '../../ui/text.module.css'
import styles from './ManifestProblems.module.css'

const words = text.attention.manifests

function baseName(where: string): string {
  return where.split(/[/\\]/).findLast((part) => part !== '') ?? where
}

function positionText({ line, column }: SourceProblem): string {
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
  /** Whether there are several nodes. */
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
          <span className={styles['place']}>{positionText(problem)}</span>
        </b>
        {isNamed ? <span className={styles['node']}>{words.onNode(node.node)}</span> : null}
        <span className={styles['message']}>{problem.message}</span>
      </p>
      <Button isSmall title={words.openTitle} onClick={() => showManifest(name, node)}>
        {words.open}
      </Button>
    </li>
  )
}

/** The problems of all manifests, each with a button that opens its manifest. */
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
    <section className={styles['section']} aria-label={words.title}>
      <h2 className={textStyles['hidden']}>{words.title}</h2>
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
