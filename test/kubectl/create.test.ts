import { expect } from 'vitest'
import { describeKubectl, lines } from './kubectl-suite.ts'
import { fullPodYaml, podYaml } from './manifests.ts'

describeKubectl('create and apply', 'every version', (test) => {
  test('create namespace, in protobuf since 1.32', async ({ kubectl, prefix }) => {
    const name = `${prefix}-made`
    expect(await kubectl.must(['create', 'namespace', name])).toBe(`namespace/${name} created\n`)
    expect(lines(await kubectl.must(['get', 'namespace', name]))).toEqual([
      'NAME STATUS AGE',
      expect.stringMatching(`^${name} Active \\d+s$`),
    ])
  })

  test('create -f creates once', async ({ kubectl, newNamespace }) => {
    const { namespace } = await newNamespace()
    const create = ['create', '-n', namespace, '-f', '-']
    expect(await kubectl.must(create, podYaml('web'))).toBe('pod/web created\n')
    const again = await kubectl.run(create, podYaml('web'))
    expect(again.stderr).toBe(
      'Error from server (AlreadyExists): error when creating "STDIN": pods "web" already exists\n',
    )
  })

  test('apply creates, does not change, and changes an object', async ({
    kubectl,
    sandbox,
    newNamespace,
  }) => {
    const one = await newNamespace()
    const apply = ['apply', '-n', one.namespace, '-f', '-']
    expect(await kubectl.must(apply, podYaml('web'))).toBe('pod/web created\n')
    expect(await kubectl.must(apply, podYaml('web'))).toBe('pod/web unchanged\n')
    const changed = podYaml('web', { label: 'other', image: 'registry.example/app:2' })
    expect(await kubectl.must(apply, changed)).toBe('pod/web configured\n')
    expect(await sandbox.find(one.pathOf('web'))).toMatchObject({
      metadata: { labels: { app: 'other' } },
      spec: { containers: [{ name: 'c', image: 'registry.example/app:2' }] },
    })
  })

  test('apply refuses fields that do not exist and values of the wrong type', async ({
    kubectl,
    newNamespace,
  }) => {
    const { namespace } = await newNamespace()
    const apply = ['apply', '-n', namespace, '-f', '-']
    const unknown = await kubectl.run(
      apply,
      podYaml('bad', { extra: '    imag: x\n  hostNetwrk: true\n' }),
    )
    expect(unknown.code).toBe(1)
    expect(unknown.stderr).toContain('strict decoding error: ')
    expect(unknown.stderr).toContain('unknown field "spec.containers[0].imag"')
    expect(unknown.stderr).toContain('unknown field "spec.hostNetwrk"')
    const wrong = await kubectl.run(apply, podYaml('bad', { extra: '  hostNetwork: "yes"\n' }))
    expect(wrong.stderr).toContain(
      'cannot unmarshal string into Go struct field PodSpec.spec.hostNetwork of type bool',
    )
  })
})

