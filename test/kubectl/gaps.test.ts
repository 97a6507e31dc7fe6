import { expect } from 'vitest'
import { describeKubectl, lines } from './kubectl-suite.ts'
import { podYaml } from './manifests.ts'

/** Behind a container's fields in `podYaml`. With the volume of a token, kubectl says "configured" at every apply. */
const unsimulated = `    lifecycle: {stopSignal: SIGUSR1}
    resources: {limits: {memory: 64Mi}}
    volumeMounts: [{name: conf, mountPath: /etc/conf, mountPropagation: HostToContainer}]
  volumes: [{name: conf, emptyDir: {medium: Memory}}]
  automountServiceAccountToken: false
`

const warnings = `Warning: spec.containers[0].lifecycle.stopSignal: not simulated: ignored; the container is stopped with SIGTERM
Warning: spec.containers[0].resources.limits: not simulated: use counts only as annotated (simulated.nodescope.dev/memory, cpu): it is then throttled or OOM-killed
Warning: spec.containers[0].volumeMounts[0].mountPropagation: not simulated: ignored; later mounts on the node and in the container do not reach the other side
Warning: spec.volumes[0].emptyDir.medium: not simulated: ignored; the volume is an ordinary folder of the node
`

const noIngress = 'the Nodescope sandbox does not have kind Ingress yet'

function manifest(apiVersion: string, kind: string): string {
  return JSON.stringify({ apiVersion, kind, metadata: { name: 'x' }, spec: {} })
}

describeKubectl('what the simulator does not do', 'every version', (test) => {
  test('apply warns, and again only if the spec has changed', async ({ kubectl, newNamespace }) => {
    const { namespace } = await newNamespace()
    const apply = (more: Parameters<typeof podYaml>[1]): ReturnType<typeof kubectl.run> =>
      kubectl.run(
        ['apply', '-n', namespace, '-f', '-'],
        podYaml('web', { extra: unsimulated, ...more }),
      )
    expect(await apply({})).toEqual({ code: 0, stdout: 'pod/web created\n', stderr: warnings })
    expect(await apply({})).toEqual({ code: 0, stdout: 'pod/web unchanged\n', stderr: '' })
    expect(await apply({ label: 'other' })).toEqual({
      code: 0,
      stdout: 'pod/web configured\n',
      stderr: '',
    })
    expect(await apply({ label: 'other', image: 'registry.example/app:2' })).toEqual({
      code: 0,
      stdout: 'pod/web configured\n',
      stderr: warnings,
    })
  })

  test('a pod without unsupported fields has no warning', async ({ kubectl, newNamespace }) => {
    const { namespace } = await newNamespace()
    const apply = ['apply', '-n', namespace, '-f', '-']
    expect(await kubectl.run(apply, podYaml('web'))).toEqual({
      code: 0,
      stdout: 'pod/web created\n',
      stderr: '',
    })
  })

  test('run warns of a command that the simulator cannot read', async ({
    kubectl,
    newNamespace,
  }) => {
    const { namespace } = await newNamespace()
    const args = ['run', 'web', '-n', namespace, '--image=busybox', '--command', '--', 'vi', 'x']
    expect(await kubectl.run(args)).toEqual({
      code: 0,
      stdout: 'pod/web created\n',
      stderr:
        'Warning: spec.containers[0].command: not simulated: command not understood; it runs until stopped, then exits 0; its ports are those of a known server, or assumed (vi is not a command that is read)\n',
    })
  })
})

