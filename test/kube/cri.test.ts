import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveCri } from '../../src/main/cri/serve-cri.ts'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import { reportComparison, reportMissing } from './comparison.ts'
import { findParts } from './control-plane.ts'
import { KubeletClient } from './cri/kubelet-client.ts'

// The CRI server as the kubelet's own client sees it: k8s.io/cri-client, which checks what it gets.

const found = await findParts(['cri-client'], process.env)
// Hooks do not run where all tests are skipped.
if ('missing' in found) reportMissing('CRI server', found.missing)
const folder = mkdtempSync(join(tmpdir(), 'nodescope-cri-'))
const socketPath = join(folder, 'cri.sock')
const logs = join(folder, 'logs')
mkdirSync(join(logs, 'c'), { recursive: true })

let client: KubeletClient
let stopServer = (): void => undefined

beforeAll(async () => {
  if ('missing' in found) return
  const server = await serveCri({ socketPath, seed: 1, log: new FakeLog() })
  if (!server.ok) throw new Error(server.error)
  stopServer = server.value.stop
  client = new KubeletClient(found.files.get('cri-client') ?? '', socketPath)
})

afterAll(() => {
  if (!('missing' in found)) {
    reportComparison('CRI server', `${client.asked} calls of the kubelet’s own client`)
    client.stop()
  }
  stopServer()
  rmSync(folder, { recursive: true, force: true })
})

const image = 'busybox:1.36'
const imageId = expect.stringMatching(/^sha256:[0-9a-f]{64}$/)
const soon = expect.closeTo(Date.now() * 1e6, -14)

function sandboxConfig(name: string, network = 0) {
  return {
    metadata: { name, uid: `uid-${name}`, namespace: 'ns', attempt: 1 },
    hostname: name,
    log_directory: logs,
    labels: { 'io.kubernetes.pod.uid': `uid-${name}`, app: name },
    annotations: { note: 'a b' },
    linux: {
      cgroup_parent: '/kubepods',
      security_context: { namespace_options: { network, pid: 1 } },
    },
  }
}

function containerConfig(script: string, more: object = {}) {
  return {
    metadata: { name: 'c', attempt: 3 },
    image: { image, user_specified_image: image },
    command: ['sh', '-c'],
    args: [script],
    envs: [{ key: 'GREETING', value: 'hello' }],
    mounts: [{ container_path: '/data', host_path: '/host', readonly: true }],
    labels: { 'io.kubernetes.container.name': 'c' },
    annotations: { 'io.kubernetes.container.hash': 'x' },
    log_path: 'c/3.log',
    linux: { resources: { cpu_shares: 102, memory_limit_in_bytes: 1_000_000 } },
    ...more,
  }
}

async function started(pod: string, script: string, more: object = {}) {
  const config = sandboxConfig(pod)
  await client.call('PullImage', { image })
  const sandbox = await client.call('RunPodSandbox', { config })
  const container = await client.call('CreateContainer', {
    id: sandbox,
    config,
    container: containerConfig(script, more),
  })
  expect(await client.call('StartContainer', { id: container })).toBe('done')
  return { sandbox: String(sandbox), container: String(container) }
}

