import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import type { JsonObject } from '../../../shared/json.ts'
import { TestHttpsServer, makeCertificates, sendJson } from '../transport/fake-https-server.ts'
import type { TestCertificates } from '../transport/fake-https-server.ts'
import { isLoopbackServer, loadKubeconfig } from './kubeconfig.ts'
import type { ClusterAccess } from './kubeconfig.ts'

let certificates: TestCertificates
let server: TestHttpsServer
let seen: { headers: IncomingHttpHeaders; groups: readonly string[] | undefined; client: string }
let folder: string
let file: string
let printed: string[]

beforeAll(async () => {
  certificates = await makeCertificates()
  server = new TestHttpsServer(certificates)
  server.handler = (request, response) => {
    const subject = (request.socket as TLSSocket).getPeerCertificate().subject as
      { readonly CN: string } | undefined
    seen = {
      headers: request.headers,
      groups: request.headersDistinct['impersonate-group'],
      client: subject?.CN ?? '',
    }
    sendJson(response, 200, {})
  }
  await server.listen()
})

afterAll(async () => {
  await server.close()
})

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'))
  file = join(folder, 'config')
  printed = []
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

function config(user: JsonObject = { token: 't' }, cluster: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'here',
    contexts: [
      { name: 'here', context: { cluster: 'k', user: 'u' } },
      { name: 'there', context: { cluster: 'far', user: 'u' } },
    ],
    clusters: [
      {
        name: 'k',
        cluster: {
          server: server.url,
          'certificate-authority-data': base64(certificates.ca),
          ...cluster,
        },
      },
      { name: 'far', cluster: { server: 'https://api.example.org:6443/base/' } },
    ],
    users: [{ name: 'u', user }],
  }
}

async function load(
  content: JsonObject | string,
  context?: string,
): ReturnType<typeof loadKubeconfig> {
  await writeFile(file, typeof content === 'string' ? content : stringify(content))
  return await loadKubeconfig({
    file,
    context,
    printLine: (sentence) => printed.push(sentence),
    environment: { PATH: process.env['PATH'] },
  })
}

async function access(content: JsonObject, context?: string): Promise<ClusterAccess> {
  const loaded = await load(content, context)
  if (!loaded.ok) throw new Error(loaded.error.message)
  return loaded.value
}

/** What the server sees of a request of this user. */
async function call(user: JsonObject, cluster: JsonObject = {}): Promise<typeof seen> {
  const transport = (await access(config(user, cluster))).createTransport()
  await transport.send({ method: 'GET', path: '/version' })
  await transport.close()
  return seen
}

async function complaint(content: JsonObject | string, context?: string): Promise<string> {
  const loaded = await load(content, context)
  if (loaded.ok) throw new Error('loaded')
  return `${loaded.error.kind}: ${loaded.error.message.replaceAll(file, 'FILE')}`
}

