import { connect } from 'node:net'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { loadKubeconfig } from '../../../src/main/cluster/kubeconfig/kubeconfig.ts'
import type { Events } from '../../../src/shared/ipc/contract.ts'
import type { LogPlace, LogQuery, PodLogs } from '../../../src/shared/model/pod-logs.ts'
import { findKubectls } from '../../kubectl/kubectl-programs.ts'
import { kubectlAt, type Kubectl } from '../../kubectl/kubectl.ts'
import { reportComparison, reportImpossible, reportMissing } from '../comparison.ts'
import { findParts } from '../control-plane.ts'
import { canUnshare, cannotUnshare } from '../cri/real-kubelet.ts'
import { administratorOf, must, type Administrator } from '../integration/administrator.ts'
import { startRealNode, type RealNode } from '../real-node.ts'
import { LookedAt } from './looked-at.ts'
import { UpgradeRelay } from './upgrade-relay.ts'

// Logs, terminals and forwarded ports of a cluster that is looked at, through a real API server and a real kubelet: what comes,
// what is asked for and how a refusal is worded is as with kubectl.

const found = await findParts(['etcd', 'kube-apiserver', 'kubelet'], process.env)
const program = (await findKubectls(process.env)).at(-1)
const isReal = !('missing' in found) && canUnshare() && program !== undefined

/** The API server asks its kubelet by this name, which leads to this machine. */
const node = 'localhost'
const stays = 'exec sleep 100000'
const pods = '/api/v1/namespaces/default/pods'
const whole: LogQuery = { container: 'c', previous: false, sinceSeconds: null, after: null }
const size = { columns: 80, rows: 24 }

const execId = /start exec "\w+"/

/** What kubectl says, without its own words around those of the server. */
function wordsOf(stderr: string): string {
  return stderr
    .trim()
    .replace(/^(?:error: |Error from server(?: \(\w+\))?: )/, '')
    .replace(/^(?:unable to upgrade|error upgrading) connection: /, '')
    .replace(execId, 'start exec')
}