describe.skipIf('missing' in found)('the CRI server', () => {
  it('tells its version and that it is ready', async () => {
    expect(await client.call('Version')).toEqual({
      version: '0.1.0',
      runtime_name: 'simulated',
      runtime_version: '0.1.0',
      runtime_api_version: 'v1',
    })
    expect(await client.call('Status')).toEqual({
      status: {
        conditions: [
          { type: 'RuntimeReady', status: true },
          { type: 'NetworkReady', status: true },
        ],
      },
      runtime_handlers: [{}, { name: 'runc' }, { name: 'runsc' }],
      features: {},
    })
    expect(await client.call('RuntimeConfig')).toEqual({ linux: { cgroup_driver: 1 } })
    expect(await client.call('UpdateRuntimeConfig')).toBe('done')
  })

  it('pulls, lists, shows and removes images', async () => {
    expect(await client.call('ImageStatus', { image: 'alpine:3' })).toEqual({})
    const pulled = await client.call('PullImage', { image: 'alpine:3' })
    const alpine = {
      id: pulled,
      repo_tags: ['docker.io/library/alpine:3'],
      repo_digests: [expect.stringMatching(/^docker.io\/library\/alpine@sha256:[0-9a-f]{64}$/)],
      size: 3_634_744,
      spec: { image: 'docker.io/library/alpine:3' },
    }
    expect(await client.call('ImageStatus', { image: pulled })).toEqual({ image: alpine })
    expect(await client.call('ListImages', { image: 'alpine:3' })).toEqual([alpine])
    await client.call('PullImage', { image: 'nginxinc/nginx-unprivileged:1' })
    expect(
      await client.call('ImageStatus', { image: 'nginxinc/nginx-unprivileged:1' }),
    ).toMatchObject({ image: { uid: { value: 101 } } })
    expect(await client.call('ImageFsInfo')).toMatchObject({
      image_filesystems: [{ fs_id: { mountpoint: folder }, inodes_used: { value: 3 } }],
      container_filesystems: [{ fs_id: { mountpoint: folder } }],
    })
    expect(await client.call('RemoveImage', { image: 'alpine:3' })).toBe('done')
    expect(await client.call('RemoveImage', { image: 'alpine:3' })).toBe('done')
    expect(await client.call('ImageStatus', { image: 'alpine:3' })).toEqual({})
  })

  it('runs a pod from its sandbox to its removal', async () => {
    const { sandbox, container } = await started(
      'life',
      'echo $GREETING from $HOSTNAME; echo oops >&2; trap "exit 5" TERM; while true; do sleep 1; done',
    )
    const { metadata, labels, annotations } = sandboxConfig('life')
    const listed = { id: sandbox, metadata, created_at: soon, labels, annotations }
    const filter = { label_selector: { 'io.kubernetes.pod.uid': 'uid-life' } }
    expect(await client.call('ListPodSandbox', { sandboxFilter: filter })).toEqual([listed])
    expect(await client.call('PodSandboxStatus', { id: sandbox })).toMatchObject({
      status: {
        ...listed,
        network: { ip: expect.stringMatching(/^127\.\d+\.0\.\d+$/) },
        linux: { namespaces: { options: { pid: 1 } } },
      },
    })
    const ofContainer = {
      id: container,
      metadata: { name: 'c', attempt: 3 },
      image: { image: 'docker.io/library/busybox:1.36' },
      image_ref: imageId,
      image_id: imageId,
      state: 1,
      created_at: soon,
      labels: { 'io.kubernetes.container.name': 'c' },
      annotations: { 'io.kubernetes.container.hash': 'x' },
    }
    expect(
      await client.call('ListContainers', {
        filter: { pod_sandbox_id: sandbox, state: { state: 1 } },
      }),
    ).toEqual([{ ...ofContainer, pod_sandbox_id: sandbox }])
    expect(await client.call('ContainerStatus', { id: container })).toMatchObject({
      status: {
        ...ofContainer,
        started_at: soon,
        log_path: join(logs, 'c/3.log'),
        mounts: [{ container_path: '/data', host_path: '/host', readonly: true }],
        resources: { linux: { cpu_shares: 102, memory_limit_in_bytes: 1_000_000 } },
      },
    })
    expect(await client.call('StopContainer', { id: container, seconds: 10 })).toBe('done')
    expect(await client.call('ContainerStatus', { id: container })).toMatchObject({
      status: { state: 2, exit_code: 5, reason: 'Error', finished_at: soon },
    })
    expect(readFileSync(join(logs, 'c/3.log'), 'utf8')).toMatch(
      /^\S+Z stdout F hello from life\n\S+Z stderr F oops\n$/,
    )
    expect(await client.call('RemoveContainer', { id: container })).toBe('done')
    expect(await client.call('RemoveContainer', { id: container })).toBe('done')
    expect(await client.call('StopPodSandbox', { id: sandbox })).toBe('done')
    expect(await client.call('PodSandboxStatus', { id: sandbox })).toMatchObject({
      status: { state: 1, network: {} },
    })
    expect(await client.call('RemovePodSandbox', { id: sandbox })).toBe('done')
    expect(await client.call('ListPodSandbox', { sandboxFilter: { id: sandbox } })).toBeNull()
  })

  it('has no address for a sandbox on the host’s network', async () => {
    const config = sandboxConfig('host', 2)
    const sandbox = await client.call('RunPodSandbox', { config })
    expect(await client.call('PodSandboxStatus', { id: sandbox })).toMatchObject({
      status: { network: {}, linux: { namespaces: { options: { network: 2, pid: 1 } } } },
    })
  })

  it('kills a container that ignores SIGTERM, and those of a sandbox that is stopped', async () => {
    const { sandbox, container } = await started('deaf', 'trap "" TERM; sleep 1000')
    await client.call('StopContainer', { id: container, seconds: 1 })
    const killed = { status: { state: 2, exit_code: 137, reason: 'Error' } }
    expect(await client.call('ContainerStatus', { id: container })).toMatchObject(killed)
    const other = await started('deaf-2', 'sleep 1000', { log_path: '' })
    await client.call('StopPodSandbox', { id: other.sandbox })
    expect(await client.call('ContainerStatus', { id: other.container })).toMatchObject(killed)
    expect(await client.call('StopContainer', { id: 'gone', seconds: 1 })).toBe('done')
    expect(await client.call('StopPodSandbox', { id: sandbox })).toBe('done')
  })

  it('runs commands in a container', async () => {
    const { container } = await started('exec', 'sleep 1000')
    const exec = (cmd: readonly string[], seconds = 0) =>
      client.call('ExecSync', { id: container, cmd, seconds })
    expect(await exec(['echo', 'a b'])).toEqual({ stdout: 'a b\n', stderr: '', exitCode: 0 })
    expect(await exec(['sh', '-c', 'echo no >&2; exit 4'])).toEqual({
      stdout: '',
      stderr: 'no\n',
      exitCode: 4,
    })
    // The client's own words for DeadlineExceeded.
    expect(await exec(['sleep', '9'], 1)).toBe(
      'Unknown: command timed out: "sleep 9" timed out after 1s',
    )
    expect(await exec(['vi', 's'])).toMatch(/^Unimplemented: .* does not run this command/)
    expect(await exec([])).toBe('InvalidArgument: cmd cannot be empty')
    const { container: ended } = await started('exec-2', 'true')
    expect(await client.call('ExecSync', { id: ended, cmd: ['true'] })).toBe(
      'Unknown: failed to exec in container: container is in CONTAINER_EXITED state',
    )
  })

  it('streams commands, the output of a container, and refused connections', async () => {
    const script = 'sleep 1; echo one; sleep 1; echo two >&2; sleep 1; exit 1'
    const { sandbox, container } = await started('streams', script)
    const all = { container_id: container, stdout: true, stderr: true }
    const exec = (cmd: readonly string[], more: object = {}) =>
      client.call('StreamExec', { exec: { ...all, cmd, ...more } })
    expect(await client.call('StreamAttach', { attach: all })).toEqual({
      stdout: 'one\n',
      stderr: 'two\n',
      error: '',
    })
    const other = await started('streams-2', 'sleep 1000')
    all.container_id = other.container
    expect(await exec(['sh', '-c', 'echo a; echo b >&2; sleep 1; echo c'])).toEqual({
      stdout: 'a\nc\n',
      stderr: 'b\n',
      error: '',
    })
    expect(await exec(['sh', '-c', 'echo a; exit 7'], { stdin: true })).toEqual({
      stdout: 'a\n',
      stderr: '',
      error: 'command terminated with exit code 7',
    })
    const onTerminal = { tty: true, stderr: false }
    expect(await exec(['sh', '-c', 'echo a; echo b >&2'], onTerminal)).toEqual({
      stdout: 'a\r\nb\r\n',
      stderr: '',
      error: '',
    })
    expect(await exec(['wc', '-c'], { stdin: true })).toMatchObject({ stdout: '200000\n' })
    expect(await exec(['vi', 's'])).toMatchObject({
      stdout: '',
      error: expect.stringContaining('the simulated runtime does not run this command: '),
    })
    expect(
      await client.call('StreamForward', {
        forward: { pod_sandbox_id: other.sandbox },
        seconds: 80,
      }),
    ).toEqual({
      protocol: 'portforward.k8s.io',
      error: expect.stringMatching(/localhost:80 .*connection refused $/),
      data: '',
    })
    expect(await client.call('PortForward', { forward: { pod_sandbox_id: sandbox } })).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{22}$/),
    })
  })

  it('has statistics of what runs', async () => {
    const { sandbox, container } = await started('stats', 'sleep 1000')
    const attributes = { id: container, metadata: { name: 'c', attempt: 3 } }
    const stats = {
      attributes,
      cpu: { timestamp: soon, usage_nano_cores: { value: expect.any(Number) } },
      memory: { working_set_bytes: { value: 1_000_000 } },
      writable_layer: { fs_id: { mountpoint: folder }, used_bytes: { value: 12_288 } },
    }
    expect(await client.call('ContainerStats', { id: container })).toMatchObject(stats)
    const statsFilter = { pod_sandbox_id: sandbox }
    expect(await client.call('ListContainerStats', { statsFilter })).toMatchObject([stats])
    const ofSandbox = {
      attributes: { id: sandbox, labels: { app: 'stats' } },
      linux: {
        memory: { working_set_bytes: { value: 1_000_000 } },
        network: { default_interface: { name: 'eth0' } },
        process: { process_count: { value: 1 } },
        containers: [stats],
      },
    }
    expect(await client.call('PodSandboxStats', { id: sandbox })).toMatchObject(ofSandbox)
    const podStatsFilter = { label_selector: { app: 'stats' } }
    expect(await client.call('ListPodSandboxStats', { podStatsFilter })).toMatchObject([ofSandbox])
    const resources = { linux: { memory_limit_in_bytes: 700_000 } }
    await client.call('UpdateContainerResources', { id: container, resources })
    expect(await client.call('ContainerStatus', { id: container })).toMatchObject({
      status: { resources: { linux: { cpu_shares: 102, memory_limit_in_bytes: 700_000 } } },
    })
    expect(await client.call('ReopenContainerLog', { id: container })).toBe('done')
  })

  it('finds sandboxes and containers by a prefix of their ids, as crictl asks for them', async () => {
    const { sandbox, container } = await started('short', 'sleep 1000')
    const [ofSandbox, ofContainer] = [sandbox.slice(0, 13), container.slice(0, 13)]
    expect(await client.call('ContainerStats', { id: ofContainer })).toMatchObject({
      attributes: { id: container },
    })
    expect(await client.call('ListContainers', { filter: { id: ofContainer } })).toMatchObject([
      { id: container },
    ])
    expect(await client.call('ListPodSandbox', { sandboxFilter: { id: ofSandbox } })).toMatchObject(
      [{ id: sandbox }],
    )
    expect(await client.call('StopPodSandbox', { id: ofSandbox })).toBe('done')
    expect(await client.call('RemovePodSandbox', { id: ofSandbox })).toBe('done')
    expect(await client.call('ListContainers', { filter: { id: container } })).toBeNull()
  })

  const config = sandboxConfig('bad')
  const unnamed = { metadata: { name: 'c' } }
  const container = containerConfig('true')
  const forStreams = { container_id: 'x', cmd: ['sh'], stdout: true }
  it.each([
    ['ContainerStatus', /^NotFound: .*"x": not found$/, { id: 'x' }],
    ['PodSandboxStatus', /^NotFound: .*sandbox: not found$/, { id: 'x' }],
    ['ContainerStats', /^NotFound: /, { id: 'x' }],
    ['StartContainer', /^NotFound: /, { id: 'x' }],
    ['ExecSync', /^NotFound: /, { id: 'x', cmd: ['true'] }],
    ['RunPodSandbox', /^InvalidArgument: sandbox config must include metadata$/, {}],
    [
      'RunPodSandbox',
      /^Unknown: .*no runtime for "kata" is configured$/,
      { config, handler: 'kata' },
    ],
    [
      'CreateContainer',
      /^InvalidArgument: container config must include metadata$/,
      { id: 'x', config },
    ],
    [
      'CreateContainer',
      /^InvalidArgument: container config must include an image$/,
      { id: 'x', config, container: unnamed },
    ],
    [
      'CreateContainer',
      /^NotFound: failed to find sandbox id "x": not found$/,
      { id: 'x', config, container },
    ],
    [
      'PullImage',
      /^NotFound: failed to pull and unpack image "docker.io\/library\/nginx:missing"/,
      { image: 'nginx:missing' },
    ],
    ['PullImage', /^Unknown: failed to parse image reference "UPPER"/, { image: 'UPPER' }],
    ['Exec', /^NotFound: /, { exec: forStreams }],
    ['PortForward', /^NotFound: /, { forward: { pod_sandbox_id: 'x' } }],
    ['CheckpointContainer', /^Unimplemented: /, { checkpoint: { container_id: 'x' } }],
  ])('refuses %s with %s', async (call, refusal, given) => {
    expect(await client.call(call, given)).toMatch(refusal)
  })
})
