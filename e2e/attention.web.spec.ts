import { expect, test } from './fixtures.ts'
import { PodsPage } from './pages/pods-page.ts'
import { podHandlingSigterm } from './pods.ts'

test('a pod held by a finalizer needs attention, and the table shows the reason', async ({
  program,
  kube,
}) => {
  const { page } = program
  const pods = new PodsPage(page)
  await pods.open()
  await kube.createPod(podHandlingSigterm('held'))
  await expect(pods.row('default/held')).toContainText('Running')
  // Added after the kubelet has read the pod: only the API server's object has it.
  const patched = await kube.client.request(
    'PATCH',
    '/api/v1/namespaces/default/pods/held',
    { metadata: { finalizers: ['example.com/hold'] } },
    'application/merge-patch+json',
  )
  expect(patched.status).toBe(200)
  await kube.deletePod('default', 'held')
  await page.getByRole('radio', { name: /^Needs attention/ }).check({ force: true })
  await expect(pods.row('default/held')).toContainText(
    'Finalizer example.com/hold holds the API object.',
  )
  await expect(pods.row('default/hello')).toHaveCount(0)
})
