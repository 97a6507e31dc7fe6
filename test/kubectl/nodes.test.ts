import { expect } from 'vitest'
import { describeKubectl, lines } from './kubectl-suite.ts'
import { createNode } from './test-namespace.ts'

describeKubectl('nodes', 'oldest and newest', (test) => {
  test('describe node shows lease, conditions and its pods', async ({
    kubectl,
    sandbox,
    newNamespace,
    prefix,
  }) => {
    const one = await newNamespace()
    const name = `${prefix}-node`
    await createNode(sandbox, name)
    await one.createPod('web', { node: name })
    const output = lines(await kubectl.must(['describe', 'node', name]))
    expect(output).toEqual(
      expect.arrayContaining([
        `Name: ${name}`,
        'Roles: worker',
        'Unschedulable: false',
        ` HolderIdentity: ${name}`,
        expect.stringMatching(/^ Ready True .* KubeletReady kubelet is posting ready status$/),
        'Non-terminated Pods: (1 in total)',
        expect.stringMatching(`^ ${one.namespace} web 0 \\(0%\\)`),
      ]),
    )
    expect(lines(await kubectl.must(['get', 'node', name, '-o', 'wide', '--no-headers']))).toEqual([
      expect.stringMatching(
        `^${name} Ready worker \\d+s v1\\.34\\.0 10\\.0\\.0\\.1 <none> Simulated 6\\.1 sim://1$`,
      ),
    ])
  })

  test('cordon, taint and uncordon a node', async ({ kubectl, sandbox, prefix }) => {
    const name = `${prefix}-taint`
    await createNode(sandbox, name)
    await kubectl.must(['cordon', name])
    await kubectl.must(['taint', 'node', name, 'a=b:NoSchedule'])
    expect(await kubectl.must(['get', 'node', name])).toContain('Ready,SchedulingDisabled')
    await kubectl.must(['uncordon', name])
    await kubectl.must(['taint', 'node', name, 'a-'])
    const node = await sandbox.find(`/api/v1/nodes/${name}`)
    expect(node).not.toHaveProperty('spec.unschedulable', true)
    // From admission: the node is not ready.
    const own = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }
    expect(node).toHaveProperty('spec.taints', [own])
  })

  test('drain evicts the pods of a node', async ({ kubectl, sandbox, newNamespace, prefix }) => {
    const one = await newNamespace()
    const name = `${prefix}-drain`
    await createNode(sandbox, name)
    await one.createPod('web', { node: name })
    const drain = kubectl.start(['drain', name, '--force', '--timeout=100s'])
    await one.finishDeletion('web')
    const { code, stdout } = await drain.done
    expect([code, stdout]).toEqual([0, expect.stringContaining('pod/web evicted')])
  })
})
