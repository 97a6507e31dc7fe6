import { expect } from 'vitest'
import { describeKubectl, lines } from './kubectl-suite.ts'

describeKubectl('kinds with controllers', 'every version', (test) => {
  test('create, scale, set image, label and get', async ({ kubectl, newNamespace }) => {
    const { namespace } = await newNamespace()
    const run = (...args: string[]) => kubectl.must([...args, '-n', namespace])
    expect(await run('create', 'deployment', 'web', '--image=registry.example/app:1')).toBe(
      'deployment.apps/web created\n',
    )
    expect(await run('scale', 'deployment', 'web', '--replicas=3')).toBe(
      'deployment.apps/web scaled\n',
    )
    expect(await run('set', 'image', 'deployment/web', 'app=registry.example/app:2')).toBe(
      'deployment.apps/web image updated\n',
    )
    expect(await run('label', 'deployment', 'web', 'tier=front')).toBe(
      'deployment.apps/web labeled\n',
    )
    const printed = await run('get', 'deployment', 'web', '-o', 'wide', '--no-headers')
    expect(lines(printed)).toEqual([
      expect.stringMatching(/^web \d\/3 .* app registry\.example\/app:2 app=web$/),
    ])
    expect(await run('get', 'deployment', 'web', '-o', 'jsonpath={.metadata.generation}')).toMatch(
      /^[3-9]/,
    )
    const job = ['create', 'job', 'once', '--image=registry.example/app:1']
    expect(await run(...job)).toBe('job.batch/once created\n')
  })

  // kubectl 1.34 drops the reason of the server.
  test('autoscale is refused', async ({ kubectl, newNamespace }) => {
    const { namespace } = await newNamespace()
    const run = (...args: string[]) => kubectl.run([...args, '-n', namespace])
    await run('create', 'deployment', 'web', '--image=registry.example/app:1')
    const { code, stderr } = await run('autoscale', 'deployment', 'web', '--max=3')
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /does not have kind HorizontalPodAutoscaler yet|failed to create autoscaling\/v2 HPA/,
      ),
    ])
  })

  test('auth can-i and whoami answer from the authorizer', async ({ kubectl, minor }) => {
    expect(await kubectl.must(['auth', 'can-i', 'create', 'deployments'])).toBe('yes\n')
    const asNode = ['--as=system:node:n9', '--as-group=system:nodes']
    const node = await kubectl.run(['auth', 'can-i', 'create', 'deployments', ...asNode])
    expect([node.code, node.stdout]).toEqual([1, expect.stringMatching(/^no/)])
    const list = await kubectl.must(['auth', 'can-i', '--list', '--no-headers'])
    expect(lines(list)).toContainEqual(expect.stringMatching(/^\*\.\* \[\] \[\] \[\*\]/))
    // 1.27 asks for versions that 1.34 does not serve.
    if (minor > 27) expect(await kubectl.must(['auth', 'whoami'])).toContain('tester')
  })
})
