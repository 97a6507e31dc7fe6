import { objectAt, textAt } from '../../src/shared/json.ts'
import { expect } from 'vitest'
import { describeKubectl, lines } from './kubectl-suite.ts'

describeKubectl('get', 'every version', (test) => {
  test('version shows the sandbox as 1.34', async ({ kubectl }) => {
    const version = await kubectl.must(['version'])
    // 1.27 prints all fields.
    expect(version).toMatch(/^Server Version: .*v1\.34\.0\+nodescope/m)
  })

  test('a wrong token is refused', async ({ unauthorized }) => {
    const { code, stderr } = await unauthorized.run(['get', 'pods'])
    expect(code).toBe(1)
    expect(stderr).toContain('You must be logged in to the server')
  })

  test('auth whoami prints the user and the groups of a token, a client certificate and --as', async ({
    kubectl,
    minor,
  }) => {
    // 1.27 asks only for the beta and the alpha version, which no server has from 1.31 on.
    if (minor < 28) {
      const { stderr } = await kubectl.run(['auth', 'whoami'])
      expect(stderr).toContain('the selfsubjectreviews API is not enabled in the cluster')
      return
    }
    const whoami = async (...args: string[]): Promise<readonly string[]> =>
      lines(await kubectl.must(['auth', 'whoami', ...args])).slice(1)
    expect(await whoami()).toEqual(['Username tester', 'Groups [system:masters]'])
    expect(await whoami('--user=jane')).toEqual([
      'Username jane',
      'Groups [dev ops system:authenticated]',
      expect.stringMatching(
        /^Extra: authentication\.kubernetes\.io\/credential-id \[X509SHA256=[\da-f]{64}\]$/,
      ),
    ])
    const token = (await kubectl.must(['create', 'token', 'default', '-n', 'kube-system'])).trim()
    expect(await whoami(`--token=${token}`)).toEqual([
      'Username system:serviceaccount:kube-system:default',
      expect.stringMatching(/^UID /),
      'Groups [system:serviceaccounts system:serviceaccounts:kube-system system:authenticated]',
      expect.stringMatching(/credential-id \[JTI=/),
    ])
    expect(await whoami('--as=eve', '--as-group=dev')).toEqual([
      'Username eve',
      'Groups [dev system:authenticated]',
    ])
    const { stderr } = await kubectl.run(['get', 'pods', '--user=jane', '--as=eve'])
    expect(stderr).toContain('User "jane" cannot impersonate resource "users"')
  })

  test('get prints pods as tables, filtered and wide', async ({ kubectl, newNamespace }) => {
    const one = await newNamespace()
    const { namespace } = one
    const pod = await one.createPod('one', { labels: { app: 'web' }, node: 'n1' })
    await one.setRunning('one')
    await one.createPod('two')
    const get = async (...args: string[]): Promise<readonly string[]> =>
      lines(await kubectl.must(['get', 'pods', '-n', namespace, ...args]))
    expect(await get()).toEqual([
      'NAME READY STATUS RESTARTS AGE',
      expect.stringMatching(/^one 1\/1 Running 0 \d+s$/),
      expect.stringMatching(/^two 0\/1 Pending 0 \d+s$/),
    ])
    expect(await get('-o', 'wide')).toEqual([
      'NAME READY STATUS RESTARTS AGE IP NODE NOMINATED NODE READINESS GATES',
      expect.stringMatching(/^one 1\/1 Running 0 \d+s 10\.88\.0\.7 n1 <none> <none>$/),
      expect.stringMatching(/^two 0\/1 Pending 0 \d+s <none> <none> <none> <none>$/),
    ])
    expect(await get('-l', 'app=web', '-o', 'name')).toEqual(['pod/one'])
    expect(await get('-l', 'app notin (web)', '-o', 'name')).toEqual(['pod/two'])
    expect(await get('--field-selector', 'spec.nodeName=n1', '-o', 'name')).toEqual(['pod/one'])
    expect(await get('--field-selector', 'status.phase!=Running', '-o', 'name')).toEqual([
      'pod/two',
    ])
    expect(await get('one', '--show-labels', '--no-headers')).toEqual([
      expect.stringMatching(/ app=web$/),
    ])
    expect(await get('one', '-o', 'jsonpath={.status.phase} {.metadata.uid}')).toEqual([
      `Running ${textAt(objectAt(pod, 'metadata'), 'uid')}`,
    ])
    const all = lines(await kubectl.must(['get', 'pods', '-A', '--no-headers']))
    expect(all).toContainEqual(expect.stringMatching(`^${namespace} one 1/1 Running`))
  })

  test('get -w prints changes as they happen', async ({ kubectl, sandbox, newNamespace }) => {
    const one = await newNamespace()
    const watch = kubectl.start(['get', 'pods', '-n', one.namespace, '-w', '--no-headers'])
    await one.createPod('web', { node: 'n1' })
    await watch.printed(/web +0\/1 +Pending/)
    await one.setRunning('web')
    await watch.printed(/web +1\/1 +Running/)
    await sandbox.ask('DELETE', one.pathOf('web'))
    await watch.printed(/web +1\/1 +Terminating/)
    await one.finishDeletion('web')
    await sandbox.until(one.pathOf('web'), (pod) => pod === undefined)
    const { stdout } = await watch.interrupt()
    expect(lines(stdout)[0]).toMatch(/^web 0\/1 Pending 0 \d+s$/)
  })

  test('events and get events show what happened', async ({ kubectl, newNamespace }) => {
    const one = await newNamespace()
    const pod = await one.createPod('web')
    await one.recordEvent(pod, 'Started', 'Started container c')
    const events = lines(await kubectl.must(['events', '-n', one.namespace, '--for', 'pod/web']))
    expect(events).toEqual([
      'LAST SEEN TYPE REASON OBJECT MESSAGE',
      expect.stringMatching(/^\d+s Normal Started Pod\/web Started container c$/),
    ])
    const table = lines(await kubectl.must(['get', 'events', '-n', one.namespace]))
    expect(table).toEqual([
      'LAST SEEN TYPE REASON OBJECT MESSAGE',
      expect.stringMatching(/^\d+s Normal Started pod\/web Started container c$/),
    ])
  })

  test('describe pod shows status, conditions and events', async ({ kubectl, newNamespace }) => {
    const one = await newNamespace()
    const pod = await one.createPod('web', { node: 'n1' })
    await one.setRunning('web')
    await one.recordEvent(pod, 'Started', 'Started container c')
    const output = lines(await kubectl.must(['describe', 'pod', 'web', '-n', one.namespace]))
    expect(output).toEqual(
      expect.arrayContaining([
        'Name: web',
        `Namespace: ${one.namespace}`,
        'Node: n1/',
        'Status: Running',
        'IP: 10.88.0.7',
        ' Container ID: sim://1',
        ' Ready: True',
        expect.stringMatching(/^ Normal Started \d+s kubelet Started container c$/),
      ]),
    )
  })
})

describeKubectl('get in its other forms', 'oldest and newest', (test) => {
  test('api-resources lists what is served', async ({ kubectl }) => {
    const output = await kubectl.must(['api-resources', '--no-headers'])
    expect(lines(output)).toEqual(
      expect.arrayContaining([
        'pods po v1 true Pod',
        'nodes no v1 false Node',
        'leases coordination.k8s.io/v1 true Lease',
        'daemonsets ds apps/v1 true DaemonSet',
      ]),
    )
  })

  test('get reports missing objects', async ({ kubectl, newNamespace }) => {
    const { namespace } = await newNamespace()
    const none = await kubectl.run(['get', 'pods', '-n', namespace])
    expect(none).toEqual({
      code: 0,
      stdout: '',
      stderr: `No resources found in ${namespace} namespace.\n`,
    })
    expect(await kubectl.run(['get', 'pod', 'web', '-n', namespace])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Error from server (NotFound): pods "web" not found\n',
    })
  })

  test('get -o yaml is the object with its kind', async ({ kubectl, newNamespace }) => {
    const one = await newNamespace()
    await one.createPod('web')
    const yaml = await kubectl.must(['get', 'pod', 'web', '-n', one.namespace, '-o', 'yaml'])
    expect(yaml).toMatch(/^apiVersion: v1\nkind: Pod\nmetadata:\n/)
    expect(yaml).toContain(`namespace: ${one.namespace}\n`)
    const list = await kubectl.must(['get', 'pods', '-n', one.namespace, '-o', 'yaml'])
    expect(list).toMatch(/^apiVersion: v1\nitems:\n- apiVersion: v1\n {2}kind: Pod\n/)
  })

  test('explain reads the older document, too', async ({ kubectl }) => {
    const older = ['--output', 'plaintext-openapiv2']
    const output = await kubectl.must(['explain', 'deployment.spec.template.spec', ...older])
    expect(output).toMatch(/KIND:\s+Deployment\s+VERSION:\s+apps\/v1/)
    expect(output).toMatch(/\n\s+containers\s+<\[\]Object> -required-/)
    expect(await kubectl.must(['explain', 'pod.spec.hostNetwork', ...older])).toContain('<boolean>')
  })

  test('explain describes fields', async ({ kubectl }) => {
    const output = await kubectl.must(['explain', 'pod.spec.terminationGracePeriodSeconds'])
    expect(output).toContain('FIELD: terminationGracePeriodSeconds <integer>')
    expect(output).toMatch(/DESCRIPTION:\n +<empty>/)
  })

  test('get --raw reads the health of the server', async ({ kubectl }) => {
    expect(await kubectl.must(['get', '--raw', '/readyz'])).toBe('ok')
  })
})
