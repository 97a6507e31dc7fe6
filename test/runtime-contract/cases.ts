import type { RuntimeImage } from '../../src/main/kubelet/ports.ts'
import { ok } from '../../src/shared/result.ts'
import { valueOf, type Answers, type RuntimePorts } from './answers.ts'
import type { ContractConfigs } from './configs.ts'

type Case = (runtime: RuntimePorts, answers: Answers, configs: ContractConfigs) => Promise<void>

async function untilExited(runtime: RuntimePorts, id: string): Promise<void> {
  for (;;) {
    const status = valueOf(await runtime.containerStatus(id))
    if (status.state === 'exited') return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function environmentOf(runtime: RuntimePorts, id: string) {
  if (runtime.containerEnvironment === undefined) throw new Error('the runtime does not tell it')
  return runtime.containerEnvironment(id)
}

/** A runtime lists its images in any order. */
async function sorted(
  images: ReturnType<RuntimePorts['listImages']>,
): ReturnType<RuntimePorts['listImages']> {
  const listed = await images
  const nameOf = ({ repoTags }: RuntimeImage): string => repoTags?.[0] ?? ''
  if (!listed.ok) return listed
  return ok(listed.value.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)))
}

/** The calls of the contract, with answers that are the same for each runtime. */
export const contractCases: Readonly<Record<string, Case>> = {
  'the runtime itself': async (runtime, answers) => {
    await answers.of('version', runtime.getVersion())
    await answers.of('status', runtime.status())
    await answers.of('config', runtime.runtimeConfig())
    await answers.of('podCidr', runtime.updateRuntimeConfig({ podCidr: '10.1.0.0/16' }))
    answers.steps.push(['name', [runtime.name, runtime.version]])
  },
  sandboxes: async (runtime, answers, { sandbox, hostSandbox }) => {
    const id = valueOf(await answers.of('run', runtime.runPodSandbox(sandbox)))
    const host = valueOf(await answers.of('run', runtime.runPodSandbox(hostSandbox)))
    await answers.of('twice', runtime.runPodSandbox(sandbox))
    const other = { ...sandbox, metadata: { ...sandbox.metadata, uid: 'uid-3' } }
    await answers.of('handler', runtime.runPodSandbox(other, [], 'kata'))
    await answers.of('handler again', runtime.runPodSandbox(other, [], 'kata'))
    await answers.of('status', runtime.podSandboxStatus(id))
    await answers.of('host status', runtime.podSandboxStatus(host))
    await answers.of('stop', runtime.stopPodSandbox(id))
    await answers.of('stop again', runtime.stopPodSandbox(id))
    await answers.of('stopped', runtime.podSandboxStatus(id))
    const filters = [
      undefined,
      {},
      { id },
      { id: 'x' },
      { state: 'ready' },
      { state: 'notready' },
      { podUid: 'uid-2' },
      { podUid: 'uid-1', state: 'ready' },
      { labelSelector: { app: 'web' } },
    ] as const
    for (const filter of filters)
      await answers.listOf('sandbox', JSON.stringify(filter), runtime.listPodSandboxes(filter))
    await answers.of('remove', runtime.removePodSandbox(id))
    await answers.of('remove again', runtime.removePodSandbox(id))
    await answers.of('removed', runtime.podSandboxStatus(id))
    await answers.of('no stats', runtime.podSandboxStats(id))
    await answers.of('no port', runtime.portForward({ podSandboxId: id, ports: [80] }))
  },
  containers: async (runtime, answers, { sandbox, container, resources }) => {
    const podSandboxId = valueOf(await runtime.runPodSandbox(sandbox))
    const made = runtime.createContainer(podSandboxId, container, sandbox)
    const id = valueOf(await answers.of('create', made))
    await answers.of('created', runtime.containerStatus(id))
    await answers.of('exec early', runtime.execSync(id, ['true'], 0))
    await answers.of('start', runtime.startContainer(id))
    await answers.of('start again', runtime.startContainer(id))
    await answers.of('running', runtime.containerStatus(id))
    await answers.of('environment', environmentOf(runtime, id))
    const filters = [
      undefined,
      { id },
      { state: 'running' },
      { state: 'exited' },
      { podSandboxId },
      { podUid: 'uid-1' },
      { podUid: 'uid-2' },
      { labelSelector: { 'io.kubernetes.container.name': 'c' } },
    ] as const
    for (const filter of filters)
      await answers.listOf('container', JSON.stringify(filter), runtime.listContainers(filter))
    await answers.of('echo', runtime.execSync(id, ['sh', '-c', 'echo ü; echo e >&2; exit 3'], 5))
    await answers.of('resources', runtime.updateContainerResources(id, resources))
    await answers.of('updated', runtime.containerStatus(id))
    await answers.of('reopen', runtime.reopenContainerLog(id))
    const streams = { tty: false, stdin: false, stdout: true, stderr: true }
    await answers.of('exec', runtime.exec({ containerId: id, cmd: ['ls'], ...streams }))
    await answers.of('attach', runtime.attach({ containerId: id, ...streams }))
    await answers.of('forward', runtime.portForward({ podSandboxId, ports: [80] }))
    await answers.of('stop', runtime.stopContainer(id, 2))
    await answers.of('exited', runtime.containerStatus(id))
    await answers.of('stop again', runtime.stopContainer(id, 2))
    await answers.of('remove', runtime.removeContainer(id))
    await answers.of('remove again', runtime.removeContainer(id))
    await answers.of('status', runtime.containerStatus(id))
    await answers.of('start removed', runtime.startContainer(id))
    await answers.of('exec removed', runtime.execSync(id, ['true'], 0))
    await answers.of('log removed', runtime.reopenContainerLog(id))
    await answers.of('stats removed', runtime.containerStats(id))
    await answers.of('update removed', runtime.updateContainerResources(id, {}))
    await answers.of('sandbox', runtime.createContainer('x', container, sandbox))
    const unknownImage = { ...container, image: 'absent:1' }
    await answers.of('image', runtime.createContainer(podSandboxId, unknownImage, sandbox))
  },
  'containers with an exit code': async (runtime, answers, { sandbox }) => {
    const podSandboxId = valueOf(await runtime.runPodSandbox(sandbox))
    const config = { name: 'e', attempt: 0, image: 'busybox:1.36', envs: [] }
    const id = valueOf(
      await runtime.createContainer(
        podSandboxId,
        { ...config, command: ['sh', '-c', 'exit 7'], args: [], labels: {}, annotations: {} },
        sandbox,
      ),
    )
    await runtime.startContainer(id)
    await untilExited(runtime, id)
    await answers.of('exited', runtime.containerStatus(id))
    await answers.of('exec', runtime.execSync(id, ['true'], 1))
  },
  'programs that the image does not have': async (runtime, answers, { sandbox }) => {
    const podSandboxId = valueOf(await runtime.runPodSandbox(sandbox))
    const config = { attempt: 0, image: 'busybox:1.36', envs: [], labels: {}, annotations: {} }
    const create = async (name: string, command: readonly string[]): Promise<string> =>
      valueOf(
        await runtime.createContainer(
          podSandboxId,
          { ...config, name, command, args: [] },
          sandbox,
        ),
      )
    const commands = [['absent'], ['/no/such/program', 'x'], ['/etc/passwd'], ['/etc'], ['./x']]
    for (const [index, command] of commands.entries()) {
      const id = await create(`c${index}`, command)
      await answers.of(`start ${command[0]}`, runtime.startContainer(id))
      await answers.of(`status ${command[0]}`, runtime.containerStatus(id))
    }
    const id = await create('sleeps', ['sleep', '60'])
    await runtime.startContainer(id)
    for (const command of commands)
      await answers.of(`exec ${command[0]}`, runtime.execSync(id, command, 5))
    const script = 'absent; echo $?; /no/such; echo $?; /etc/passwd; echo $?; /etc; echo $?'
    await answers.of('shell', runtime.execSync(id, ['sh', '-c', script], 5))
    await answers.of('last', runtime.execSync(id, ['sh', '-c', 'absent'], 5))
    await answers.of('no script', runtime.execSync(id, ['sh', '/no.sh'], 5))
    const writes = "printf '#!/bin/sh\\necho $1 $#\\nexit 4\\n' > /run.sh"
    await answers.of('script', runtime.execSync(id, ['sh', '-c', writes], 5))
    await answers.of('denied', runtime.execSync(id, ['/run.sh', 'a'], 5))
    await answers.of('read', runtime.execSync(id, ['sh', '/run.sh', 'a', 'b'], 5))
    await answers.of('mode', runtime.execSync(id, ['chmod', 'u+x', '/run.sh'], 5))
    await answers.of('executed', runtime.execSync(id, ['/run.sh', 'a'], 5))
  },
  'what a program knows of itself': async (runtime, answers, { sandbox }) => {
    const podSandboxId = valueOf(await runtime.runPodSandbox(sandbox))
    const config = {
      attempt: 0,
      image: 'busybox:1.36',
      command: ['sleep', '60'],
      args: [],
      envs: [
        { key: 'B', value: 'two words' },
        { key: 'A', value: '' },
      ],
      labels: {},
      annotations: {},
    }
    for (const runAsUser of [0, 1234]) {
      const linux = {
        securityContext: {
          namespaceOptions: { pid: 'CONTAINER' } as const,
          runAsUser,
          runAsGroup: runAsUser * 3,
          supplementalGroups: runAsUser === 0 ? [] : [4000, 2000],
        },
      }
      const id = valueOf(
        await runtime.createContainer(
          podSandboxId,
          { ...config, name: `u${runAsUser}`, linux },
          sandbox,
        ),
      )
      await runtime.startContainer(id)
      const commands = [
        ['env'],
        ['sh', '-c', 'X=1; export Y=2; Z=3 env | sort'],
        ['id'],
        ['id', '-u'],
        ['id', '-g'],
        ['id', '-G'],
        ['uname'],
        [
          'sh',
          '-c',
          String.raw`echo -e "a\tb\n\x41\0102\q"; echo "a\tb"; echo -e "a\cb"; echo -ne "c\n"`,
        ],
      ]
      for (const command of commands)
        await answers.of(command.join(' '), runtime.execSync(id, command, 5))
    }
  },
  statistics: async (runtime, answers, { sandbox, container }) => {
    const podSandboxId = valueOf(await runtime.runPodSandbox(sandbox))
    const made = await runtime.createContainer(podSandboxId, container, sandbox)
    const id = valueOf(made)
    await runtime.startContainer(id)
    await answers.of('one', runtime.containerStats(id))
    await answers.of('list', runtime.listContainerStats())
    await answers.of('by sandbox', runtime.listContainerStats({ podSandboxId }))
    await answers.of('none', runtime.listContainerStats({ labelSelector: { a: 'b' } }))
    await answers.of('pod', runtime.podSandboxStats(podSandboxId))
    await answers.of('pods', runtime.listPodSandboxStats({ id: podSandboxId }))
    await answers.of('no pod', runtime.listPodSandboxStats({ labelSelector: { a: 'b' } }))
  },
  images: async (runtime, answers) => {
    await answers.of('list', sorted(runtime.listImages()))
    await answers.of('present', runtime.imageStatus('busybox:1.36'))
    await answers.of('with a user', runtime.imageStatus('bitnami/redis:7'))
    await answers.of('absent', runtime.imageStatus('nginx:1'))
    await answers.of('pull', runtime.pullImage('nginx:1'))
    await answers.of('pulled', runtime.listImages('nginx:1'))
    await answers.of('missing', runtime.pullImage('nginx:missing'))
    await answers.of('remove', runtime.removeImage('nginx:1'))
    await answers.of('removed', runtime.removeImage('nginx:1'))
    await answers.of('gone', runtime.imageStatus('nginx:1'))
    await answers.of('disk', runtime.imageFsInfo())
  },
}