describeKubectl('kinds that the sandbox does not have', 'every version', (test) => {
  test('apply reports them in the last line, and creates the rest', async ({
    kubectl,
    newNamespace,
  }) => {
    const { namespace } = await newNamespace()
    const apply = ['apply', '-n', namespace, '-f', '-']
    for (const [version, kind] of [
      ['autoscaling/v2', 'HorizontalPodAutoscaler'],
      ['networking.k8s.io/v1', 'Ingress'],
      ['networking.k8s.io/v1', 'NetworkPolicy'],
    ] as const) {
      const { code, stderr } = await kubectl.run(apply, manifest(version, kind))
      expect([code, lines(stderr).at(-1)]).toEqual([
        1,
        expect.stringContaining(`the Nodescope sandbox does not have kind ${kind} yet`),
      ])
    }
    const both = await kubectl.run(
      apply,
      `${podYaml('web')}---\n${manifest('networking.k8s.io/v1', 'Ingress')}`,
    )
    expect(both.stdout).toBe('pod/web created\n')
    expect(both.stderr).toContain(noIngress)
  })

  test('create service has no warning', async ({ kubectl, newNamespace }) => {
    const { namespace } = await newNamespace()
    const args = ['create', 'service', 'clusterip', 'web', '--tcp=80', '-n', namespace]
    expect(await kubectl.run(args)).toEqual({
      code: 0,
      stdout: 'service/web created\n',
      stderr: '',
    })
  })

  test('create ingress is refused', async ({ kubectl, newNamespace }) => {
    const { namespace } = await newNamespace()
    const args = ['create', 'ingress', 'web', '--rule=a.example/=web:80', '-n', namespace]
    expect(await kubectl.run(args)).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: failed to create ingress: ${noIngress}\n`,
    })
  })

  test('get and delete are refused', async ({ kubectl, newNamespace }) => {
    const { namespace } = await newNamespace()
    const run = async (...args: string[]): Promise<unknown> => {
      const { code, stderr } = await kubectl.run([...args, '-n', namespace])
      return [code, stderr]
    }
    const notFound = `ingresses.networking.k8s.io "web" not found: ${noIngress}`
    expect(await run('get', 'ingresses')).toEqual([
      1,
      `Error from server (MethodNotAllowed): ${noIngress}\n`,
    ])
    expect(await run('get', 'ing', 'web')).toEqual([
      1,
      `Error from server (NotFound): ${notFound}\n`,
    ])
    expect(await run('delete', 'ing', 'web')).toEqual([
      1,
      `Error from server (NotFound): ${notFound}\n`,
    ])
    expect(await run('delete', 'ing', 'web', '--ignore-not-found')).toEqual([0, ''])
  })

  test('get all, delete all and api-resources omit them', async ({ kubectl, newNamespace }) => {
    const { namespace } = await newNamespace()
    await kubectl.must(['apply', '-n', namespace, '-f', '-'], podYaml('web'))
    const all = await kubectl.run(['get', 'all', '-n', namespace, '--no-headers'])
    expect([all.code, all.stderr, lines(all.stdout)]).toEqual([
      0,
      '',
      [expect.stringMatching(/^pod\/web 0\/1 Pending/)],
    ])
    const resources = await kubectl.must(['api-resources', '--no-headers'])
    const kinds = lines(resources).map((line) => line.split(' ').at(-1))
    expect(kinds).toEqual(expect.arrayContaining(['CronJob', 'DaemonSet', 'Deployment', 'Job']))
    expect(kinds).not.toContain('Ingress')
    expect(await kubectl.run(['delete', 'all', '--all', '-n', namespace])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^pod "web" deleted/),
    })
  })

  test('kubectl itself refuses a kind that Kubernetes does not have either', async ({
    kubectl,
    newNamespace,
  }) => {
    const { namespace } = await newNamespace()
    const { code, stderr } = await kubectl.run(
      ['apply', '-n', namespace, '-f', '-'],
      manifest('example.com/v1', 'Gizmo'),
    )
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('no matches for kind "Gizmo" in version "example.com/v1"'),
    ])
    // A misspelled kind of a group that the server has: kubectl lists the CRDs before it says so.
    for (const [version, kind] of [
      ['v1', 'Podd'],
      ['apps/v1', 'Deploymnet'],
    ] as const) {
      const refused = await kubectl.run(
        ['apply', '-n', namespace, '-f', '-'],
        manifest(version, kind),
      )
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining(`no matches for kind "${kind}" in version "${version}"`),
      ])
    }
  })
})
