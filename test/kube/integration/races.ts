import { setTimeout as sleep } from 'node:timers/promises'
import { exitsAfter, handlesSigterm, ignoresSigterm, specOf } from './containers.ts'
import { mainNode, type Scenario, type ScenarioRun } from './scenario-run.ts'
import { manifestOf, remove, untilAnotherRuns } from './static.ts'

/** A scenario whose outcome depends on what comes first. Its phases and events are not known before. */
type Race = Pick<Scenario, 'title' | 'key' | 'steps' | 'explanation'>

/** Another moment in each repetition, so that all of them together cover `ms`. */
function pause(run: ScenarioRun, ms: number): Promise<void> {
  return sleep((run.repetition % 10) * (ms / 10))
}

async function clearManifest(run: ScenarioRun): Promise<void> {
  await run.untilRunning(`web-${mainNode}`)
  await remove(run, 'web')
}

const all: readonly Race[] = [
  {
    title: 'a pod is deleted within a second of its creation',
    key: 'race-deleted-early',
    steps: async (run) => {
      await run.create('web', specOf(handlesSigterm()))
      await pause(run, 1000)
      await run.delete('web')
      await run.untilGone('web')
      return {}
    },
  },
  {
    title: 'a pod is deleted by force within a second of its creation, and created again',
    key: 'race-forced-early',
    steps: async (run) => {
      await run.create('web', specOf(handlesSigterm()))
      await pause(run, 1000)
      await run.delete('web', 0)
      await run.untilGone('web')
      await run.create('web', specOf(handlesSigterm()))
      await run.untilRunning('web')
      await run.delete('web')
      await run.untilGone('web')
      return {}
    },
  },
  {
    title: 'a deletion is forced within two seconds of a graceful one',
    key: 'race-forced-later',
    explanation:
      'A pod’s start gives two PLEG events, of its sandbox and of its container. A kubelet’s loop usually hands both to the worker before the worker runs; the program syncs the pod once for each, and the second sync waits for the next relist. In the first two seconds of a pod it therefore begins to stop the pod up to a second later ([differences.md](differences.md)).',
    steps: async (run) => {
      await run.create('web', specOf(ignoresSigterm(), { terminationGracePeriodSeconds: 10 }))
      await run.untilRunning('web')
      await run.delete('web')
      await pause(run, 2000)
      await run.delete('web', 0)
      await run.untilGone('web')
      return {}
    },
  },
  {
    title: 'a pod is deleted about when its container exits',
    key: 'race-exit-and-deletion',
    steps: async (run) => {
      const container = exitsAfter(3, { seconds: 6 })
      await run.create('web', specOf(container, { restartPolicy: 'Never' }))
      await run.untilRunning('web')
      await sleep(3500)
      await pause(run, 3000)
      await run.delete('web')
      await run.untilGone('web')
      return {}
    },
  },
  {
    title: 'a container exits about when its image is changed',
    key: 'race-exit-and-image',
    steps: async (run) => {
      await run.create('web', specOf(exitsAfter(0, { seconds: 6 })))
      await run.untilRunning('web')
      await sleep(3500)
      await pause(run, 3000)
      await run.patch('web', { spec: { containers: [{ name: 'c', image: 'busybox:1.35' }] } })
      const isRestarted = await run.until(
        'web',
        'was restarted',
        ({ status }) =>
          (status?.containerStatuses?.[0]?.restartCount ?? 0) > 0 &&
          status?.containerStatuses?.[0]?.state?.running !== undefined,
      )
      await run.delete('web', 0)
      await run.untilGone('web')
      return { restarts: isRestarted.status?.containerStatuses?.[0]?.restartCount }
    },
  },
  {
    title: 'a pod is evicted and deleted at the same time',
    key: 'race-evicted-and-deleted',
    steps: async (run) => {
      await run.create('web', specOf(handlesSigterm()))
      await run.untilRunning('web')
      await Promise.allSettled([run.evict('web'), run.delete('web')])
      await run.untilGone('web')
      return {}
    },
  },
  {
    title: 'a mirror is deleted gracefully',
    key: 'race-mirror-deleted',
    steps: async (run) => {
      await run.mainKubelet.putManifest(manifestOf(run, 'web', specOf(handlesSigterm())))
      const first = await run.untilRunning(`web-${mainNode}`)
      await run.delete(`web-${mainNode}`)
      await untilAnotherRuns(run, `web-${mainNode}`, first)
      await remove(run, 'web')
      return {}
    },
  },
  {
    title: 'a manifest is edited twice within three seconds',
    key: 'race-edited-twice',
    steps: async (run) => {
      const edited = (name: string) => manifestOf(run, 'web', specOf(handlesSigterm(name)))
      await run.mainKubelet.putManifest(edited('a'))
      const first = await run.untilRunning(`web-${mainNode}`)
      await run.mainKubelet.putManifest(edited('b'))
      await pause(run, 3000)
      await run.mainKubelet.putManifest(edited('d'))
      await run.until(
        `web-${mainNode}`,
        'has the last version',
        ({ metadata, spec, status }) =>
          metadata.uid !== first.metadata.uid &&
          spec.containers[0]?.name === 'd' &&
          status?.phase === 'Running',
      )
      await clearManifest(run)
      return {}
    },
  },
  {
    title: 'a manifest is removed and put back within three seconds',
    key: 'race-put-back',
    steps: async (run) => {
      const manifest = manifestOf(run, 'web', specOf(handlesSigterm()))
      await run.mainKubelet.putManifest(manifest)
      await run.untilRunning(`web-${mainNode}`)
      await run.mainKubelet.removeManifest(manifest.metadata)
      await pause(run, 3000)
      await run.mainKubelet.putManifest(manifest)
      // Long enough for the end of the first one to be noticed.
      await sleep(5000)
      await clearManifest(run)
      return {}
    },
  },
]

/** What `npm run compare -- --repeat N` runs where it is given no names. */
export const races: readonly Scenario[] = all.map((race) => ({ ...race, phases: {}, events: [] }))