describe.skipIf(!isReal)('streams of a cluster that is looked at', { timeout: 60_000 }, () => {
  let folder = ''
  let real: RealNode
  let relay: UpgradeRelay
  let admin: Administrator
  let kubectl: Kubectl
  let stranger: Kubectl
  let open: LookedAt | undefined
  let compared = 0
  const printed = new Map<number, string>()
  const ends = new Map<number, Events['terminal.ended']>()

  const runs = async (name: string, script: string, spec: object = {}): Promise<void> => {
    await admin.ask('POST', pods, {
      metadata: { name },
      spec: {
        nodeName: node,
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 1,
        containers: [{ name: 'c', image: 'busybox:1.36', command: ['sh', '-c', script] }],
        ...spec,
      },
    })
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nodescope-streams-'))
    real = await startRealNode(node, folder)
    const direct = join(folder, 'admin.kubeconfig')
    await writeFile(direct, real.kubeconfig)
    admin = await administratorOf(direct)
    const { credentials } = must(await loadKubeconfig({ file: direct, environment: {} }))
    relay = await UpgradeRelay.start(real.url, (await credentials.get()).tls)
    await writeFile(join(folder, 'relay.kubeconfig'), relay.kubeconfig())
    await writeFile(join(folder, 'stranger.kubeconfig'), relay.kubeconfig('ann'))
    if (program === undefined) return
    kubectl = await kubectlAt(program, folder, join(folder, 'relay.kubeconfig'))
    stranger = await kubectlAt(program, folder, join(folder, 'stranger.kubeconfig'))
    const verbs = ['get', 'list', 'watch']
    await admin.ask('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      metadata: { name: 'looks' },
      rules: [{ apiGroups: ['*'], resources: ['pods', 'nodes', 'leases', 'events'], verbs }],
    })
    await admin.ask('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'looks' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'looks' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ann' }],
    })
    await runs('counts', `for i in 1 2 3 4 5 6; do echo number $i; sleep 1; done; ${stays}`)
    const restarted = `if test -e /tmp/d/x; then echo second; ${stays}; fi; touch /tmp/d/x; echo first; exit 3`
    await runs('again', '', {
      volumes: [{ name: 'd', emptyDir: {} }],
      containers: [
        {
          name: 'c',
          image: 'busybox:1.36',
          command: ['sh', '-c', restarted],
          volumeMounts: [{ name: 'd', mountPath: '/tmp/d' }],
        },
      ],
    })
    await runs('shell', `echo ready; ${stays}`)
    await runs('over', 'echo done', { restartPolicy: 'Never' })
    await runs('waits', '', {
      containers: [{ name: 'c', image: 'none:1', imagePullPolicy: 'Never', command: ['x'] }],
    })
    await runs('serves', '', { containers: [{ name: 'c', image: 'nginx:1.29' }] })
  }, 180_000)

  afterEach(async () => {
    await open?.stop()
    open = undefined
    relay.passes = () => true
    relay.upgrades.length = 0
  })

  afterAll(async () => {
    await admin.close()
    relay.stop()
    await real.stop()
    await rm(folder, { recursive: true, force: true })
    reportComparison(
      'streams of a cluster',
      `${compared} logs, terminals, ports and refusals as with kubectl, through a real API server and a real kubelet`,
    )
  }, 60_000)

  /** As the administrator with changes allowed; `as`: a kubeconfig of the folder. */
  const opened = async ({ as = 'relay', allowed = true } = {}): Promise<LookedAt> => {
    printed.clear()
    ends.clear()
    const seen = await LookedAt.open(join(folder, `${as}.kubeconfig`), {
      onEvent: (name, payload) => {
        if (name === 'terminal.printed' && 'text' in payload)
          printed.set(payload.id, `${printed.get(payload.id) ?? ''}${payload.text}`)
        if (name === 'terminal.ended' && 'exitCode' in payload) ends.set(payload.id, payload)
      },
    })
    open = seen
    const { id } = await seen.view()
    if (allowed) await seen.page.request('cluster.allowChanges', { cluster: id })
    return seen
  }
  const untilStatus = async (seen: LookedAt, name: string, status: string): Promise<string> => {
    const statusOf = async () => (await seen.rows()).find((row) => row.name === name)?.status
    await expect.poll(statusOf, { timeout: 60_000, interval: 200 }).toBe(status)
    return (await seen.row(name)).key
  }
  const logsOf = async (
    seen: LookedAt,
    key: string,
    query: Partial<LogQuery> = {},
  ): Promise<PodLogs> => {
    const logs = await seen.page.request('pod.logs', { key, ...whole, ...query })
    if (logs === null) throw new Error(`no pod ${key}`)
    return logs
  }
  /** How a terminal ended that may not have opened. */
  const endOf = async (
    seen: LookedAt,
    target: {
      readonly id: number
      readonly key: string
      readonly container: string
      readonly command: readonly string[]
    },
  ): Promise<Pick<Events['terminal.ended'], 'exitCode' | 'message'>> => {
    const answer = await seen.page.request('terminal.open', { ...target, ...size })
    if (!answer.ok) return { exitCode: null, message: answer.error.message }
    await expect.poll(() => ends.get(target.id), { timeout: 20_000 }).toBeDefined()
    return ends.get(target.id) ?? { exitCode: null, message: '' }
  }
  const textOf = ({ parts }: PodLogs): string => parts.map(({ text }) => text).join('')

  it('follows the log of a container, of its restart too, line by line as kubectl', async () => {
    const seen = await opened({ allowed: false })
    const key = await untilStatus(seen, 'counts', 'Running')
    let after: LogPlace | null = null
    const lines = new Set<string>()
    const limit = Date.now() + 60_000
    while (![...lines].some((line) => line.endsWith('number 6'))) {
      if (Date.now() > limit) throw new Error([...lines].join('\n'))
      const { parts, error } = await logsOf(seen, key, { after })
      expect(error).toBe('')
      for (const { containerId, text } of parts) {
        for (const line of text.split('\n').filter((one) => one !== '')) {
          lines.add(line)
          after = { containerId, at: Date.parse(line.split(' ', 1)[0] ?? '') }
        }
      }
      await sleep(300)
    }
    const all = await kubectl.must(['logs', 'counts', '--timestamps'])
    expect(`${[...lines].join('\n')}\n`).toBe(all)
    compared++
  })

  it('has the log of the container before the last restart', async () => {
    const seen = await opened({ allowed: false })
    const key = await untilStatus(seen, 'again', 'Running')
    await expect.poll(async () => (await seen.row('again')).restarts, { timeout: 60_000 }).toBe(1)
    for (const previous of [false, true]) {
      const printedByKubectl = await kubectl.must([
        'logs',
        'again',
        '--timestamps',
        ...(previous ? ['-p'] : []),
      ])
      expect(textOf(await logsOf(seen, key, { previous }))).toBe(printedByKubectl)
      compared++
    }
  })

  it('says in the words of the server why there is no log', async () => {
    const seen = await opened({ allowed: false })
    const shell = await untilStatus(seen, 'shell', 'Running')
    const waits = await untilStatus(seen, 'waits', 'ErrImageNeverPull')
    for (const [key, query, args] of [
      [shell, { previous: true }, ['shell', '-p']],
      [waits, {}, ['waits']],
    ] as const) {
      const { code, stderr } = await kubectl.run(['logs', ...args])
      expect(code).toBe(1)
      expect((await logsOf(seen, key, query)).error).toBe(wordsOf(stderr))
      compared++
    }
  })

  it('asks for a terminal as kubectl does, with v5, and with v4 of an older server', async () => {
    const seen = await opened()
    const key = await untilStatus(seen, 'shell', 'Running')
    const command = ['sh', '-c', 'echo hello; exit 7']
    await kubectl.run(['exec', '-i', 'shell', '-c', 'c', '--', ...command])
    const asked = relay.upgrades.splice(0)
    expect(asked).toHaveLength(1)
    const offers = ['v5.channel.k8s.io', 'v4.channel.k8s.io'] as const
    for (const [id, chosen] of offers.entries()) {
      relay.passes = (protocol) => offers.indexOf(protocol as (typeof offers)[0]) >= id
      const target = { id, key, container: 'c', command, ...size }
      expect(await seen.page.request('terminal.open', target)).toEqual({ ok: true, value: null })
      await expect.poll(() => ends.get(id), { timeout: 20_000 }).toBeDefined()
      expect(ends.get(id)).toEqual({ id, exitCode: 7, message: '' })
      expect(printed.get(id)).toContain('hello')
      const [ours] = relay.upgrades.splice(0)
      expect(ours).toMatchObject({ status: 101, chosen, to: 'websocket' })
      expect(ours?.offered).toEqual([...offers])
      // kubectl without a terminal of its own asks for stderr in place of one.
      const withTerminal = new Map([...(asked[0]?.query ?? []), ['tty', 'true']])
      withTerminal.delete('stderr')
      expect(new Map(ours?.query)).toEqual(withTerminal)
      expect([ours?.method, ours?.path]).toEqual([asked[0]?.method, asked[0]?.path])
      compared++
    }
  })

  it('takes what is typed, and ends with the exit code of the shell', async () => {
    const seen = await opened()
    const key = await untilStatus(seen, 'shell', 'Running')
    const target = { id: 1, key, container: 'c', command: ['sh'], ...size }
    expect(await seen.page.request('terminal.open', target)).toEqual({ ok: true, value: null })
    await seen.page.request('terminal.resize', { id: 1, columns: 100, rows: 30 })
    await seen.page.request('terminal.write', { id: 1, text: 'cat /etc/hostname\r' })
    await expect.poll(() => printed.get(1), { timeout: 20_000 }).toMatch(/\r?\nshell\r?\n/)
    await seen.page.request('terminal.write', { id: 1, text: 'exit 4\r' })
    await expect.poll(() => ends.get(1), { timeout: 20_000 }).toBeDefined()
    expect(ends.get(1)).toEqual({ id: 1, exitCode: 4, message: '' })
  })

  it('says in the words of the server why there is no terminal', async () => {
    const seen = await opened()
    const waits = await untilStatus(seen, 'waits', 'ErrImageNeverPull')
    const shell = await untilStatus(seen, 'shell', 'Running')
    for (const [id, [pod, key, container, command]] of (
      [
        ['waits', waits, 'c', 'true'],
        ['shell', shell, 'other', 'true'],
        ['shell', shell, 'c', 'nope'],
      ] as const
    ).entries()) {
      const { code, stderr } = await kubectl.run([
        'exec',
        '-i',
        pod,
        '-c',
        container,
        '--',
        command,
      ])
      const end = await endOf(seen, { id, key, container, command: [command] })
      if (end.exitCode === null)
        expect(end.message.replace(execId, 'start exec')).toContain(wordsOf(stderr))
      else expect(end.exitCode).toBe(code)
      compared++
    }
    // kubectl itself refuses a completed pod.
    const over = await untilStatus(seen, 'over', 'Completed')
    const end = await endOf(seen, { id: 9, key: over, container: 'c', command: ['true'] })
    expect(end).toMatchObject({ exitCode: null, message: /container not found \("c"\)/ })
  })

  it('forwards a port as kubectl does, and says why the pod closes a connection', async () => {
    const seen = await opened()
    const key = await untilStatus(seen, 'serves', 'Running')
    const page = 'GET / HTTP/1.0\r\nHost: a\r\n\r\n'
    const forwarding = kubectl.start(['port-forward', 'serves', '0:80', '0:81'])
    await forwarding.printed(/-> 81[^]*\n/)
    const portOf = (port: number): number =>
      Number(new RegExp(`127.0.0.1:(\\d+) -> ${port}`).exec(forwarding.stdout)?.[1])
    const theirs = await said(portOf(80), page)
    await said(portOf(81), page)
    await expect.poll(() => forwarding.stderr, { timeout: 20_000 }).not.toBe('')
    const { stderr } = await forwarding.interrupt()
    const started = await seen.page.request('ports.start', { key, port: 80, localPort: 0 })
    if (!started.ok) throw new Error(started.error.message)
    relay.upgrades.length = 0
    const ours = await said(started.value.localPort, page)
    expect(ours).toMatch(/200 OK[^]*Welcome to nginx!/)
    expect(withoutDate(ours)).toBe(withoutDate(theirs))
    // kubectl's second way, which needs the right to create alone; its first is SPDY in a WebSocket.
    expect(relay.upgrades).toMatchObject([{ method: 'POST', to: 'SPDY/3.1', status: 101 }])
    const closed = await seen.page.request('ports.start', { key, port: 81, localPort: 0 })
    if (!closed.ok) throw new Error(closed.error.message)
    await said(closed.value.localPort, page)
    const problem = async () =>
      (await seen.page.request('ports.list', { key }))?.forwards.find(({ port }) => port === 81)
        ?.problem
    await expect.poll(problem, { timeout: 20_000 }).not.toBe('')
    // A line of klog, which quotes it.
    const quoted = /error forwarding port[^\n]*(?=\n*")/.exec(stderr)?.[0] ?? ''
    const words = quoted.replaceAll('\\"', '"').replace(/(?:\\n)?\s*$/, '')
    expect(words).toContain('connection refused')
    expect(await problem()).toContain(words)
    compared += 2
  })

  it('sends nothing before changes are allowed, and says what a user may not do', async () => {
    const looking = await opened({ allowed: false })
    const shell = await untilStatus(looking, 'shell', 'Running')
    const target = { id: 1, key: shell, container: 'c', command: ['true'], ...size }
    expect(await looking.page.request('terminal.open', target)).toMatchObject({ ok: false })
    const port = { key: shell, port: 80, localPort: 0 }
    expect(await looking.page.request('ports.start', port)).toMatchObject({ ok: false })
    expect(relay.upgrades).toEqual([])
    await looking.stop()

    const seen = await opened({ as: 'stranger' })
    const key = await untilStatus(seen, 'shell', 'Running')
    const log = await stranger.run(['logs', 'shell'])
    expect((await logsOf(seen, key)).error).toBe(wordsOf(log.stderr))
    const exec = await stranger.run(['exec', '-i', 'shell', '--', 'true'])
    const command = { id: 1, key, container: 'c', command: ['true'] }
    expect((await endOf(seen, command)).message).toContain(wordsOf(exec.stderr))
    const forwarding = await stranger.run(['port-forward', 'shell', '0:80'])
    const started = await seen.page.request('ports.start', { ...port, key })
    if (!started.ok) throw new Error(started.error.message)
    await said(started.value.localPort, 'x')
    const problem = async () =>
      (await seen.page.request('ports.list', { key }))?.forwards[0]?.problem
    await expect.poll(problem, { timeout: 20_000 }).toContain(wordsOf(forwarding.stderr))
    compared += 3
  })

  it('opens a terminal and a port for who may create them only, over SPDY', async () => {
    await admin.ask('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      metadata: { name: 'creates' },
      rules: [{ apiGroups: [''], resources: ['pods/exec', 'pods/portforward'], verbs: ['create'] }],
    })
    await admin.ask('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'creates' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'creates' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ann' }],
    })
    const seen = await opened({ as: 'stranger' })
    const key = await untilStatus(seen, 'shell', 'Running')
    const target = { id: 1, key, container: 'c', command: ['sh'], ...size }
    expect(await seen.page.request('terminal.open', target)).toEqual({ ok: true, value: null })
    await seen.page.request('terminal.resize', { id: 1, columns: 100, rows: 30 })
    await seen.page.request('terminal.write', { id: 1, text: 'cat /etc/hostname\rexit 5\r' })
    await expect.poll(() => ends.get(1), { timeout: 20_000 }).toBeDefined()
    expect(ends.get(1)).toEqual({ id: 1, exitCode: 5, message: '' })
    expect(printed.get(1)).toMatch(/\r?\nshell\r?\n/)
    const serves = await untilStatus(seen, 'serves', 'Running')
    const started = await seen.page.request('ports.start', { key: serves, port: 80, localPort: 0 })
    if (!started.ok) throw new Error(started.error.message)
    for (let times = 0; times < 2; times++)
      expect(await said(started.value.localPort, 'GET / HTTP/1.0\r\n\r\n')).toContain('Welcome')
    expect(relay.upgrades.map(({ method, to, status }) => [method, to, status])).toEqual([
      ['GET', 'websocket', 403],
      ['POST', 'SPDY/3.1', 101],
      ['POST', 'SPDY/3.1', 101],
      ['POST', 'SPDY/3.1', 101],
    ])
    compared += 2
  })

  it('says that the kubelet is away, in the words of the server', async () => {
    const seen = await opened()
    const key = await untilStatus(seen, 'shell', 'Running')
    await real.machine.kubelet.stop()
    const log = await kubectl.run(['logs', 'shell'])
    // A terminal and a log in pieces are asked for with other queries.
    const withoutQuery = (words: string): string => words.replace(/\?[^"]*/, '')
    expect(withoutQuery((await logsOf(seen, key)).error)).toBe(wordsOf(log.stderr))
    const exec = await kubectl.run(['exec', '-i', 'shell', '--', 'true'])
    const target = { id: 1, key, container: 'c', command: ['true'] }
    expect(withoutQuery((await endOf(seen, target)).message)).toContain(
      withoutQuery(wordsOf(exec.stderr)),
    )
    compared += 2
  })
})

/** The answer of nginx. */
function withoutDate(answer: string): string {
  return answer.replace(/^Date: .*$/m, 'Date')
}

/** What a port of this machine answers, until it closes. */
async function said(port: number, words: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (data: Buffer) => {
    answer += data.toString()
  })
  socket.write(words)
  await new Promise((resolve) => {
    socket.on('close', resolve)
    socket.on('error', resolve)
  })
  return answer
}

if ('missing' in found) reportMissing('streams of a cluster', found.missing)
else if (!canUnshare()) reportImpossible('streams of a cluster', cannotUnshare)
else if (program === undefined) reportMissing('streams of a cluster', ['kubectl'])