describeKubectl('create and apply in their other forms', 'oldest and newest', (test) => {
  test('apply --server-side applies, and names the owner of a field in a conflict', async ({
    kubectl,
    newNamespace,
  }) => {
    const { namespace } = await newNamespace()
    const apply = ['apply', '-n', namespace, '--server-side', '-f', '-']
    expect(await kubectl.must(apply, podYaml('web'))).toBe('pod/web serverside-applied\n')
    await kubectl.must(['label', 'pod', 'web', 'app=mine', '--overwrite', '-n', namespace])
    const { code, stderr } = await kubectl.run(apply, podYaml('web', { label: 'theirs' }))
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('conflict with "kubectl-label" using v1: .metadata.labels.app'),
    ])
    const forced = [...apply, '--force-conflicts']
    expect(await kubectl.must(forced, podYaml('web', { label: 'theirs' }))).toBe(
      'pod/web serverside-applied\n',
    )
  })

  test('run creates a pod', async ({ kubectl, newNamespace }) => {
    const { namespace } = await newNamespace()
    const args = ['run', 'web', '--image=x', '-n', namespace, '--restart=Never']
    expect(await kubectl.must(args)).toBe('pod/web created\n')
  })

  test('apply accepts a pod with all the usual fields', async ({ kubectl, newNamespace }) => {
    const { namespace } = await newNamespace()
    const apply = ['apply', '-n', namespace, '-f', '-']
    expect(await kubectl.must(apply, fullPodYaml)).toBe('pod/full created\n')
    // The sources of a projected volume are one value, and defaults stand in them: kubectl sends them again. As on a
    // real server.
    expect(await kubectl.must(apply, fullPodYaml)).toBe('pod/full configured\n')
  })

  test('apply --validate=warn warns and drops the field', async ({
    kubectl,
    sandbox,
    newNamespace,
  }) => {
    const one = await newNamespace()
    const apply = ['apply', '-n', one.namespace, '--validate=warn', '-f', '-']
    const { code, stderr } = await kubectl.run(
      apply,
      podYaml('web', { extra: '  hostNetwrk: true\n' }),
    )
    expect([code, stderr]).toEqual([0, 'Warning: unknown field "spec.hostNetwrk"\n'])
    expect(await sandbox.find(one.pathOf('web'))).not.toHaveProperty('spec.hostNetwrk')
  })

  test('label and annotate set, change and remove values', async ({
    kubectl,
    sandbox,
    newNamespace,
  }) => {
    const one = await newNamespace()
    await one.createPod('web', { labels: { app: 'web' } })
    const on = (...args: string[]): Promise<string> => kubectl.must([...args, '-n', one.namespace])
    expect(await on('label', 'pod', 'web', 'tier=front')).toBe('pod/web labeled\n')
    expect(await on('label', 'pod', 'web', 'tier=back', '--overwrite')).toBe('pod/web labeled\n')
    expect(await on('label', 'pod', 'web', 'app-')).toBe('pod/web unlabeled\n')
    // 1.27 prints `annotate`.
    expect(await on('annotate', 'pod', 'web', 'note=hello')).toMatch(/^pod\/web annotated?\n$/)
    expect(await sandbox.find(one.pathOf('web'))).toMatchObject({
      metadata: { labels: { tier: 'back' }, annotations: { note: 'hello' } },
    })
  })

  test('patch with its three types, and replace', async ({ kubectl, sandbox, newNamespace }) => {
    const one = await newNamespace()
    await one.createPod('web', { labels: { app: 'web' } })
    const patch = (type: string, body: unknown): Promise<string> =>
      kubectl.must([
        'patch',
        'pod',
        'web',
        '-n',
        one.namespace,
        `--type=${type}`,
        '-p',
        JSON.stringify(body),
      ])
    const image = (tag: string): object => ({ spec: { containers: [{ name: 'c', image: tag }] } })
    await patch('strategic', image('registry.example/app:2'))
    await patch('merge', { metadata: { labels: { app: null, merged: 'yes' } } })
    await patch('json', [{ op: 'add', path: '/metadata/labels/json', value: 'yes' }])
    const patched = await sandbox.find(one.pathOf('web'))
    expect(patched).toMatchObject({
      metadata: { labels: { merged: 'yes', json: 'yes' } },
      spec: { containers: [{ image: 'registry.example/app:2' }] },
    })
    const replaced = JSON.stringify({
      ...patched,
      metadata: { name: 'web', labels: { only: 'this' } },
    })
    await kubectl.must(['replace', '-n', one.namespace, '-f', '-'], replaced)
    expect(await sandbox.find(one.pathOf('web'))).toHaveProperty('metadata.labels', {
      only: 'this',
    })
  })

  test('--as uses another user', async ({ kubectl, sandbox, newNamespace }) => {
    const { namespace } = await newNamespace()
    const args = ['create', '-n', namespace, '--as=jane', '-f', '-']
    expect(await kubectl.must(args, podYaml('web'))).toBe('pod/web created\n')
    expect(sandbox.users).toContain('jane')
  })
})
