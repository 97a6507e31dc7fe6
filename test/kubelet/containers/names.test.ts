import { describe, expect, it } from 'vitest'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import type { SimulatedRuntime } from '../../../src/main/runtimes/simulated/simulated-runtime.ts'
import { MemorySandbox } from '../../memory-sandbox/memory-sandbox.ts'

/** What the command prints in the container of a pod with these fields. */
async function printed(fields: object, command: readonly string[]): Promise<string> {
  const log = new FakeLog()
  const sandbox = new MemorySandbox({ seed: 1, startAt: 0, nodeNames: ['n1'], log })
  sandbox.start()
  const containers = [{ name: 'c', image: 'busybox:1.36', command: ['sleep', '1000'] }]
  const tolerations = [{ operator: 'Exists' as const }]
  await sandbox.createPod({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', uid: '', namespace: 'default' },
    spec: { nodeName: 'n1', containers, tolerations, ...fields },
  })
  await sandbox.clock.advance(10_000)
  const runtime = sandbox.node().runtime as SimulatedRuntime
  const listed = await runtime.listContainers({ state: 'running' })
  if (!listed.ok || listed.value[0] === undefined) throw new Error('no container')
  const call = runtime.execSync(listed.value[0].id, command, 0)
  await sandbox.clock.advance(1000)
  const result = await call
  return result.ok ? Buffer.from(result.value.stdout).toString() : result.error.message
}

describe('/etc/resolv.conf of a container', () => {
  const resolvConf = ['cat', '/etc/resolv.conf']

  it('names the DNS of the cluster and the namespace of the pod', async () => {
    expect(await printed({}, resolvConf)).toBe(
      'search default.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n',
    )
  })

  it('is what the pod asks for without a DNS policy', async () => {
    const dnsConfig = {
      nameservers: ['192.0.2.1', '192.0.2.2'],
      searches: ['example.com'],
      options: [{ name: 'timeout', value: '3' }, { name: 'rotate' }],
    }
    expect(await printed({ dnsPolicy: 'None', dnsConfig }, resolvConf)).toBe(
      'search example.com\nnameserver 192.0.2.1\nnameserver 192.0.2.2\noptions timeout:3 rotate\n',
    )
  })

  it('names the DNS of the node with the policy Default', async () => {
    expect(await printed({ dnsPolicy: 'Default' }, resolvConf)).toBe('nameserver 192.0.2.53\n')
  })
})

describe('the host name of a container', () => {
  it.each([
    ['the name of its pod', {}, 'p\n'],
    ['the one of the spec', { hostname: 'shop-1' }, 'shop-1\n'],
    [
      'the whole name if it is asked for',
      { hostname: 'shop-1', subdomain: 'web', setHostnameAsFQDN: true },
      'shop-1.web.default.svc.cluster.local\n',
    ],
    ["the node's on its network", { hostNetwork: true }, 'node\n'],
  ])('is %s', async (_what, fields, name) => {
    expect(await printed(fields, ['cat', '/etc/hostname'])).toBe(name)
    if (!('hostNetwork' in fields)) expect(await printed(fields, ['hostname'])).toBe(name)
  })
})
