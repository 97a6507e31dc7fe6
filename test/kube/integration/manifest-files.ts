import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pod, RestartPolicy } from '../../../src/shared/kubernetes/objects.ts'
import { exitsAfter, handlesSigterm, specOf } from './containers.ts'
import { isReady, mainNode, type Scenario } from './scenario-run.ts'
import { manifestOf, remove, startedAt, untilAnotherRuns } from './static.ts'

const started = ['Created', 'Pulled', 'Started'] as const
const startedAndKilled = ['Created', 'Killing', 'Pulled', 'Started'] as const
/** Longer than the time between two lists of a folder. */
const listedMs = 2500

function restartCount({ status }: Pod): number {
  return status?.containerStatuses?.[0]?.restartCount ?? 0
}

function exits(restartPolicy: RestartPolicy, exitCode: 0 | 1): Scenario {
  const isRestarted = restartPolicy !== 'Never' && (restartPolicy === 'Always' || exitCode === 1)
  const name = `web-${mainNode}`
  return {
    title: `a static pod whose container exits ${exitCode} under ${restartPolicy}`,
    key: `static-exits-${exitCode}-${restartPolicy.toLowerCase()}`,
    phases: { [name]: ['Pending', 'Running', ...(isRestarted ? [] : ['Succeeded']), 'gone'] },
    events: started,
    ...(isRestarted ? { cutAt: 'running since then ready started restarts 1' } : {}),
    steps: async (run) => {
      const spec = specOf(exitsAfter(exitCode), { restartPolicy })
      await run.mainKubelet.putManifest(manifestOf(run, 'web', spec))
      if (isRestarted)
        await run.until(name, 'was restarted', (pod) => restartCount(pod) > 0 && isReady(pod))
      else await run.untilEnded(name, 'Succeeded')
      await remove(run, 'web')
      return {}
    },
  }
}

/** What files in the manifest folder do, and what static pods do that end. */
export const manifestFiles: readonly Scenario[] = [
  exits('Always', 0),
  exits('OnFailure', 1),
  exits('Never', 0),
  {
    title: 'a static pod that fails again and again is in CrashLoopBackOff',
    key: 'static-crash-loop',
    phases: { 'web-main': ['Pending', 'Running', 'gone'] },
    events: started,
    cutAt: 'waiting CrashLoopBackOff',
    steps: async (run) => {
      const spec = specOf(exitsAfter(1, { seconds: 8 }))
      await run.mainKubelet.putManifest(manifestOf(run, 'web', spec))
      const waitsFor = ({ status }: Pod): string =>
        status?.containerStatuses?.[0]?.state?.waiting?.reason ?? ''
      const backsOff = (pod: Pod): boolean => waitsFor(pod) === 'CrashLoopBackOff'
      await run.until(`web-${mainNode}`, 'backs off', backsOff)
      await remove(run, 'web')
      return {}
    },
  },
  {
    title: 'two files define the same static pod, and the second one is removed',
    key: 'static-twice',
    phases: {
      'web-main': [
        'Pending',
        'Running',
        'gone',
        'Pending',
        'Running',
        'gone',
        'Pending',
        'Running',
        'gone',
      ],
    },
    events: startedAndKilled,
    steps: async (run) => {
      const name = `web-${mainNode}`
      await run.mainKubelet.putManifest(manifestOf(run, 'web', specOf(handlesSigterm())))
      const first = await run.untilRunning(name)
      // Behind the other file, so that its pod stays with the next list.
      await run.mainKubelet.putManifest(manifestOf(run, 'web', specOf(handlesSigterm('d'))), 'x')
      const second = await untilAnotherRuns(run, name, first)
      await sleep(listedMs)
      await run.mainKubelet.removeManifest({ name: 'x', namespace: run.namespace })
      const third = await untilAnotherRuns(run, name, second)
      const containers = [first, second, third].map(({ spec }) => spec.containers[0]?.name)
      await sleep(listedMs)
      await remove(run, 'web')
      return { containers }
    },
  },
  {
    title: 'a manifest becomes invalid YAML, and is mended',
    key: 'static-bad-file',
    phases: { 'web-main': ['Pending', 'Running', 'gone', 'Pending', 'Running', 'gone'] },
    events: startedAndKilled,
    steps: async (run) => {
      const name = `web-${mainNode}`
      const { manifestsPath } = run.mainKubelet
      const manifest = manifestOf(run, 'web', specOf(handlesSigterm()))
      await run.mainKubelet.putManifest(manifest)
      const first = await run.untilRunning(name)
      const draft = join(manifestsPath, '..', 'bad.draft')
      await writeFile(draft, 'apiVersion: v1\nkind: Pod\nmetadata: {name: [\n')
      await rename(draft, join(manifestsPath, `${run.namespace}.web.yaml`))
      await run.untilGone(name)
      // The pod has the same UID again: its old container is removed by then, or the new one counts on.
      await sleep(6000)
      await run.mainKubelet.putManifest(manifest)
      const second = await run.untilRunning(name)
      await remove(run, 'web')
      return { isRestarted: startedAt(first) !== startedAt(second) }
    },
  },
  {
    title: 'a folder and a dangling link among the manifests, and the link finds its file later',
    key: 'static-unreadable',
    phases: {
      'linked-main': ['Pending', 'Running', 'gone'],
      'web-main': ['Pending', 'Running', 'gone'],
    },
    events: startedAndKilled,
    steps: async (run) => {
      const { manifestsPath } = run.mainKubelet
      const inFolder = (name: string): string => join(manifestsPath, `${run.namespace}.${name}`)
      const target = join(manifestsPath, '..', `${run.namespace}.target.yaml`)
      await mkdir(inFolder('folder.yaml'))
      await symlink(target, inFolder('link.yaml'))
      await run.mainKubelet.putManifest(manifestOf(run, 'web', specOf(handlesSigterm())))
      await run.untilRunning(`web-${mainNode}`)
      const linked = manifestOf(run, 'linked', specOf(handlesSigterm()))
      await writeFile(target, JSON.stringify({ apiVersion: 'v1', kind: 'Pod', ...linked }))
      await run.untilRunning(`linked-${mainNode}`)
      await rm(inFolder('link.yaml'))
      await run.untilGone(`linked-${mainNode}`)
      await rm(inFolder('folder.yaml'), { recursive: true })
      await remove(run, 'web')
      return {}
    },
  },
  {
    title: 'a mirror that another client annotates',
    key: 'static-annotated',
    phases: { 'web-main': ['Pending', 'Running', 'gone'] },
    events: startedAndKilled,
    steps: async (run) => {
      const name = `web-${mainNode}`
      await run.mainKubelet.putManifest(manifestOf(run, 'web', specOf(handlesSigterm())))
      await run.untilRunning(name)
      const annotate = (annotations: unknown): Promise<void> =>
        run.patch(name, { metadata: { annotations } })
      await annotate({ note: 'mine', 'kubernetes.io/config.source': 'api' })
      const refusal = await annotate({ 'kubernetes.io/config.mirror': null }).then(
        () => 'none',
        (error: unknown) => (error instanceof Error ? error.message : ''),
      )
      await sleep(listedMs)
      const annotations = run.pod(name)?.metadata.annotations ?? {}
      await remove(run, 'web')
      return { refusal, names: Object.keys(annotations).toSorted(), note: annotations['note'] }
    },
  },
]
