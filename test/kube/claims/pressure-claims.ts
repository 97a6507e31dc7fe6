import { expect } from 'vitest'
import { ignoresSigterm } from '../../../src/main/session/scenarios/fake-pod-manifest.ts'
import { evictionGraceSeconds } from '../../../src/shared/model/forecast/forecast-effect.ts'
import { runtimeMinimumSeconds } from '../../../src/shared/model/forecast/forecast-grace.ts'
import { isJsonObject } from '../../../src/shared/json.ts'
import { makeBudget } from '../integration/conflicts.ts'
import type { Claim, Scene } from './scene.ts'

/** Its kubelet starts again once with a threshold that any machine is over. */
const pressedNode = 'pressed'

/** The STATUS column of `kubectl get pods`, which the API server prints. */
async function printedStatus({ run }: Scene, name: string): Promise<unknown> {
  const answer = await run.admin.transport.send({
    method: 'GET',
    path: `/api/v1/namespaces/${run.namespace}/pods/${name}`,
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  })
  const table = answer.kind === 'object' && isJsonObject(answer.body) ? answer.body : {}
  const [row] = Array.isArray(table['rows']) ? table['rows'] : []
  const cells = isJsonObject(row) && Array.isArray(row['cells']) ? row['cells'] : []
  return cells[2]
}

/** A pod after its eviction: the end, the condition, the printed status and the last call for its container. */
async function endOf(scene: Scene, name: string) {
  const { status } = scene.run.pod(name) ?? {}
  const target = status?.conditions?.find(({ type }) => type === 'DisruptionTarget')
  return {
    phase: status?.phase,
    reason: status?.reason,
    target: `${target?.status} ${target?.reason}`,
    printed: await printedStatus(scene, name),
    lastCall: scene.calls(name).at(-1),
  }
}

const evicted = {
  target: 'True TerminationByKubelet',
  lastCall: `StopContainer main, ${Math.max(evictionGraceSeconds, runtimeMinimumSeconds)} s`,
}

/**
 * The container of an evicted pod is removed as soon as it is seen dead. A kubelet that is slower to read how it ended
 * finds it no more (docs/kubelet/eviction.md).
 */
const lostEnd = 'ContainerStatusUnknown'
const errorOrLost: unknown = expect.stringMatching(`^(Error|${lostEnd})$`)

/** Of evictions by the kubelet. */
export const pressureClaims: readonly Claim[] = [
  {
    key: 'evicted-reads-completed',
    node: pressedNode,
    says: [
      'The kubelet sets phase Failed with reason Evicted, but the exit codes of the containers take precedence. If all containers exit 0 on SIGTERM, the pod ends Succeeded, without reason or message; only the event and the DisruptionTarget condition show the eviction. If a container had to be killed, the pod ends Failed with reason Evicted. The STATUS column of kubectl prefers a container’s reason to the pod’s, so it prints Error.',
    ],
    steps: async (scene) => {
      const { run } = scene
      const fixed = scene.staticName('fixed')
      await scene.put('fixed.yaml', { name: 'fixed' })
      const calm = ['calm-1', 'calm-2', 'calm-3']
      for (const name of calm) await scene.create({ name })
      await scene.create({ name: 'loud', script: ignoresSigterm })
      for (const name of [...calm, 'loud', fixed]) await run.untilRunning(name)
      await scene.press()
      for (const name of calm) await run.untilEnded(name)
      await run.untilEnded('loud', 'Failed')
      await run.untilEvents(['Evicted'])
      const ends = await Promise.all(calm.map((name) => endOf(scene, name)))
      return {
        calm: ends.find(({ printed }) => printed !== lostEnd),
        loud: await endOf(scene, 'loud'),
        staticExits: scene.exits(fixed).length,
      }
    },
    shows: {
      calm: { phase: 'Succeeded', reason: undefined, printed: 'Completed', ...evicted },
      loud: { phase: 'Failed', reason: 'Evicted', printed: errorOrLost, ...evicted },
      staticExits: 0,
    },
  },
  {
    key: 'budget-is-not-asked',
    node: pressedNode,
    says: [
      'Eviction by the kubelet, under node pressure, checks no budget: it kills the pod and writes its final status, and the object stays. A budget protects only against the first.',
      'The container ignores SIGTERM, so SIGKILL ends it after 2 s, the shortest grace period that the runtime allows. The pod ends Failed, reason Evicted',
    ],
    steps: async (scene) => {
      const { run } = scene
      await makeBudget(run)
      await scene.create({ name: 'api', labels: { app: 'web' }, script: ignoresSigterm })
      await run.untilRunning('api')
      const refusal = await run.evict('api').then(
        () => 'none',
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      )
      await scene.press()
      await run.untilEnded('api', 'Failed')
      return { refusal, end: await endOf(scene, 'api') }
    },
    shows: {
      refusal: "Cannot evict pod as it would violate the pod's disruption budget.",
      end: { phase: 'Failed', reason: 'Evicted', printed: errorOrLost, ...evicted },
    },
  },
]
