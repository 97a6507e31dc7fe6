import { repositoryAssets } from '../../../src/main/session/scenarios/fake-operator.ts'
import type { PodManifest } from '../../../src/main/session/scenarios/fake-pod-manifest.ts'
import type { Scenario } from '../../../src/main/session/scenarios/scenario.ts'
import { readShippedScenarios } from '../../../src/main/session/scenarios/shipped-scenarios.ts'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { defined } from '../../../src/shared/json.ts'

const shipped = await readShippedScenarios(repositoryAssets)

/** The scenarios of the gotchas, by their names. */
export const gotchas: ReadonlyMap<string, Scenario['spec']> = new Map(
  shipped.flatMap(({ scenario: { metadata, spec } }) =>
    spec.gotcha === undefined ? [] : [[metadata.name, spec] as const],
  ),
)

/** The ordinary pod that the scenario of a gotcha creates. */
export function gotchaPod(gotcha: string, name: string): PodManifest {
  const created = (gotchas.get(gotcha)?.steps ?? []).flatMap(({ create }) => create ?? [])
  // The API server has checked them in the tests of the scenarios.
  const pods = created.filter(
    (object) => Object(object).kind === 'Pod',
  ) as unknown as readonly Pod[]
  const pod = pods.find(({ metadata }) => metadata.name === name)
  const [container] = pod?.spec.containers ?? []
  if (pod === undefined || container === undefined) throw new Error(`${gotcha} creates no ${name}`)
  const { name: _name, image, command, ...containerFields } = container
  const { terminationGracePeriodSeconds, restartPolicy, volumes } = pod.spec
  return {
    name,
    ...defined({
      graceSeconds: terminationGracePeriodSeconds ?? undefined,
      annotations: pod.metadata.annotations,
      restartPolicy,
      volumes,
      image,
      script: command?.[2],
      containerFields,
    }),
  }
}
