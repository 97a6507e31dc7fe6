import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { objectAt, textAt } from '../../src/shared/json.ts'
import { findKubectls } from './kubectl-programs.ts'
import { kubectlAt, type Kubectl, type RunningKubectl } from './kubectl.ts'
import { startSandbox, type SandboxUnderTest } from './sandbox-under-test.ts'
import { createNode, isDeleting, newScene, type Scene } from './scenes.ts'

const kubectls = await findKubectls(process.env)

/** Columns are padded by content: one blank is enough to compare. */
function lines(output: string): readonly string[] {
  return output
    .trimEnd()
    .split('\n')
    .map((line) => line.replaceAll(/ {2,}/g, ' ').trimEnd())
}

function podYaml(
  name: string,
  more: { label?: string; image?: string; extra?: string } = {},
): string {
  return `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  labels: {app: ${more.label ?? 'web'}}
spec:
  containers:
  - name: c
    image: ${more.image ?? 'registry.example/app:1'}
    command: [sleep, "3600"]
${more.extra ?? ''}`
}

// Everything that pod manifests usually have: all of it must pass strict validation.
const fullPodYaml = `apiVersion: v1
kind: Pod
metadata:
  name: full
  annotations: {note: "y"}
spec:
  restartPolicy: OnFailure
  terminationGracePeriodSeconds: 5
  activeDeadlineSeconds: 600
  nodeSelector: {kubernetes.io/os: linux}
  serviceAccountName: default
  automountServiceAccountToken: false
  tolerations:
  - {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 30}
  - {key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 30}
  securityContext: {runAsUser: 1000, fsGroup: 2000, seccompProfile: {type: RuntimeDefault}}
  affinity:
    podAntiAffinity:
      preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm: {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}
  topologySpreadConstraints:
  - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}
  readinessGates: [{conditionType: example.com/ready}]
  dnsConfig: {options: [{name: ndots, value: "2"}]}
  hostAliases: [{ip: 127.0.0.1, hostnames: [a.example]}]
  initContainers:
  - {name: prepare, image: "registry.example/init:1", command: [sh, -c, exit 0]}
  - {name: sidecar, image: "registry.example/side:1", restartPolicy: Always}
  containers:
  - name: c
    image: registry.example/app:1
    imagePullPolicy: IfNotPresent
    args: [--verbose]
    workingDir: /srv
    ports: [{containerPort: 8080, name: http, protocol: TCP}]
    env:
    - {name: PLAIN, value: "1"}
    - {name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
    - {name: KEY, valueFrom: {secretKeyRef: {name: s, key: k, optional: true}}}
    envFrom: [{configMapRef: {name: settings}}]
    resources: {requests: {cpu: 100m, memory: 64Mi}, limits: {cpu: "1", memory: 128Mi}}
    livenessProbe: {httpGet: {path: /healthz, port: http}, periodSeconds: 5}
    readinessProbe: {exec: {command: ["true"]}}
    startupProbe: {tcpSocket: {port: 8080}, failureThreshold: 30}
    lifecycle: {preStop: {sleep: {seconds: 3}}}
    securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
    volumeMounts: [{name: data, mountPath: /data}, {name: conf, mountPath: /etc/conf, readOnly: true}]
  volumes:
  - {name: data, emptyDir: {sizeLimit: 10Mi}}
  - {name: conf, configMap: {name: settings, items: [{key: a, path: a.conf}]}}
  - name: all
    projected:
      sources: [{serviceAccountToken: {path: token}}, {downwardAPI: {items: [{path: labels, fieldRef: {fieldPath: metadata.labels}}]}}]
`

