import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { PodsPage } from './pages/pods-page.ts'
import { podIgnoringSigterm } from './pods.ts'

const container = {
  name: 'c',
  image: 'busybox:1.36',
  command: ['sleep', '3600'],
  lifecycle: { stopSignal: 'SIGUSR1' },
}

test('a pod with fields that are not simulated has a badge, a list and an event in its history', async ({
  program,
  kube,
}) => {
  const pods = new PodsPage(program.page)
  await pods.open()
  await kube.createPod(
    podIgnoringSigterm('probed', {
      os: { name: 'linux' },
      containers: [container],
      volumes: [{ name: 'conf', emptyDir: { medium: 'Memory' } }],
    }),
  )
  await expect(pods.row('default/probed')).toContainText('2 fields not simulated')
  await expect(pods.row('default/loud')).not.toContainText('not simulated')
  const drawer = await pods.choose('default/probed')
  const list = drawer.getByRole('region', { name: 'Not simulated' })
  await expect(list.getByRole('listitem')).toHaveText([
    'spec.containers[0].lifecycle.stopSignalignored; the container is stopped with SIGTERM',
    'spec.volumes[0].emptyDir.mediumignored; the volume is an ordinary folder of the node',
  ])
  await expectAccessible(program.page, 'the list of what is not simulated')
  await pods.showTab(drawer, 'History')
  await expect(drawer.getByText('pod.notSimulated', { exact: true })).toHaveCount(1)
})