describe('loadKubeconfig', () => {
  it('uses the current context, or the requested one', async () => {
    expect(await access(config())).toMatchObject({
      server: server.url,
      contextName: 'here',
      clusterName: 'k',
      userName: 'u',
      isLoopback: true,
      isVerified: true,
    })
    expect(await access(config(), 'there')).toMatchObject({
      // Of two entries with one name the first counts, as in kubectl.
      server: 'https://api.example.org:6443/base',
      contextName: 'there',
      isLoopback: false,
    })
  })

  it.runIf(process.platform !== 'win32')('reads a pipe, for --kubeconfig <(…)', async () => {
    execFileSync('mkfifo', [file])
    const loading = loadKubeconfig({ file, environment: {} })
    await writeFile(file, stringify(config()))
    expect(await loading).toMatchObject({ ok: true, value: { contextName: 'here' } })
  })

  it('reports a server without TLS, or without its verification, as not verified', async () => {
    const insecure = await access(config({}, { 'insecure-skip-tls-verify': true }))
    expect(insecure.isVerified).toBe(false)
    const plain = await access(config({}, { server: 'http://127.0.0.1:1' }))
    expect(plain.isVerified).toBe(false)
  })

  it('reports a missing file, a folder, or invalid YAML with its position', async () => {
    const missing = await loadKubeconfig({ file: join(folder, 'nope'), environment: {} })
    expect(missing).toEqual({
      ok: false,
      error: { kind: 'missing', message: `The kubeconfig ${join(folder, 'nope')} does not exist.` },
    })
    await mkdir(join(folder, 'sub'))
    expect(await loadKubeconfig({ file: join(folder, 'sub'), environment: {} })).toMatchObject({
      error: {
        kind: 'unreadable',
        message: `The kubeconfig ${join(folder, 'sub')} cannot be read: it is a folder.`,
      },
    })
    expect(await complaint('contexts: []\npassword: *pa55w0rd\n')).toBe(
      'broken: The kubeconfig FILE is not valid YAML: An alias (*…) names an anchor that is not set before it; a text that begins with * must be quoted.',
    )
    expect(await complaint('apiVersion: v1\nusers: a: b\n')).toBe(
      'broken: The kubeconfig FILE is not valid YAML: Nested mappings are not allowed in compact mappings (line 2, column 8).',
    )
    expect(await complaint('apiVersion: v1\nkind: Pod\n')).toBe(
      'broken: FILE is not a kubeconfig: it has no list of contexts.',
    )
    expect(await complaint('')).toMatch(/^broken: FILE is not a kubeconfig/)
    expect(await complaint('a: *nope')).toMatch(/^broken: The kubeconfig FILE is not valid YAML: /)
  })

  it('lists the contexts if the requested one is missing', async () => {
    expect(await complaint(config(), 'nope')).toBe(
      'no-context: The kubeconfig FILE has no context "nope"; it has "here", "there".',
    )
    expect(await complaint({ ...config(), 'current-context': '' })).toBe(
      'no-context: The kubeconfig FILE sets no current-context; choose one of its contexts with --context: "here", "there".',
    )
    expect(await complaint({ contexts: [], 'current-context': 'x' })).toBe(
      'no-context: The kubeconfig FILE has no context "x"; it has none.',
    )
  })

  it('reports a context without a cluster or user', async () => {
    const withContext = (context: JsonObject): JsonObject => ({
      ...config(),
      contexts: [{ name: 'here', context }],
    })
    expect(await complaint(withContext({ user: 'u' }))).toBe(
      'incomplete: The context "here" in FILE names no cluster.',
    )
    expect(await complaint(withContext({ cluster: 'k' }))).toBe(
      'incomplete: The context "here" in FILE names no user.',
    )
    expect(await complaint(withContext({ cluster: 'gone', user: 'u' }))).toBe(
      'incomplete: The context "here" in FILE names the cluster "gone", which the file does not define.',
    )
    expect(await complaint(withContext({ cluster: 'k', user: 'gone' }))).toBe(
      'incomplete: The context "here" in FILE names the user "gone", which the file does not define.',
    )
  })

  it('reports an invalid server, proxy or auth provider', async () => {
    expect(await complaint(config({}, { server: '' }))).toBe(
      'incomplete: The cluster "k" in FILE has no server.',
    )
    expect(await complaint(config({}, { server: '10.0.0.1:6443' }))).toBe(
      'incomplete: The cluster "k" in FILE names the server "10.0.0.1:6443", which is not a URL with https://.',
    )
    expect(await complaint(config({}, { 'proxy-url': 'socks5://x:1' }))).toBe(
      'unsupported: The cluster "k" in FILE sets the proxy "socks5://x:1"; only http:// and https:// proxies are supported.',
    )
    expect(await complaint(config({ 'auth-provider': { name: 'acme' } }))).toBe(
      'unsupported: The user "u" in FILE uses the auth provider "acme", which is not supported.',
    )
  })

  it('refuses programs that are not credential plugins, and plugins without a program', async () => {
    for (const command of ['', ' ', undefined])
      expect(
        await complaint(
          config({ exec: { apiVersion: 'v1', ...(command === undefined ? {} : { command }) } }),
        ),
      ).toBe(
        'incomplete: The user "u" in FILE has a credential plugin without a program: name one in exec.command.',
      )
    const provider = { name: 'gcp', config: { 'cmd-path': '/bin/evil' } }
    expect(await complaint(config({ 'auth-provider': provider }))).toBe(
      'unsupported: The user "u" in FILE gets its credential by running "/bin/evil" through an auth provider, which kubectl no longer supports: use a credential plugin (exec).',
    )
  })

  it('reports the credential plugin, unless another credential comes first', async () => {
    const exec = { apiVersion: 'v1', command: 'aws', args: ['eks', 'get-token'] }
    expect((await access(config({ exec }))).plugin).toBe('aws eks get-token')
    expect((await access(config({ exec, token: 't' }))).plugin).toBeUndefined()
  })

  it('reports a missing file that the kubeconfig names', async () => {
    expect(
      await complaint(config({ 'client-certificate': 'me.crt', 'client-key': 'me.key' })),
    ).toBe(
      `incomplete: The file ${join(folder, 'me.crt')}, which the kubeconfig names as client-certificate, does not exist.`,
    )
  })
})

