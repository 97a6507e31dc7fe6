import { nodeA } from '../gotcha.ts'
import type { GotchaScript } from '../gotcha.ts'
import { podManifest } from '../pod-manifest.ts'

const web = { name: 'web', labels: { app: 'web' } }
const name = `web-${nodeA}`

/** What people take mirror pods for. */
export const mirrorPods: readonly GotchaScript[] = [
  {
    id: 'mirror-comes-back',
    title: 'The static pod that cannot be deleted',
    confusion:
      'kubectl delete reports the pod as deleted, but it is listed again at once with a new AGE. It looks as if it had restarted.',
    truth:
      'kubectl shows a mirror pod, a copy that the kubelet keeps in the API. Only this copy was deleted. The kubelet removes it and creates another; the containers never stop. To remove the pod, remove its manifest.',
    sections: ['mirror-pods#reconciliation', 'mirror-pods#scenarios'],
    lookAt:
      'The mirror has a new UID and is Pending, while its container has been running all the time: it started before the mirror was created.',
    next: 'Within 10 s the status manager writes the status to the new mirror, which then shows Running. No container is started for it.',
    run: async (sandbox) => {
      await sandbox.addManifest(web)
      const before = await sandbox.untilRunning(name)
      await sandbox.advance(60_000)
      await sandbox.step(`kubectl delete pod ${name}`, () => sandbox.delete(name))
      await sandbox.until('there is another mirror', () => {
        const { mirror, mirrorUid } = sandbox.row(name)
        return mirror === 'matched' && mirrorUid !== before.mirrorUid
      })
      return sandbox.row(name)
    },
  },
  {
    id: 'mirror-gone-for-a-minute',
    title: 'The static pod disappears for a minute',
    confusion:
      'After kubectl delete --force --grace-period=0 the static pod is really gone: kubectl get pods does not list it, and nothing recreates it.',
    truth:
      'The API server removed the mirror at once, so the kubelet’s own DELETE finds nothing, and it creates nothing. The next sync of the pod notices that the mirror is missing and creates one: after 60 to 90 s, unless something else triggers a sync earlier. The containers keep running.',
    sections: ['mirror-pods#reconciliation', 'mirror-pods#scenarios'],
    lookAt: 'The container runs, and the API has no object for it.',
    next: 'The worker syncs the pod every 60 to 90 s. The next sync creates the mirror.',
    run: async (sandbox) => {
      await sandbox.addManifest(web)
      await sandbox.untilRunning(name)
      await sandbox.step(`kubectl delete pod ${name} --force --grace-period=0`, () =>
        sandbox.delete(name, 0),
      )
      await sandbox.step('Ten seconds pass.', () => sandbox.advance(10_000))
      return sandbox.row(name)
    },
  },
  {
    id: 'mirror-says-running',
    title: 'The API says Running, but nothing runs',
    confusion:
      'The manifest was edited and the old container has exited. kubectl still shows Running and 1/1 ready, and there is no new container.',
    truth:
      'The edited manifest is a different pod with a different UID, which waits for the old one. The mirror still belongs to the old pod. Its status is no longer written because its UID no longer maps to a mirror, and the new pod has no status before it starts. So the mirror keeps the last written status until the first sync of the new pod replaces it.',
    sections: ['pod-manager#asymmetries', 'mirror-pods#scenarios', 'status#sending-a-status'],
    lookAt:
      'The old pod’s container has exited, the new pod waits, and the mirror says Running and ready.',
    next: 'The new pod’s worker retries 10 to 15 s after its last attempt. Its first sync deletes the outdated mirror and creates one with the new hash.',
    run: async (sandbox) => {
      await sandbox.addManifest(web)
      const old = await sandbox.untilRunning(name)
      await sandbox.editManifest({ name: 'web', labels: { app: 'shop' } }, ': its label changes.')
      await sandbox.until('the old pod has ended and the new one waits', () => {
        const rows = sandbox.rows(name)
        return rows.every((row) => row.worker === (row.uid === old.uid ? 'finished' : 'waiting'))
      })
      return sandbox.rows(name).find((row) => row.uid !== old.uid) ?? null
    },
  },
  {
    id: 'mirror-shows-old-spec',
    title: 'The API shows a spec that does not run',
    confusion:
      'The image in the manifest was changed and the new one runs. kubectl get pod -o yaml still shows the old image in the spec.',
    truth:
      'The manifest sets metadata.uid, so the edit does not make a new pod: the kubelet updates the existing pod and restarts the container because its image changed. A mirror is current if its hash annotation matches the pod’s hash, and for a fixed UID the hash does not change. So the mirror keeps its spec; only its status is updated.',
    sections: ['identity#a-uid-in-the-manifest', 'mirror-pods#scenarios', 'containers#pod-actions'],
    lookAt:
      'The container runs the new image, and the mirror’s status says so. The mirror’s spec names the old image.',
    next: 'This does not correct itself. Delete the mirror, and the kubelet recreates it with the current spec.',
    run: async (sandbox) => {
      const uid = '7e5ab1e0-0000-4000-8000-000000000001'
      await sandbox.step(
        'web.yaml, which sets metadata.uid, is added to the manifest folder.',
        () => sandbox.putManifest('web.yaml', podManifest({ name: 'web', uid })),
      )
      await sandbox.untilRunning(name)
      await sandbox.editManifest(
        { name: 'web', uid, image: 'busybox:1.37' },
        ': image busybox:1.37.',
      )
      await sandbox.until('the mirror’s status names the new image', async () => {
        const [status] = (await sandbox.pod(name))?.status?.containerStatuses ?? []
        return status?.image.includes('1.37') === true && status.ready
      })
      return sandbox.row(name)
    },
  },
  {
    id: 'no-namespace-no-mirror',
    title: 'A pod that runs but is not in the API',
    confusion:
      'The manifest is in the folder and the process runs, but kubectl get pods --all-namespaces does not list the pod.',
    truth:
      'A static pod needs no API server to run. Its mirror is an ordinary object that the API server can refuse: here its namespace does not exist; a quota, a webhook or PodSecurity can do the same. The kubelet retries at every sync and reports it only in its log.',
    sections: ['mirror-pods#creation', 'api-server#node-restriction'],
    lookAt: 'The container runs. The API server refuses the mirror at each sync of the pod.',
    next: 'Run kubectl create namespace monitoring. The next sync, at most 90 s later, creates the mirror.',
    run: async (sandbox) => {
      const pod = { name: 'agent', namespace: 'monitoring' }
      await sandbox.addManifest(pod, '; its namespace monitoring does not exist.')
      const agent = `agent-${nodeA}`
      await sandbox.until('it runs', () =>
        sandbox.has(agent, { readyContainers: 1, mirror: 'missing' }),
      )
      await sandbox.step('Two minutes pass.', () => sandbox.advance(120_000))
      return sandbox.row(agent)
    },
  },
  {
    id: 'mirror-without-a-pod',
    title: 'The mirror outlives its pod',
    confusion:
      'The manifest was removed and the containers have stopped, but kubectl still shows the pod as Running.',
    truth:
      'The kubelet stops a static pod without the API server. To delete the mirror it needs the API server, which it cannot reach, so the API shows the last written status. Housekeeping notices a mirror without a static pod and deletes it as soon as the API server responds again.',
    sections: ['pod-manager#queries', 'mirror-pods#orphaned-mirrors'],
    lookAt:
      'The pod has terminated and its record is gone. Its mirror in the API says Running and ready.',
    next: 'Reconnect the node. Housekeeping, which runs every 2 s, deletes the mirror.',
    run: async (sandbox) => {
      await sandbox.addManifest(web)
      const before = await sandbox.untilRunning(name)
      await sandbox.step('The node is disconnected from the API server.', () => sandbox.cutOff())
      await sandbox.step('web.yaml is removed.', () => sandbox.removeManifest('web.yaml'))
      await sandbox.until('the pod is forgotten', () =>
        sandbox.rows(name).every(({ uid }) => uid !== before.uid),
      )
      return sandbox.rows(name)[0] ?? null
    },
  },
  {
    id: 'mirror-of-a-finished-pod',
    title: 'The mirror that is not recreated',
    confusion:
      'The kubelet recreates deleted mirrors. This mirror was deleted and is not recreated, although its manifest still exists.',
    truth:
      'The kubelet creates a mirror when it syncs a pod. This pod has restartPolicy Never and has finished, so its worker has ended and no sync follows. After a restart the kubelet finds the pod finished and does not sync it either: it reconciles mirrors once at its start, but normally before it has read the manifests. Only a changed manifest makes another pod with another mirror.',
    sections: ['mirror-pods#reconciliation', 'mirror-pods#scenarios', 'pod-workers#updatepod'],
    lookAt:
      'The pod has succeeded and its worker has finished. Its manifest exists; its mirror does not.',
    next: 'However long the clock runs, and even after a restart of the kubelet, the mirror stays missing. Change the manifest, for example a label: another pod runs, and it gets a mirror.',
    run: async (sandbox) => {
      const text = podManifest({ name: 'setup', restartPolicy: 'Never', script: 'sleep 2' })
      const setup = `setup-${nodeA}`
      await sandbox.step(
        'setup.yaml, with restartPolicy Never, is added to the manifest folder.',
        () => sandbox.putManifest('setup.yaml', text),
      )
      await sandbox.until('it has succeeded', () =>
        sandbox.has(setup, { worker: 'finished', status: 'Completed', mirror: 'matched' }),
      )
      await sandbox.step(`kubectl delete pod ${setup}`, () => sandbox.delete(setup))
      await sandbox.step('Two minutes pass.', () => sandbox.advance(120_000))
      return sandbox.row(setup)
    },
  },
]
