import { describe, expect, it } from 'vitest'
import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import { podOf } from '../container/fake-pods.ts'
import { fakeHost } from '../host/fake-host.ts'
import { makeHostsMount } from './hosts-file.ts'
import { makePodDataFolders } from './pod-folders.ts'

const container: Container = { name: 'c', image: 'i' }
const hostPath = '/var/lib/kubelet/pods/u/etc-hosts'
const local = [
  '127.0.0.1\tlocalhost',
  '::1\tlocalhost ip6-localhost ip6-loopback',
  'fe00::0\tip6-localnet',
  'fe00::0\tip6-mcastprefix',
  'fe00::1\tip6-allnodes',
  'fe00::2\tip6-allrouters',
]

async function made(spec: Partial<Pod['spec']>, ips: readonly string[], one = container) {
  const host = fakeHost()
  await makePodDataFolders(host, 'u')
  const mount = await makeHostsMount(podOf(spec), one, ips, host)
  const file = await host.files.readText(hostPath)
  return { mount, lines: file.ok ? file.value.split('\n').slice(0, -1) : undefined }
}

describe('the hosts file of a pod', () => {
  it('names the pod for each of its addresses', async () => {
    const { mount, lines } = await made({}, ['10.0.0.1', 'fd00::1'])
    expect(mount).toEqual({ ok: true, value: { containerPath: '/etc/hosts', hostPath } })
    expect(lines).toEqual([
      '# Kubernetes-managed hosts file.',
      ...local,
      '10.0.0.1\tp',
      'fd00::1\tp',
    ])
  })

  it('has the domain of a subdomain, and the aliases', async () => {
    const hostAliases = [{ ip: '1.2.3.4', hostnames: ['a', 'b'] }, { ip: '1.2.3.5' }]
    const spec = { hostname: 'web', subdomain: 'app', hostAliases }
    expect((await made(spec, ['10.0.0.1'])).lines?.slice(7)).toEqual([
      '10.0.0.1\tweb.app.n.svc.cluster.local\tweb',
      '',
      '# Entries added by HostAliases.',
      '1.2.3.4\ta\tb',
      '1.2.3.5\t',
    ])
  })

  it("is the node's on the host's network", async () => {
    const { mount, lines } = await made({ hostNetwork: true }, [])
    expect(mount.ok && mount.value?.hostPath).toBe(hostPath)
    expect(lines).toEqual([
      '# Kubernetes-managed hosts file (host network).',
      '127.0.0.1\tlocalhost',
    ])
  })

  it('is left out while the pod has no address, and where the container mounts its own', async () => {
    expect(await made({}, [])).toEqual({ mount: { ok: true, value: undefined }, lines: undefined })
    const own = { ...container, volumeMounts: [{ name: 'v', mountPath: '/etc/hosts' }] }
    expect((await made({}, ['10.0.0.1'], own)).mount).toEqual({ ok: true, value: undefined })
  })

  it('cannot be made without the folder of the pod', async () => {
    const host = fakeHost()
    expect(await makeHostsMount(podOf(), container, ['10.0.0.1'], host)).toEqual({
      ok: false,
      error: `open ${hostPath}: no such file or directory`,
    })
  })
})