describe('the credentials of a kubeconfig’s user', () => {
  it('are a token, inline or from a file, which takes precedence', async () => {
    expect((await call({ token: 'abc' })).headers.authorization).toBe('Bearer abc')
    await writeFile(join(folder, 'token'), 'from-file\n')
    const both = await call({ token: 'abc', tokenFile: 'token' })
    expect(both.headers.authorization).toBe('Bearer from-file')
  })

  it('are a name and a password', async () => {
    const { headers } = await call({ username: 'me', password: 'pässword' })
    expect(headers.authorization).toBe(`Basic ${base64('me:pässword')}`)
  })

  it('are a client certificate, inline or from files next to the kubeconfig', async () => {
    const { cert, key } = certificates.client
    const inline = await call({
      'client-certificate-data': base64(cert),
      'client-key-data': base64(key),
    })
    expect(inline).toMatchObject({ client: 'client' })
    expect(inline.headers.authorization).toBeUndefined()
    await writeFile(join(folder, 'me.crt'), cert)
    await writeFile(join(folder, 'me.key'), key)
    await writeFile(join(folder, 'ca.crt'), certificates.ca)
    const cluster = { 'certificate-authority-data': '', 'certificate-authority': 'ca.crt' }
    const fromFiles = await call(
      { 'client-certificate': 'me.crt', 'client-key': 'me.key' },
      cluster,
    )
    expect(fromFiles).toMatchObject({ client: 'client' })
  })

  it('include impersonation with groups, UID and extras', async () => {
    const { headers, groups } = await call({
      token: 't',
      as: 'jane',
      'as-uid': '42',
      'as-groups': ['dev', 'ops'],
      'as-user-extra': { 'Scopes/x': ['a'] },
    })
    expect(headers['impersonate-user']).toBe('jane')
    expect(headers['impersonate-uid']).toBe('42')
    expect(groups).toEqual(['dev', 'ops'])
    expect(headers['impersonate-extra-scopes%2fx']).toBe('a')
  })

  it('come from a plugin, which runs once for all transports of the context', async () => {
    await writeFile(
      join(folder, 'plugin.cjs'),
      `require('fs').appendFileSync(${JSON.stringify(join(folder, 'runs'))}, 'x')
       const { spec } = JSON.parse(process.env.KUBERNETES_EXEC_INFO)
       const ca = Buffer.from(spec.cluster['certificate-authority-data'], 'base64').toString()
       const status = { token: [spec.cluster.server, ca.length, spec.cluster.config.x].join('/') }
       console.log(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status }))`,
    )
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: process.execPath,
      args: [join(folder, 'plugin.cjs')],
      provideClusterInfo: true,
    }
    const extensions = [{ name: 'client.authentication.k8s.io/exec', extension: { x: 'mine' } }]
    const { createTransport } = await access(config({ exec }, { extensions }))
    const transports = [createTransport(), createTransport()]
    await Promise.all(
      transports.map((transport) => transport.send({ method: 'GET', path: '/version' })),
    )
    for (const transport of transports) await transport.close()
    expect(printed).toHaveLength(1)
    expect(seen.headers.authorization).toBe(`Bearer ${server.url}/${certificates.ca.length}/mine`)
    const { length } = await readFile(join(folder, 'runs'), 'utf8')
    expect(length).toBe(1)
  })

  // Loads the Kubernetes client, which takes a slow machine a while.
  it('are the token of an auth provider', { timeout: 30_000 }, async () => {
    const payload = base64(JSON.stringify({ exp: 4_000_000_000 })).replace(/=+$/, '')
    const idToken = `e30.${payload}.x`
    const provider = { name: 'oidc', config: { 'id-token': idToken, 'client-id': 'c' } }
    const { headers } = await call({ 'auth-provider': provider })
    expect(headers.authorization).toBe(`Bearer ${idToken}`)
  })

  it('can be absent', async () => {
    const { headers, client } = await call({})
    expect([headers.authorization, client]).toEqual([undefined, ''])
  })
})

describe('the connection to a kubeconfig’s cluster', () => {
  it('uses tls-server-name, or skips the verification', async () => {
    const wrong = (await access(config({}, { 'tls-server-name': 'other' }))).createTransport()
    await expect(wrong.send({ method: 'GET', path: '/' })).rejects.toThrow('another name')
    await wrong.close()
    const stranger = await makeCertificates()
    const unchecked = {
      'certificate-authority-data': base64(stranger.ca),
      'insecure-skip-tls-verify': true,
    }
    expect(await call({ token: 'x' }, unchecked)).toMatchObject({ client: '' })
  })

  it('uses the proxy', async () => {
    const asked: string[] = []
    const proxy = createServer()
    proxy.on('connect', (request, socket) => {
      asked.push(request.url ?? '')
      const upstream = connect(server.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        upstream.pipe(socket).pipe(upstream)
      })
      socket.on('error', () => upstream.destroy())
      upstream.on('error', () => socket.destroy())
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const { port } = proxy.address() as AddressInfo
    await call({ token: 'via' }, { 'proxy-url': `http://127.0.0.1:${port}` })
    expect(asked).toEqual([`127.0.0.1:${server.port}`])
    expect(seen.headers.authorization).toBe('Bearer via')
    proxy.closeAllConnections()
    await new Promise((resolve) => proxy.close(resolve))
  })

  it.each([
    ['https://127.0.0.1:6443', true],
    ['https://127.3.2.1', true],
    ['https://localhost:6443', true],
    ['https://a.localhost', true],
    ['https://[::1]:6443', true],
    ['https://10.0.0.1', false],
    ['https://127.0.0.1.example.org', false],
    ['https://localhost.example.org', false],
    ['https://[::2]', false],
  ])('%s is on loopback: %s', (url, isLoopback) => {
    expect(isLoopbackServer(url, undefined)).toBe(isLoopback)
    expect(isLoopbackServer(url, 'http://127.0.0.1:3128')).toBe(false)
  })
})
