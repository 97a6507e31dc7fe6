import { setTimeout as sleep } from 'node:timers/promises'
import { gotchaPod } from './shipped-gotchas.ts'
import type { Claim } from './scene.ts'

/** Two syncs of a pod. */
const twoSyncsMs = 100_000

/**
 * Of the files and variables of containers. The half of `sub-path-keeps-the-old-file` that is about the subPath is not seen
 * here: a subPath is a bind mount, and the runtime does not share the mount namespace of this kubelet.
 */
export const containerFileClaims: readonly Claim[] = [
  {
    key: 'sub-path-keeps-the-old-file',
    says: [
      'At each sync of the pod, 60 to 90 s apart, the kubelet writes the files of a changed ConfigMap into a new folder and replaces a link. A folder mount sees that.',
    ],
    steps: async (scene) => {
      await scene.createConfigMap('settings', { color: 'blue' })
      await scene.create(gotchaPod('sub-path-keeps-the-old-file', 'web'))
      const isPrinted = (line: string): boolean => line.startsWith('volume=')
      const [first] = (await scene.waitForLine('web', 'a line', isPrinted)).split(' ')
      await scene.replaceConfigMap('settings', { color: 'green' })
      const isNew = (line: string): boolean => line.startsWith('volume=green')
      await scene.waitForLine('web', 'the new color', isNew)
      return { first, starts: scene.starts('web').length, ends: scene.exits('web').length }
    },
    shows: { first: 'volume=blue', starts: 1, ends: 0 },
  },
  {
    key: 'variable-keeps-the-old-value',
    says: [
      'Variables belong to a container from its creation and never change in it. The kubelet does not restart a container because a ConfigMap has changed. The next container of the pod, for whatever reason it starts, gets the new value.',
      'With another image (kubectl set image pod/web main=busybox:1.37) it restarts and says color=green.',
    ],
    steps: async (scene) => {
      await scene.createConfigMap('settings', { color: 'blue' })
      await scene.create(gotchaPod('variable-keeps-the-old-value', 'web'))
      await scene.waitForLine('web', 'a line', (line) => line !== '')
      await scene.replaceConfigMap('settings', { color: 'green' })
      await sleep(twoSyncsMs)
      const before = [await scene.lastLine('web'), scene.starts('web').length]
      await scene.setImage('web', 'busybox:1.37')
      const after = await scene.waitForLine('web', 'another', (line) => line.endsWith('green'))
      return { before, after }
    },
    shows: { before: ['color=blue', 1], after: 'color=green' },
  },
  {
    key: 'empty-dir-ends-with-the-pod',
    says: [
      'it lives as long as the pod is on the node, however often its containers restart. What a container writes outside of volumes is gone with that container. Another pod, even of the same name, has another UID and another folder.',
      'The last line of the log of counter says cache=1 own=1',
    ],
    steps: async (scene) => {
      await scene.create(gotchaPod('empty-dir-ends-with-the-pod', 'counter'))
      const line = async (what: string) =>
        await scene.waitForLine('counter', what, (found) => found.startsWith(what))
      const third = await line('cache=3')
      await scene.run.delete('counter')
      await scene.run.untilGone('counter')
      await scene.create(gotchaPod('empty-dir-ends-with-the-pod', 'counter'))
      return [third, await line('cache=1')]
    },
    shows: ['cache=3 own=1', 'cache=1 own=1'],
  },
]
