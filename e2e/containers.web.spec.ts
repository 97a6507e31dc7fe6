import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pod } from '../src/shared/kubernetes/objects.ts'
import { Containerd, whyNoContainers } from '../test/kube/containerd/containerd.ts'
import { findParts, startControlPlane } from '../test/kube/control-plane.ts'
import { administratorOf, type Administrator } from '../test/kube/integration/administrator.ts'
import { expect, test } from './fixtures.ts'
import { evictByKubelet, kill, PodsPage } from './pages/pods-page.ts'
import { podHandlingSigterm } from './pods.ts'
import type { Program } from './program/program.ts'
import { endOf } from './program/spawn-host.ts'
import { startWebProgram } from './program/web-program.ts'

// Real containers on the page: the program with `--runtime` on a containerd of its own, as a node of a kube-apiserver.

const node = 'scope-real'
const pods = '/api/v1/namespaces/default/pods'

async function whyNot(): Promise<string | undefined> {
  const found = await findParts(['etcd', 'kube-apiserver'], process.env)
  if ('missing' in found)
    return `${found.missing.join(' and ')} not found; ${found.how} brings them`
  return whyNoContainers()
}

async function podOf(admin: Administrator, name: string): Promise<Pod | undefined> {
  const answer = await admin.api.get({ resource: 'pods', namespace: 'default', name })
  return answer.ok ? answer.value : undefined
}

async function firstContainer(admin: Administrator, name: string) {
  return (await podOf(admin, name))?.status?.containerStatuses?.[0]
}

/** A pod of the API that says when it gets SIGTERM, and then exits with 3. */
function politePod(name: string): object {
  const script = "echo started; trap 'echo stopping; exit 3' TERM; while true; do sleep 1; done"
  const container = { name: 'c', image: 'busybox:1.36', command: ['sh', '-c', script] }
  const spec = { nodeName: node, automountServiceAccountToken: false, containers: [container] }
  return { metadata: { name }, spec }
}

/** What the first container of a pod printed. */
async function logOf(podLogs: string, uid: string): Promise<readonly string[]> {
  const name = (await readdir(podLogs)).find((one) => one.endsWith(`_${uid}`)) ?? ''
  const text = await readFile(join(podLogs, name, 'c', '0.log'), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^\S+ stdout F /, ''))
}

test('runs, kills and evicts real containers, and finds them again after a restart', async ({
  folder,
  launchedBrowser,
}) => {
  const impossible = await whyNot()
  test.skip(impossible !== undefined, impossible)
  const manifests = join(folder, 'manifests')
  await mkdir(manifests)
  const containerd = await Containerd.start([{ name: 'docker.io/library/busybox:1.36' }])
  const plane = await startControlPlane({ environment: process.env, nodes: [node] })
  const admin = await administratorOf(plane.adminKubeconfig)
  const browser = await launchedBrowser()
  const start = (): Promise<Program> =>
    startWebProgram(browser, join(folder, 'data'), [
      '--kubeconfig',
      plane.nodeKubeconfigs.get(node) ?? '',
      '--node',
      node,
      '--runtime',
      `unix://${containerd.socketPath}`,
      '--manifests',
      manifests,
    ])
  let program = await start()
  try {
    expect(program.process.stdout).toMatch(/^container runtime containerd 1\.\d+/m)
    let page = new PodsPage(program.page)
    await page.open()
    const names = ['killed', 'evicted', 'stays']
    for (const name of names) await admin.ask('POST', pods, politePod(name))
    for (const name of names) await expect(page.row(`default/${name}`)).toContainText('Running')
    await writeFile(join(manifests, 'web.yaml'), JSON.stringify(podHandlingSigterm('web')))
    await expect(page.row(`default/web-${node}`)).toContainText('Running')
    expect(await containerd.ctr('tasks', 'list')).toMatch(/RUNNING/)

    const killing = await page.ask('default/killed', kill)
    await killing.getByRole('textbox', { name: 'Grace in seconds' }).fill('20')
    await killing.getByRole('button', { name: 'Kill, 20 s grace' }).click()
    await expect(page.row('default/killed')).toContainText('finished')
    await expect
      .poll(async () => (await firstContainer(admin, 'killed'))?.state?.terminated)
      .toMatchObject({ exitCode: 3, reason: 'Error' })
    const uid = (await podOf(admin, 'killed'))?.metadata.uid ?? ''
    expect(await logOf(join(folder, 'data', 'pod-logs'), uid)).toEqual(['started', 'stopping'])

    const evicting = await page.ask('default/evicted', evictByKubelet)
    await evicting.getByRole('button', { name: 'Evict by the kubelet' }).click()
    await expect(page.row('default/evicted')).toContainText('finished')
    await expect
      .poll(async () => (await podOf(admin, 'evicted'))?.status)
      .toMatchObject({ phase: 'Failed', reason: 'Evicted' })

    const before = [
      await firstContainer(admin, 'stays'),
      await firstContainer(admin, `web-${node}`),
    ]
    expect(before.map((one) => one?.containerID)).toEqual([
      expect.stringMatching(/^containerd:\/\/[0-9a-f]{64}$/),
      expect.stringMatching(/^containerd:\/\/[0-9a-f]{64}$/),
    ])
    await program.stop()
    expect((await endOf(program.process)).code).toBe(0)
    program = await start()
    page = new PodsPage(program.page)
    await page.open()
    await admin.ask('POST', pods, politePod('late'))
    for (const name of ['stays', 'late', `web-${node}`])
      await expect(page.row(`default/${name}`)).toContainText('Running')
    const after = [await firstContainer(admin, 'stays'), await firstContainer(admin, `web-${node}`)]
    expect(after.map((one) => [one?.containerID, one?.restartCount])).toEqual(
      before.map((one) => [one?.containerID, 0]),
    )
  } finally {
    await program.stop()
    await admin.close()
    await plane.stop()
    await containerd.stop()
  }
})
