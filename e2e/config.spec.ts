import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'
import { PodsPage } from './pages/pods-page.ts'
import { podHandlingSigterm, podIgnoringSigterm } from './pods.ts'

// The pod of the manifest and one that the sandbox has from its start.
const configuration = `apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
staticPodPath: own
maxPods: 2
`

test.use({
  programArguments: async ({ folder }, use) => {
    const file = join(folder, 'kubelet.yaml')
    await mkdir(join(folder, 'own'))
    await writeFile(
      join(folder, 'own', 'configured.yaml'),
      JSON.stringify(podHandlingSigterm('configured')),
    )
    await writeFile(file, configuration)
    await use(['--config', file])
  },
})

test('--config: static pods come from its folder, and the node admits no more pods than it says', async ({
  program,
  kube,
}) => {
  const pods = new PodsPage(program.page)
  await pods.open()
  const configured = pods.row('default/configured-scope-node-1')
  await expect(configured).toContainText('Running')
  await expect(configured).toContainText('matched')
  // Past the scheduler, which would leave it Pending.
  await kube.createPod(podIgnoringSigterm('late', { nodeName: 'scope-node-1' }))
  await expect(pods.row('default/late')).toContainText('OutOfpods')
})