describe.runIf(kubectls.length > 0)('kubectl', { timeout: 30_000 }, () => {
  let folder = ''
  let sandbox: SandboxUnderTest

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nodescope-kubectl-'))
    sandbox = await startSandbox(folder)
  })

  afterAll(async () => {
    await sandbox.stop()
    await rm(folder, { recursive: true, force: true })
  })

  describe.each(kubectls)('$version', (program) => {
    let kubectl: Kubectl
    let scenes = 0
    const prefix = program.version.replaceAll(/[^\da-z]/g, '-')

    beforeAll(async () => {
      kubectl = await kubectlAt(program, folder, sandbox.kubeconfig)
    })

    const scene = (): Promise<Scene> => newScene(sandbox, `${prefix}-${scenes++}`)

    it.concurrent('version names the sandbox as a 1.34', async () => {
      expect(await kubectl.must(['version'])).toContain('Server Version: v1.34.0+nodescope')
    })

    it.concurrent('api-resources lists what is served', async () => {
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

    it.concurrent('a wrong token is refused', async () => {
      const stranger = await kubectlAt(program, join(folder, 'stranger'), sandbox.wrongKubeconfig)
      const { code, stderr } = await stranger.run(['get', 'pods'])
      expect(code).toBe(1)
      expect(stderr).toContain('You must be logged in to the server')
    })

    it.concurrent('get prints pods as tables, filtered and wide', async () => {
      const one = await scene()
      const { namespace } = one
      const pod = await one.createPod('one', { labels: { app: 'web' }, node: 'n1' })
      await one.setRunning('one')
      await one.createPod('two')
      const get = async (...args: string[]): Promise<readonly string[]> =>
        lines(await kubectl.must(['get', 'pods', '-n', namespace, ...args]))
      expect(await get()).toEqual([
        'NAME READY STATUS RESTARTS AGE',
        expect.stringMatching(/^one 1\/1 Running 0 \ds$/),
        expect.stringMatching(/^two 0\/1 Pending 0 \ds$/),
      ])
      expect(await get('-o', 'wide')).toEqual([
        'NAME READY STATUS RESTARTS AGE IP NODE NOMINATED NODE READINESS GATES',
        expect.stringMatching(/^one 1\/1 Running 0 \ds 10\.88\.0\.7 n1 <none> <none>$/),
        expect.stringMatching(/^two 0\/1 Pending 0 \ds <none> <none> <none> <none>$/),
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

    it.concurrent('get says what is not there', async () => {
      const { namespace } = await scene()
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

    it.concurrent('get -o yaml is the object with its kind', async () => {
      const one = await scene()
      await one.createPod('web')
      const yaml = await kubectl.must(['get', 'pod', 'web', '-n', one.namespace, '-o', 'yaml'])
      expect(yaml).toMatch(/^apiVersion: v1\nkind: Pod\nmetadata:\n/)
      expect(yaml).toContain(`namespace: ${one.namespace}\n`)
      const list = await kubectl.must(['get', 'pods', '-n', one.namespace, '-o', 'yaml'])
      expect(list).toMatch(/^apiVersion: v1\nitems:\n- apiVersion: v1\n {2}kind: Pod\n/)
    })

    it.concurrent('get -w prints changes as they happen', async () => {
      const one = await scene()
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
      expect(lines(stdout)[0]).toMatch(/^web 0\/1 Pending 0 \ds$/)
    })

    it.concurrent(
      'get -w --output-watch-events shows a forced deletion as MODIFIED, then DELETED',
      async () => {
        const one = await scene()
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
        await kubectl.must([
          'delete',
          'pod',
          'web',
          '-n',
          one.namespace,
          '--force',
          '--grace-period=0',
        ])
        await watch.printed(/DELETED/)
        const { stdout } = await watch.interrupt()
        expect(lines(stdout)).toEqual(['ADDED', 'MODIFIED 0', 'DELETED 0'])
      },
    )

    it.concurrent('create namespace, in protobuf since 1.32', async () => {
      const name = `${prefix}-made`
      expect(await kubectl.must(['create', 'namespace', name])).toBe(`namespace/${name} created\n`)
      expect(lines(await kubectl.must(['get', 'namespace', name]))).toEqual([
        'NAME STATUS AGE',
        expect.stringMatching(`^${name} Active \\ds$`),
      ])
    })

    it.concurrent(
      'create of a kind that only comes in protobuf names a way that works',
      async () => {
        const { namespace } = await scene()
        const { code, stderr } = await kubectl.run([
          'create',
          'deployment',
          'web',
          '--image=x',
          '-n',
          namespace,
        ])
        expect(code).toBe(1)
        const minor = Number(/^v1\.(\d+)/.exec(program.version)?.[1])
        expect(stderr).toContain(
          minor >= 32 ? 'kubectl apply -f' : 'could not find the requested resource',
        )
      },
    )

    it.concurrent('create -f, and again', async () => {
      const { namespace } = await scene()
      const create = ['create', '-n', namespace, '-f', '-']
      expect(await kubectl.must(create, podYaml('web'))).toBe('pod/web created\n')
      const again = await kubectl.run(create, podYaml('web'))
      expect(again.stderr).toBe(
        'Error from server (AlreadyExists): error when creating "STDIN": pods "web" already exists\n',
      )
    })

    it.concurrent('run creates a pod', async () => {
      const { namespace } = await scene()
      const args = ['run', 'web', '--image=x', '-n', namespace, '--restart=Never']
      expect(await kubectl.must(args)).toBe('pod/web created\n')
    })

    it.concurrent('apply creates, leaves alone, changes', async () => {
      const one = await scene()
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

    it.concurrent('apply takes a pod with all the usual fields', async () => {
      const { namespace } = await scene()
      const apply = ['apply', '-n', namespace, '-f', '-']
      expect(await kubectl.must(apply, fullPodYaml)).toBe('pod/full created\n')
      expect(await kubectl.must(apply, fullPodYaml)).toBe('pod/full unchanged\n')
    })

    it.concurrent(
      'apply refuses fields that do not exist and values of the wrong type',
      async () => {
        const { namespace } = await scene()
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
      },
    )

    it.concurrent('apply --validate=warn warns and goes on without the field', async () => {
      const one = await scene()
      const apply = ['apply', '-n', one.namespace, '--validate=warn', '-f', '-']
      const { code, stderr } = await kubectl.run(
        apply,
        podYaml('web', { extra: '  hostNetwrk: true\n' }),
      )
      expect([code, stderr]).toEqual([0, 'Warning: unknown field "spec.hostNetwrk"\n'])
      expect(await sandbox.find(one.pathOf('web'))).not.toHaveProperty('spec.hostNetwrk')
    })

    it.concurrent('delete waits until the pod is gone', async () => {
      const one = await scene()
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

    it.concurrent('delete of a pod on no node, with force, and without waiting', async () => {
      const one = await scene()
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

    it.concurrent('label and annotate set, change and take away', async () => {
      const one = await scene()
      await one.createPod('web', { labels: { app: 'web' } })
      const on = (...args: string[]): Promise<string> =>
        kubectl.must([...args, '-n', one.namespace])
      expect(await on('label', 'pod', 'web', 'tier=front')).toBe('pod/web labeled\n')
      expect(await on('label', 'pod', 'web', 'tier=back', '--overwrite')).toBe('pod/web labeled\n')
      expect(await on('label', 'pod', 'web', 'app-')).toBe('pod/web unlabeled\n')
      expect(await on('annotate', 'pod', 'web', 'note=hello')).toBe('pod/web annotated\n')
      expect(await sandbox.find(one.pathOf('web'))).toMatchObject({
        metadata: { labels: { tier: 'back' }, annotations: { note: 'hello' } },
      })
    })

    it.concurrent('patch in its three ways, and replace', async () => {
      const one = await scene()
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

    it.concurrent('events and get events show what happened', async () => {
      const one = await scene()
      const pod = await one.createPod('web')
      await one.recordEvent(pod, 'Started', 'Started container c')
      const events = lines(await kubectl.must(['events', '-n', one.namespace, '--for', 'pod/web']))
      expect(events).toEqual([
        'LAST SEEN TYPE REASON OBJECT MESSAGE',
        expect.stringMatching(/^\ds Normal Started Pod\/web Started container c$/),
      ])
      const table = lines(await kubectl.must(['get', 'events', '-n', one.namespace]))
      expect(table).toEqual([
        'LAST SEEN TYPE REASON OBJECT MESSAGE',
        expect.stringMatching(/^\ds Normal Started pod\/web Started container c$/),
      ])
    })

    it.concurrent('describe pod shows status, conditions and events', async () => {
      const one = await scene()
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
          expect.stringMatching(/^ Normal Started \ds kubelet Started container c$/),
        ]),
      )
    })

    it.concurrent('describe node shows lease, conditions and its pods', async () => {
      const one = await scene()
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
      expect(
        lines(await kubectl.must(['get', 'node', name, '-o', 'wide', '--no-headers'])),
      ).toEqual([
        expect.stringMatching(
          `^${name} Ready worker \\ds v1\\.34\\.0 10\\.0\\.0\\.1 <none> Simulated 6\\.1 sim://1$`,
        ),
      ])
    })

    it.concurrent('cordon, taint and uncordon a node', async () => {
      const name = `${prefix}-taint`
      await createNode(sandbox, name)
      await kubectl.must(['cordon', name])
      await kubectl.must(['taint', 'node', name, 'a=b:NoSchedule'])
      expect(await kubectl.must(['get', 'node', name])).toContain('Ready,SchedulingDisabled')
      await kubectl.must(['uncordon', name])
      await kubectl.must(['taint', 'node', name, 'a-'])
      const node = await sandbox.find(`/api/v1/nodes/${name}`)
      expect(node).not.toHaveProperty('spec.unschedulable', true)
      // The server's own, from its admission: nobody has set the node ready.
      const own = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }
      expect(node).toHaveProperty('spec.taints', [own])
    })

    it.concurrent('drain evicts the pods of a node', async () => {
      const one = await scene()
      const name = `${prefix}-drain`
      await createNode(sandbox, name)
      await one.createPod('web', { node: name })
      const drain = kubectl.start(['drain', name, '--force', '--timeout=20s'])
      await one.finishDeletion('web')
      const { code, stdout } = await drain.done
      expect([code, stdout]).toEqual([0, expect.stringContaining('pod/web evicted')])
    })

    it.concurrent('wait sees a condition, a phase and a deletion', async () => {
      const one = await scene()
      await one.createPod('web', { node: 'n1' })
      const wait = (...args: string[]): RunningKubectl =>
        kubectl.start(['wait', 'pod/web', '-n', one.namespace, '--timeout=20s', ...args])
      const ready = wait('--for=condition=Ready')
      const phase = wait('--for=jsonpath={.status.phase}=Running')
      const gone = wait('--for=delete')
      await one.setRunning('web')
      expect((await ready.done).stdout).toBe('pod/web condition met\n')
      expect((await phase.done).stdout).toBe('pod/web condition met\n')
      await sandbox.ask('DELETE', one.pathOf('web'), { gracePeriodSeconds: 0 })
      expect((await gone.done).code).toBe(0)
    })

    it.concurrent('wait gives up after its time', async () => {
      const one = await scene()
      await one.createPod('web')
      const { code, stderr } = await kubectl.run([
        'wait',
        'pod/web',
        '-n',
        one.namespace,
        '--for=condition=Ready',
        '--timeout=1s',
      ])
      expect([code, stderr]).toEqual([
        1,
        'error: timed out waiting for the condition on pods/web\n',
      ])
    })

    it.concurrent('--as does it in another name', async () => {
      const { namespace } = await scene()
      const args = ['create', '-n', namespace, '--as=jane', '-f', '-']
      expect(await kubectl.must(args, podYaml('web'))).toBe('pod/web created\n')
      expect(sandbox.users).toContain('jane')
    })

    it.concurrent('explain tells about fields', async () => {
      const output = await kubectl.must(['explain', 'pod.spec.terminationGracePeriodSeconds'])
      expect(output).toContain('FIELD: terminationGracePeriodSeconds <integer>')
      expect(output).toContain('Seconds between SIGTERM and SIGKILL')
    })

    it.concurrent('get --raw reads the health of the server', async () => {
      expect(await kubectl.must(['get', '--raw', '/readyz'])).toBe('ok')
    })
  })

  it('get -w ends when the sandbox stops', async () => {
    const own = await startSandbox(join(folder, 'stopping'))
    const program = kubectls.at(-1)
    if (program === undefined) throw new Error('no kubectl')
    const kubectl = await kubectlAt(program, join(folder, 'stopping'), own.kubeconfig)
    const one = await newScene(own, 'stopping')
    await one.createPod('web')
    const watch = kubectl.start(['get', 'pods', '-n', 'stopping', '-w'])
    await watch.printed(/web/)
    await own.stop()
    await watch.done
    const { code, stderr } = await kubectl.run(['get', 'pods'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('was refused')])
  })

  it('left nothing in the log of the server', () => {
    expect(sandbox.logged).toEqual([])
  })
})
