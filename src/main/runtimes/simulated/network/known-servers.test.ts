import { describe, expect, it } from 'vitest'
import type { ContainerConfig } from '../../../kubelet/ports.ts'
import { FakePod } from './fake-pod.ts'

const portsAnnotation = 'io.kubernetes.container.ports'

function started(image: string, config: Partial<ContainerConfig> = {}): Promise<FakePod> {
  return new FakePod(image).start({ image, ...config })
}

describe('the network of a simulated node', () => {
  it('refuses a port that nothing listens on, and times out for an address that no pod has', async () => {
    const pod = await started('nginx')
    expect(await pod.connect(81)).toBe(`dial tcp ${pod.ip}:81: connect: connection refused`)
    expect(await pod.get(81)).toBe(`dial tcp ${pod.ip}:81: connect: connection refused`)
    const before = pod.clock.now()
    expect(await pod.connect(80, '10.244.9.9')).toBe('dial tcp 10.244.9.9:80: i/o timeout')
    expect(pod.clock.now() - before).toBeGreaterThanOrEqual(1000)
    expect(await pod.check(80)).toEqual({ kind: 'not-connected' })
  })

  it('refuses connections once the container has ended', async () => {
    const pod = await started('nginx')
    expect(await pod.connect(80)).toBe('open')
    await pod.waitedFor(pod.runtime.stopContainer(pod.id, 30))
    expect(await pod.connect(80)).toMatch(/refused$/)
  })
})

describe('the server of an image', () => {
  it('is nginx: files, 404, and a line in the log for each request', async () => {
    const pod = await started('nginx:1.27')
    expect(await pod.get(80)).toMatch(/^200 <!DOCTYPE html>[^]*Welcome to nginx!/)
    expect(await pod.get(80, '/none?x=1')).toMatch(/^404 <html>[^]*404 Not Found/)
    expect(await pod.get(80, '/', 'https')).toBe('http: server gave HTTP response to HTTPS client')
    const lines = await pod.runtime.lastLogLines(pod.id, 10)
    expect(lines?.map(({ text }) => text)).toEqual([
      expect.stringMatching(
        /^10\.244\.0\.1 - - \[01\/Jan\/2026:00:00:\d\d \+0000\] "GET \/ HTTP\/1\.1" 200 \d+ "-" "-" "-"$/,
      ),
      expect.stringContaining('"GET /none?x=1 HTTP/1.1" 404 '),
    ])
  })

  it('is nginx with the configuration that is mounted', async () => {
    const pod = new FakePod('nginx')
    const tree = pod.runtime.hostFiles.tree
    tree.makeFolders('/conf')
    tree.write(
      '/conf/my.conf',
      "server {\n listen 8081; # listen 9;\n root /www;\n location /healthz { return 503 'no\\n'; }\n}\n",
    )
    tree.makeFolders('/www')
    tree.write('/www/a.txt', 'text')
    await pod.start({
      image: 'nginx',
      mounts: [
        { containerPath: '/etc/nginx/conf.d', hostPath: '/conf' },
        { containerPath: '/www', hostPath: '/www' },
      ],
    })
    expect(await pod.connect(80)).toMatch(/refused$/)
    expect(await pod.get(8081, '/a.txt')).toBe('200 text')
    expect(await pod.get(8081, '/')).toMatch(/^403 /)
    expect(await pod.get(8081, '/healthz')).toBe('503 no\n')
  })

  it('is redis, which does not answer HTTP', async () => {
    const pod = await started('redis:7', { args: ['--port', '7000'] })
    expect(await pod.connect(7000)).toBe('open')
    expect(await pod.get(7000)).toBe('EOF')
    expect(await pod.connect(6379)).toMatch(/refused$/)
  })

  it('is agnhost liveness, healthy for ten seconds', async () => {
    const image = 'registry.k8s.io/e2e-test-images/agnhost:2.40'
    const pod = await started(image, { args: ['liveness'] })
    expect(await pod.get(8080, '/healthz')).toBe('200 ok')
    await pod.clock.advance(11_000)
    expect(await pod.get(8080, '/healthz')).toMatch(/^500 error: 11/)
  })

  it('is agnhost netexec on the given port', async () => {
    const image = 'registry.k8s.io/e2e-test-images/agnhost:2.40'
    const pod = await started(image, { args: ['netexec', '--http-port=9000'] })
    expect(await pod.get(9000, '/hostname')).toBe('200 web')
    expect(await pod.get(9000, '/echo?msg=hi&code=418')).toBe('418 hi')
  })

  it('is agnhost grpc-health-checking, which can be made unhealthy', async () => {
    const image = 'registry.k8s.io/e2e-test-images/agnhost:2.40'
    const pod = await started(image, { args: ['grpc-health-checking', '--delay-unhealthy-sec=60'] })
    expect(await pod.check(5000)).toBe('SERVING')
    const unknown = { kind: 'status', code: 'NotFound', message: 'unknown service' }
    expect(await pod.check(5000, 'other')).toEqual(unknown)
    await pod.get(8080, '/make-not-serving')
    expect(await pod.check(5000)).toBe('NOT_SERVING')
    await pod.get(8080, '/make-serving')
    await pod.clock.advance(60_000)
    expect(await pod.check(5000)).toBe('SERVING')
  })

  it('is not there for pause, whatever ports it declares', async () => {
    const annotations = { [portsAnnotation]: '[{"containerPort":80,"protocol":"TCP"}]' }
    const pod = await started('registry.k8s.io/pause:3.10', { annotations })
    expect(await pod.connect(80)).toMatch(/refused$/)
  })
})

describe('a server that is not known', () => {
  it('is assumed on the declared TCP ports', async () => {
    const ports = [{ containerPort: 8080 }, { containerPort: 53, protocol: 'UDP' }]
    const annotations = { [portsAnnotation]: JSON.stringify(ports) }
    const pod = await started('example.com/app:1', { annotations })
    expect(await pod.get(8080, '/any')).toBe('200 ')
    expect(await pod.check(8080)).toBe('SERVING')
    expect(await pod.connect(53)).toMatch(/refused$/)
  })

  it('is not assumed for a command that is read', async () => {
    const annotations = { [portsAnnotation]: '[{"containerPort":80}]' }
    const pod = await started('busybox', { annotations, command: ['sleep', '1h'] })
    expect(await pod.connect(80)).toMatch(/refused$/)
  })
})
