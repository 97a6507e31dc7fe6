import type { ReactNode } from 'react'
import type { SourceProblem, SourceView } from '../../../shared/model/cluster-view.ts'
import { useAppState } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
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
        <span className={styles['message']}>{problem.message}</span>
      </p>
      <Button
        isSmall
        title="Where it is explained, with what happens to the running pod"
        onClick={() => showManifest(name)}
      >
        Open in Manifests
      </Button>
    </li>
  )
}

/** What is wrong with manifests, beside the pods that they would make: where it stands, and the way there. */
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
