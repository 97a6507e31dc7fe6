import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Test functions of Kubernetes, and where their cases are here. */
interface UpstreamTests {
  /** Below k8s.io/kubernetes. */
  readonly file: string
  /** In test/kubelet/eviction. */
  readonly ours: string
  /** By their names, why no case here has them. */
  readonly notApplicable: Readonly<Record<string, string>>
}

const folder = 'pkg/kubelet/eviction'

/** What of upstream's tests of the eviction manager is here under the same name. */
export const evictionTests: readonly UpstreamTests[] = [
  {
    file: `${folder}/eviction_manager_test.go`,
    ours: 'upstream-manager.test.ts',
    notApplicable: {},
  },
  {
    file: `${folder}/helpers_test.go`,
    ours: 'upstream-helpers.test.ts',
    notApplicable: {
      TestHasNodeConditions:
        'asks whether a list of conditions has one of them, which is the language here (Array.includes)',
    },
  },
  {
    file: `${folder}/memory_threshold_notifier_test.go`,
    ours: 'upstream-notifier.test.ts',
    notApplicable: {},
  },
]

/** The names of Go's test functions. */
export function testsIn(kubernetes: string, { file }: UpstreamTests): readonly string[] {
  const source = readFileSync(join(kubernetes, file), 'utf8')
  return [...source.matchAll(/^func (Test\w+)\(/gm)].map(([, name = '']) => name)
}

/** The names that describe cases here. */
export function casesHere({ ours }: UpstreamTests): readonly string[] {
  const file = resolve(import.meta.dirname, '..', 'kubelet', 'eviction', ours)
  const source = readFileSync(file, 'utf8')
  return [...source.matchAll(/^describe\('(Test\w+)'/gm)].map(([, name = '']) => name)
}
