import { nodeClockHost } from '../../../clock/node-clock-host.ts'
import { seededRandom } from '../../../clock/seeded-random.ts'
import { VirtualClock } from '../../../clock/virtual-clock.ts'
import { FakeLog } from '../../../kubelet/container/fake-log.ts'
import { FakeTrace } from '../../../kubelet/container/fake-trace.ts'
import type { ContainerConfig } from '../../../kubelet/ports.ts'
import { SimulatedRuntime } from '../simulated-runtime.ts'
import type { SimulatedRuntimeOptions } from '../simulated-runtime.ts'

/** A node with one pod, whose container has just started. */
export class FakePod {
  readonly clock: VirtualClock
  readonly runtime: SimulatedRuntime
  ip = ''
  id = ''

  constructor(image: string, options: SimulatedRuntimeOptions = {}) {
    this.clock = new VirtualClock(nodeClockHost, { startAt: Date.UTC(2026, 0, 1) })
    this.runtime = new SimulatedRuntime({
      clock: this.clock,
      random: seededRandom(1),
      trace: new FakeTrace(),
      log: new FakeLog(),
      options: { images: [image], ...options },
    })
  }

  async waitedFor<T>(call: Promise<T>): Promise<T> {
    let isOver = false
    void call.finally(() => {
      isOver = true
    })
    while (!isOver) await this.clock.advance(100)
    return call
  }

  async start(
    config: Partial<ContainerConfig> & { readonly image: string },
    annotations: Readonly<Record<string, string>> = {},
  ): Promise<this> {
    const sandboxConfig = {
      metadata: { name: 'web', uid: 'u', namespace: 'n', attempt: 0 },
      hostNetwork: false,
      hostname: 'web',
      dnsConfig: { servers: ['10.96.0.10'] },
      labels: {},
      annotations,
    }
    const sandbox = await this.waitedFor(this.runtime.runPodSandbox(sandboxConfig))
    if (!sandbox.ok) throw new Error(sandbox.error.message)
    const whole = {
      name: 'c',
      attempt: 0,
      command: [],
      args: [],
      envs: [],
      labels: {},
      annotations: {},
      ...config,
    }
    const container = await this.waitedFor(
      this.runtime.createContainer(sandbox.value, whole, sandboxConfig),
    )
    if (!container.ok) throw new Error(container.error.message)
    this.id = container.value
    await this.waitedFor(this.runtime.startContainer(this.id))
    const status = await this.runtime.podSandboxStatus(sandbox.value)
    this.ip = status.ok ? (status.value.ips[0] ?? '') : ''
    return this
  }

  /** The status code and body, or the error. */
  async get(port: number, path = '/', scheme: 'http' | 'https' = 'http'): Promise<string> {
    const { ip: host } = this
    const got = await this.waitedFor(
      this.runtime.podNetwork.httpGet({ scheme, host, port, path, headers: [], timeoutMs: 1000 }),
    )
    return got.ok ? `${got.value.statusCode} ${got.value.body}` : got.error
  }

  async connect(port: number, host = this.ip): Promise<string> {
    const connected = await this.waitedFor(
      this.runtime.podNetwork.tcpConnect({ host, port, timeoutMs: 1000 }),
    )
    return connected.ok ? 'open' : connected.error
  }

  async check(port: number, service = ''): Promise<unknown> {
    const request = { host: this.ip, port, timeoutMs: 1000, service, userAgent: '' }
    const checked = await this.waitedFor(this.runtime.podNetwork.grpcHealthCheck(request))
    return checked.ok ? checked.value : checked.error
  }

  /** What a script prints and exits with, and the seconds that it takes. */
  async run(script: string): Promise<{
    readonly stdout: string
    readonly stderr: string
    readonly exitCode: number
    readonly seconds: number
  }> {
    const before = this.clock.now()
    const ran = await this.waitedFor(this.runtime.execSync(this.id, ['sh', '-c', script], 0))
    if (!ran.ok) throw new Error(ran.error.message)
    return { ...ran.value, seconds: Math.floor((this.clock.now() - before) / 1000) }
  }
}
