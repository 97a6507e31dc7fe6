import type { ReactNode } from 'react'
import type { SourceProblem, SourceView } from '../../../shared/model/cluster-view.ts'
import { useAppState } from '../../store/store-context.ts'
import { Icon } from '../../ui/Icon.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import styles from './ManifestProblems.module.css'

function baseName(where: string): string {
  return where.split(/[/\\]/).findLast((part) => part !== '') ?? where
}

function place({ line, column }: SourceProblem): string {
  if (line === null) return ''
  return column === null ? `:${line}` : `:${line}:${column}`
}

function Problem({
  source,
  problem,
}: {
  readonly source: SourceView
  readonly problem: SourceProblem
}): ReactNode {
  return (
    <li className={styles['problem']}>
      <Icon name="error" />
      <div className={styles['words']}>
        <p>
          <b className={styles['file']} title={problem.where}>
            {baseName(problem.where)}
            <span className={styles['place']}>{place(problem)}</span>
          </b>
          <span className={styles['message']}>{problem.message}</span>
        </p>
        <p className={styles['path']}>
          <code>{problem.where}</code>
          <CopyButton value={problem.where} label="Copy the path" />
          <span>
            source {source.source}, {source.pods} {source.pods === 1 ? 'pod' : 'pods'} from it now
          </span>
        </p>
      </div>
    </li>
  )
}

/** What is wrong with manifests, beside the pods that they would make. */
export function ManifestProblems(): ReactNode {
  const clusters = useAppState((state) => state.clusters)
  const problems = clusters.flatMap((cluster) =>
    cluster.nodes.flatMap((node) =>
      node.sources.flatMap((source) =>
        source.problems.map((problem) => ({
          key: `${cluster.id} ${node.name} ${problem.where} ${problem.message}`,
          source,
          problem,
        })),
      ),
    ),
  )
  if (problems.length === 0) return null
  return (
    <section className={styles['section']} aria-label="Manifest problems">
      <h2 className={styles['hidden']}>Manifest problems</h2>
      <div role="alert">
        <ul>
          {problems.map(({ key, source, problem }) => (
            <Problem key={key} source={source} problem={problem} />
          ))}
        </ul>
      </div>
    </section>
  )
}
