import { expect } from 'vitest'
import { describeKubectl, lines } from './kubectl-suite.ts'
import { isDeleting } from './test-namespace.ts'
import type { RunningKubectl } from './kubectl.ts'

describeKubectl('delete and wait', 'every version', (test) => {
  test('delete waits until the pod is deleted', async ({ kubectl, sandbox, newNamespace }) => {
    const one = await newNamespace()
    await one.createPod('web', { node: 'n1' })
    const deletion = kubectl.start([
      'delete',
      'pod',
      'web',
      '-n',
      one.namespace,
      '--grace-period=7',
    ])
    await deletion.printed(/pod "web" deleted/)
    expect(await sandbox.until(one.pathOf('web'), isDeleting)).toMatchObject({
      metadata: { deletionGracePeriodSeconds: 7 },
    })
    await one.finishDeletion('web')
    expect((await deletion.done).code).toBe(0)
    expect(await sandbox.find(one.pathOf('web'))).toBeUndefined()
  })

  test('get -w --output-watch-events shows a forced deletion as MODIFIED, then DELETED', async ({
    kubectl,
    newNamespace,
  }) => {
    const one = await newNamespace()
    await one.createPod('web', { node: 'n1' })
    const watch = kubectl.start([
      'get',
      'pods',
      '-n',
      one.namespace,
      '-w',
      '--output-watch-events',
      '-o',
      'jsonpath={.type} {.object.metadata.deletionGracePeriodSeconds}{"\\n"}',
    ])
    await watch.printed(/ADDED/)
    await kubectl.must(['delete', 'pod', 'web', '-n', one.namespace, '--force', '--grace-period=0'])
    await watch.printed(/DELETED/)
    const { stdout } = await watch.interrupt()
    expect(lines(stdout)).toEqual(['ADDED', 'MODIFIED 0', 'DELETED 0'])
  })

  test('delete of a pod on no node, with force, and without waiting', async ({
    kubectl,
    sandbox,
    newNamespace,
  }) => {
    const one = await newNamespace()
    const remove = (name: string, ...args: string[]): Promise<string> =>
      kubectl.must(['delete', 'pod', name, '-n', one.namespace, ...args])
    await one.createPod('unbound')
    await remove('unbound')
    await one.createPod('forced', { node: 'n1' })
    await remove('forced', '--force', '--grace-period=0')
    await one.createPod('slow', { node: 'n1' })
    await remove('slow', '--wait=false')
    expect(await sandbox.find(one.pathOf('unbound'))).toBeUndefined()
    expect(await sandbox.find(one.pathOf('forced'))).toBeUndefined()
    expect(await sandbox.find(one.pathOf('slow'))).toMatchObject({
      metadata: { deletionGracePeriodSeconds: 30 },
    })
  })

  test('wait sees a condition, a phase and a deletion', async ({
    kubectl,
    sandbox,
    newNamespace,
  }) => {
    const one = await newNamespace()
    await one.createPod('web', { node: 'n1' })
    const wait = (...args: string[]): RunningKubectl =>
      kubectl.start(['wait', 'pod/web', '-n', one.namespace, '--timeout=100s', ...args])
    const ready = wait('--for=condition=Ready')
    const phase = wait('--for=jsonpath={.status.phase}=Running')
    const gone = wait('--for=delete')
    await one.setRunning('web')
    expect((await ready.done).stdout).toBe('pod/web condition met\n')
    expect((await phase.done).stdout).toBe('pod/web condition met\n')
    await sandbox.ask('DELETE', one.pathOf('web'), { gracePeriodSeconds: 0 })
    expect((await gone.done).code).toBe(0)
  })
})

describeKubectl('wait with a timeout', 'oldest and newest', (test) => {
  test('wait gives up after its timeout', async ({ kubectl, newNamespace }) => {
    const one = await newNamespace()
    await one.createPod('web')
    const { code, stderr } = await kubectl.run([
      'wait',
      'pod/web',
      '-n',
      one.namespace,
      '--for=condition=Ready',
      '--timeout=1s',
    ])
    expect([code, stderr]).toEqual([1, 'error: timed out waiting for the condition on pods/web\n'])
  })
})
